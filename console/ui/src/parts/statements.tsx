// The statements of one request: grouped by fingerprint or in order, with the chosen one's text below.
import { useMemo, useState } from "preact/hooks";
import type { RequestDetail } from "../api";
import { counted, duration } from "../format";
import { groupStatements, hasRepeats, statementsOf, type StatementGroup, type StatementRun } from "../spans";
import { CopyButton, Empty, oneLine, Sql } from "./text";
import { VirtualList } from "./virtual";
import { CutNote } from "./waterfall";

const kRowHeight = 26;

export function Statements({ detail, maxRows = 12 }: { detail: RequestDetail; maxRows?: number }) {
  const runs = useMemo(() => statementsOf(detail), [detail]);
  const groups = useMemo(() => groupStatements(runs), [runs]);
  const [inOrder, setInOrder] = useState(false);
  const [chosen, setChosen] = useState(-1);
  if (detail.counts.statements === 0) return <Empty>This request ran no statement.</Empty>;
  const choose = (order: boolean): void => {
    setInOrder(order);
    setChosen(-1);
  };
  const press = (at: number) => (): void => setChosen(at === chosen ? -1 : at);
  return (
    <div class="statements">
      <div class="bar-line">
        <span>
          {counted(detail.counts.statements, "statement")}, {duration(detail.counts.statementNs)}
          {hasRepeats(detail) ? " · repeated" : ""}
        </span>
        <span class="toggle" role="group" aria-label="Order">
          <button type="button" class="small" aria-pressed={!inOrder} onClick={() => choose(false)}>
            Grouped ({groups.length})
          </button>
          <button type="button" class="small" aria-pressed={inOrder} onClick={() => choose(true)}>
            In order
          </button>
        </span>
      </div>
      <VirtualList
        key={String(inOrder)}
        count={inOrder ? runs.length : groups.length}
        rowHeight={kRowHeight}
        maxRows={maxRows}
        label="Statements"
        row={(at) =>
          inOrder ? (
            <RunRow key={at} run={runs[at]!} chosen={at === chosen} onPress={press(at)} />
          ) : (
            <GroupRow key={at} group={groups[at]!} chosen={at === chosen} onPress={press(at)} />
          )
        }
      />
      {detail.counts.cut.statements > 0 ? <CutNote detail={detail} /> : null}
      <Chosen run={inOrder ? runs[chosen] : groups[chosen]?.runs[0]} {...(inOrder ? {} : { group: groups[chosen] })} />
    </div>
  );
}

function GroupRow({ group, chosen, onPress }: { group: StatementGroup; chosen: boolean; onPress: () => void }) {
  return (
    <button type="button" class="srow" aria-pressed={chosen} onClick={onPress}>
      <span class="stext">
        {group.failures > 0 ? "✕ " : ""}
        {oneLine(group.statement.text)}
      </span>
      <span class={group.runs.length > 1 ? "times many" : "times"}>{group.runs.length}×</span>
      <span class="num">{duration(group.totalNs)}</span>
    </button>
  );
}

function RunRow({ run, chosen, onPress }: { run: StatementRun; chosen: boolean; onPress: () => void }) {
  const { rows, failed, text } = run.statement;
  return (
    <button type="button" class="srow" aria-pressed={chosen} onClick={onPress}>
      <span class="stext">
        {failed ? "✕ " : ""}
        {oneLine(text)}
      </span>
      <span class="times">{rows === null ? "" : counted(rows, "row")}</span>
      <span class="num">{run.span.durationNs === null ? "not ended" : duration(run.span.durationNs)}</span>
    </button>
  );
}

function Chosen({ run, group }: { run: StatementRun | undefined; group?: StatementGroup | undefined }) {
  if (!run) return null;
  const { statement } = run;
  const readNs = group ? group.readNs : (statement.readNs ?? 0);
  const lines = [
    group && group.runs.length > 1
      ? `${group.runs.length} runs, ${duration(group.totalNs)} in all, ${counted(group.rows, "row")}`
      : `+${duration(run.span.startNs)}`,
    readNs > 0 ? `${duration(readNs)} of it reading rows` : null,
    statement.dialect,
    statement.database,
    statement.caller ? `from ${statement.caller}` : null,
  ];
  return (
    <section class="chosen" aria-label="Chosen statement">
      <p class="quiet">{lines.filter(Boolean).join(" · ")}</p>
      {statement.failed ? (
        <p class="problem">✕ {[statement.errorCode, statement.errorMessage].filter(Boolean).join(": ") || "failed"}</p>
      ) : null}
      <div class="block">
        <pre>
          <Sql text={statement.text} />
        </pre>
        <CopyButton text={statement.text} />
      </div>
    </section>
  );
}
