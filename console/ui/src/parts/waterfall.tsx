// One request's spans over time, with the chosen span's detail below. Used by the console's request sheet and by the bar.
import { useMemo, useState } from "preact/hooks";
import type { RequestDetail, Span } from "../api";
import { bytes, compared, counted, duration, percent, statusText } from "../format";
import { callPhases, cutSentence, kKindNames, timeShares, type CallPhase } from "../spans";
import { axisEnd, waterfallRows, type WaterfallRow } from "../waterfall_rows";
import { CopyButton, Empty, Facts, oneLine, Sql, type Fact } from "./text";
import { VirtualList } from "./virtual";

const kRowHeight = 24;
const kTags = {
  stage: "stage",
  scope: "scope",
  cache: "cache",
  timer: "timer",
  wait: "wait",
  connect: "connect",
  statement: "SQL",
  call: "HTTP",
};

type Props = { detail: RequestDetail; maxRows?: number };

export function Waterfall({ detail, maxRows = 16 }: Props) {
  const [chosen, setChosen] = useState(-1);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => waterfallRows(detail, open), [detail, open]);
  const end = useMemo(() => axisEnd(detail), [detail]);
  if (rows.length === 0) {
    return (
      <Empty>
        Nothing inside this request was measured. Stages, statements and calls appear here once the server reports them.
      </Empty>
    );
  }
  const toggle = (index: number): void => {
    const next = new Set(open);
    if (!next.delete(index)) next.add(index);
    setOpen(next);
  };
  const span = detail.spans[chosen];
  return (
    <div class="waterfall">
      <Axis end={end} />
      <VirtualList
        count={rows.length}
        rowHeight={kRowHeight}
        maxRows={maxRows}
        label="Timeline"
        row={(at) => {
          const row = rows[at]!;
          const press =
            row.kind === "run" ? () => toggle(row.index) : () => setChosen(row.index === chosen ? -1 : row.index);
          return (
            <Row
              key={`${row.kind}${row.index}`}
              row={row}
              detail={detail}
              end={end}
              chosen={row.kind === "span" && row.index === chosen}
              onPress={press}
            />
          );
        }}
      />
      <CutNote detail={detail} />
      {span ? <SpanDetail span={span} detail={detail} /> : null}
    </div>
  );
}

export function CutNote({ detail }: { detail: RequestDetail }) {
  const sentence = cutSentence(detail);
  return sentence ? <p class="note">{sentence}</p> : null;
}

function Axis({ end }: { end: number }) {
  return (
    <div class="axis" aria-hidden="true">
      <span class="axis-ticks">
        {[0, 0.25, 0.5, 0.75, 1].map((part) => (
          <span key={part}>{part === 0 ? "0" : duration(end * part)}</span>
        ))}
      </span>
    </div>
  );
}

type RowProps = { row: WaterfallRow; detail: RequestDetail; end: number; chosen: boolean; onPress: () => void };

function Row({ row, detail, end, chosen, onPress }: RowProps) {
  const { span } = row;
  const start = row.kind === "run" ? row.startNs : span.startNs;
  const length =
    row.kind === "run" ? row.endNs - row.startNs : (span.durationNs ?? Math.max(0, detail.durationNs - span.startNs));
  const shown = row.kind === "run" ? row.totalNs : length;
  const left = (100 * start) / end;
  const width = Math.min(100 - left, (100 * length) / end);
  const indent = Math.min(span.depth + (row.kind === "span" && row.inRun ? 1 : 0) + (span.task === null ? 0 : 1), 12);
  const failed = span.statement?.failed || span.call?.failed;
  return (
    <button
      type="button"
      class="wrow"
      {...(row.kind === "run" ? { "aria-expanded": row.open } : { "aria-pressed": chosen })}
      onClick={onPress}
    >
      <span class="wname" style={{ paddingLeft: `${indent * 10}px` }}>
        <i>{row.kind === "run" ? `${row.open ? "▾" : "▸"} ${row.size}×` : kTags[span.kind]}</i> {failed ? "✕ " : ""}
        {spanTitle(span)}
      </span>
      <span class="wtrack">
        <span
          class={`wbar k-${span.kind}${failed ? " failed" : ""}`}
          style={{ left: `${left}%`, width: `${width}%` }}
        />
      </span>
      <span class="wtime">{span.durationNs === null ? "not ended" : duration(shown)}</span>
    </button>
  );
}

export function spanTitle(span: Span): string {
  if (span.statement) return oneLine(span.statement.text);
  if (span.call) return oneLine(`${span.call.method} ${span.call.url}`);
  return oneLine(span.name);
}

