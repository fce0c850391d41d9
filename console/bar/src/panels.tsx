// The open bar: tabs and one panel, built from the same views as the console's request sheet.
import { useEffect, useRef } from "preact/hooks";
import type { RequestDetail } from "../../ui/src/api";
import { Errors, Messages } from "../../ui/src/parts/errors";
import { PanelView, RequestInfo } from "../../ui/src/parts/request_info";
import { Statements } from "../../ui/src/parts/statements";
import { TimeShares, Waterfall } from "../../ui/src/parts/waterfall";

/** `panel0`, `panel1`… are the host's own. */
export type PanelName = "timeline" | "queries" | "errors" | "messages" | "request" | `panel${number}`;

type Props = { detail: RequestDetail; base: string; panel: PanelName; onPanel: (name: PanelName | null) => void };

function tabsOf({ counts, timers, panels }: RequestDetail): [PanelName, string, number][] {
  return [
    ["timeline", "Timeline", 0],
    ["queries", "Queries", counts.statements],
    ["errors", "Errors", counts.errors],
    ["messages", "Messages", counts.messages + timers.length],
    ["request", "Request", 0],
    ...panels.map((panel, at): [PanelName, string, number] => [`panel${at}`, panel.title || `Panel ${at + 1}`, 0]),
  ];
}

export function Drawer({ detail, base, panel, onPanel }: Props) {
  const tabs = tabsOf(detail);
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () => list.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus({ preventScroll: true }),
    [panel],
  );
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = tabs.findIndex(([name]) => name === panel);
    onPanel(tabs[(at + step + tabs.length) % tabs.length]![0]);
  };
  return (
    <section class="drawer" aria-label="Inlens, this request">
      <div class="tabs">
        <div class="tab-list" role="tablist" ref={list} onKeyDown={onKey}>
          {tabs.map(([name, title, size]) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={name === panel}
              tabIndex={name === panel ? 0 : -1}
              onClick={() => onPanel(name)}
            >
              {title}
              {size > 0 ? <span class="quiet"> {size}</span> : null}
            </button>
          ))}
        </div>
        <button type="button" class="close" aria-label="Close" title="Close (Esc)" onClick={() => onPanel(null)}>
          ✕
        </button>
      </div>
      <div class="panel" role="tabpanel" key={panel}>
        <PanelBody detail={detail} base={base} panel={panel} />
      </div>
    </section>
  );
}

function PanelBody({ detail, base, panel }: Omit<Props, "onPanel">) {
  if (panel === "timeline") return <Timeline detail={detail} />;
  if (panel === "queries") return <Statements detail={detail} maxRows={9} />;
  if (panel === "errors")
    return (
      <Errors
        detail={detail}
        issueLink={(id, words) => (
          <a href={`${base}#/issues/${id}`} target="_blank" rel="noopener">
            {words}
          </a>
        )}
      />
    );
  if (panel === "messages") return <Messages detail={detail} />;
  if (panel === "request") return <RequestInfo detail={detail} />;
  const custom = detail.panels[Number(panel.slice(5))];
  return custom ? <PanelView panel={custom} /> : null;
}

function Timeline({ detail }: { detail: RequestDetail }) {
  return (
    <>
      <p class="why">{detail.why}</p>
      {detail.findings.map((finding, at) => (
        <p key={at} class="finding">
          ▲ {finding.sentence}
        </p>
      ))}
      <TimeShares detail={detail} />
      <Waterfall detail={detail} maxRows={10} />
    </>
  );
}
