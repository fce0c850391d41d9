// The closed bar: one 28-pixel strip. Each figure is a button that opens the panel behind it.
import type { ComponentChildren } from "preact";
import type { RequestDetail } from "../../ui/src/api";
import { compared, count, counted, duration, statusText, statusTone } from "../../ui/src/format";
import { hasRepeats } from "../../ui/src/spans";
import type { PanelName } from "./panels";

type Props = {
  detail: RequestDetail;
  base: string;
  panel: PanelName | null;
  small: boolean;
  onPanel: (name: PanelName | null) => void;
  onShrink: () => void;
  onGrow: () => void;
};

export function Strip({ detail, base, panel, small, onPanel, onShrink, onGrow }: Props) {
  const tone = statusTone(detail.status);
  if (small) {
    const words = `Inlens: ${statusText(detail.status)}, ${duration(detail.durationNs)}. Open the bar.`;
    return (
      <div class="strip small-strip">
        <button type="button" class={`brand ${tone}`} aria-label={words} title={words} onClick={onGrow}>
          {tone === "ok" ? "◉" : "✕"}
        </button>
      </div>
    );
  }
  const figure = (name: PanelName, label: string, content: ComponentChildren, kind: "" | "also" | "wide" = "") => (
    <button
      type="button"
      class={`figure ${kind}`}
      aria-expanded={panel === name && kind !== "also"}
      aria-label={label}
      title={label}
      onClick={() => onPanel(panel === name ? null : name)}
    >
      {content}
    </button>
  );
  return (
    <div class="strip" role="region" aria-label="Inlens">
      <button
        type="button"
        class={`brand ${tone}`}
        aria-label="Make the bar small"
        title="Make the bar small"
        onClick={onShrink}
      >
        ◉
      </button>
      {figure(
        "request",
        `Status ${statusText(detail.status)}: the request`,
        <span class={`status ${tone}`}>
          {tone === "bad" ? "✕ " : ""}
          {statusText(detail.status)}
        </span>,
      )}
      {figure("timeline", `Took ${duration(detail.durationNs)}: the timeline`, <Time detail={detail} />)}
      {figure("queries", `${counted(detail.counts.statements, "statement")}: the list`, <Statements detail={detail} />)}
      {detail.counts.errors > 0
        ? figure(
            "errors",
            `${counted(detail.counts.errors, "error")}: the list`,
            <span class="bad-text">
              ✕ {count(detail.counts.errors)}
              <span class="wide"> {detail.counts.errors === 1 ? "error" : "errors"}</span>
            </span>,
          )
        : null}
      {detail.findings.length > 0
        ? figure(
            "timeline",
            detail.findings[0]!.sentence,
            <span class="unusual">
              ▲ {count(detail.findings.length)}
              <span class="wide"> {detail.findings.length === 1 ? "finding" : "findings"}</span>
            </span>,
            "also",
          )
        : null}
      {detail.counts.messages > 0
        ? figure(
            "messages",
            `${counted(detail.counts.messages, "message")}: the list`,
            <>
              {count(detail.counts.messages)} <span class="quiet">msg</span>
            </>,
            "wide",
          )
        : null}
      <a
        class="figure"
        href={`${base}#/requests/${detail.id}`}
        target="_blank"
        rel="noopener"
        title="This request in the console"
        aria-label="This request in the console"
      >
        ↗
      </a>
    </div>
  );
}

function Time({ detail }: { detail: RequestDetail }) {
  const beside = compared(detail.durationNs, detail.usual);
  return (
    <>
      <b>{duration(detail.durationNs)}</b>{" "}
      {beside.unusual ? <Unusual text={beside.text} /> : <span class="quiet wide">{beside.text}</span>}
    </>
  );
}

/** "▲ 3.4× usual"; the word goes where there is no room. */
function Unusual({ text }: { text: string }) {
  return (
    <span class="unusual">
      ▲ {text.replace(" usual", "")}
      <span class="wide"> usual</span>
    </span>
  );
}

function Statements({ detail }: { detail: RequestDetail }) {
  const { statements, statementNs, failedStatements } = detail.counts;
  return (
    <>
      <span class="quiet">SQL</span> <b>{count(statements)}</b>
      {statements > 0 ? <span class="quiet wide"> {duration(statementNs)}</span> : null}
      {failedStatements > 0 ? <span class="bad-text wide"> ✕ {failedStatements}</span> : null}
      {hasRepeats(detail) ? (
        <span class="n-plus-one" title="The same statement many times">
          {" "}
          N+1
        </span>
      ) : null}
    </>
  );
}