function SpanDetail({ span, detail }: { span: Span; detail: RequestDetail }) {
  const task = span.task === null ? null : detail.tasks[span.task];
  const facts: Fact[] = [
    { name: "Kind", value: span.kind },
    { name: "Started", value: `+${duration(span.startNs)}` },
    {
      name: "Took",
      value: span.durationNs === null ? "not ended" : duration(span.durationNs),
      note: span.durationNs === null ? null : percent(span.durationNs, detail.durationNs),
    },
    { name: "Thread", value: task ? `${task.thread} (${task.name})` : detail.thread },
  ];
  return (
    <section class="chosen" aria-label="Chosen span">
      <Facts facts={[...facts, ...statementFacts(span), ...callFacts(span)]} />
      {span.call ? <CallPhases phases={callPhases(span.call, span.durationNs)} /> : null}
      <SpanText span={span} />
    </section>
  );
}

function SpanText({ span }: { span: Span }) {
  const problem = span.statement?.errorMessage ?? span.call?.errorMessage;
  return (
    <>
      {problem ? <p class="problem">✕ {problem}</p> : null}
      {span.statement ? (
        <div class="block">
          <pre>
            <Sql text={span.statement.text} />
          </pre>
          <CopyButton text={span.statement.text} />
        </div>
      ) : (
        <div class="block">
          <pre>{span.call ? `${span.call.method} ${span.call.url}` : span.name}</pre>
        </div>
      )}
    </>
  );
}

function statementFacts({ statement }: Span): Fact[] {
  if (!statement) return [];
  return [
    { name: "Rows", value: statement.rows === null ? "unknown" : counted(statement.rows, "row") },
    ...(statement.readNs === null ? [] : [{ name: "Reading rows", value: duration(statement.readNs) }]),
    {
      name: "Database",
      value: statement.database ? `${statement.dialect} · ${statement.database}` : statement.dialect,
    },
    ...(statement.failed ? [{ name: "Failed", value: statement.errorCode ?? "yes" }] : []),
    ...(statement.caller ? [{ name: "Called from", value: statement.caller }] : []),
  ];
}

function callFacts({ call }: Span): Fact[] {
  if (!call) return [];
  return [
    { name: "Status", value: call.status === null ? "none" : statusText(call.status) },
    { name: "Sent", value: call.bytesOut === null ? "unknown" : bytes(call.bytesOut) },
    { name: "Received", value: call.bytesIn === null ? "unknown" : bytes(call.bytesIn) },
    ...(call.failed ? [{ name: "Failed", value: call.errorCode ?? "yes" }] : []),
    ...(call.caller ? [{ name: "Called from", value: call.caller }] : []),
  ];
}

const kPhaseNames: Record<CallPhase["phase"], string> = {
  dns: "DNS",
  connect: "connecting",
  tls: "TLS",
  firstByte: "first byte",
  rest: "the rest",
};

/** A call's phases, in their order: one bar, and the same as words. */
function CallPhases({ phases }: { phases: CallPhase[] }) {
  const whole = phases.reduce((sum, { ns }) => sum + ns, 0);
  if (phases.length === 0) return null;
  return (
    <div class="shares" role="group" aria-label="Phases of the call">
      <div class="share-bar" aria-hidden="true">
        {phases.map(({ phase, ns }) => (
          <span key={phase} class={`p-${phase}`} style={{ width: `${(100 * ns) / whole}%` }} />
        ))}
      </div>
      <ul>
        {phases.map(({ phase, ns }) => (
          <li key={phase}>
            <span class={`dot p-${phase}`} aria-hidden="true" />
            {kPhaseNames[phase]} <b>{duration(ns)}</b> {percent(ns, whole)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the time went to: one bar, and the same as words. */
export function TimeShares({ detail }: Props) {
  const shares = timeShares(detail);
  const whole = shares.reduce((sum, share) => sum + share.ns, 0);
  if (shares.length === 0) return null;
  return (
    <div class="shares">
      <div class="share-bar" aria-hidden="true">
        {shares.map((share) => (
          <span key={share.kind} class={`k-${share.kind}`} style={{ width: `${(100 * share.ns) / whole}%` }} />
        ))}
      </div>
      <ul>
        {shares.map((share) => (
          <li key={share.kind}>
            <span class={`dot k-${share.kind}`} aria-hidden="true" />
            {kKindNames[share.kind]} <b>{duration(share.ns)}</b> {percent(share.ns, whole)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** "1.24 s · 3.4× usual". */
export function DurationBeside({ detail }: Props) {
  const beside = compared(detail.durationNs, detail.usual);
  return (
    <>
      <b>{duration(detail.durationNs)}</b>{" "}
      <span class={beside.unusual ? "unusual" : "quiet"}>
        {beside.unusual ? "▲ " : ""}
        {beside.text}
      </span>
    </>
  );
}
