// One request in full, as a sheet over the list: why it took so long, then the waterfall, then everything else.
import { useMemo } from "preact/hooks";
import type { RequestDetail } from "../api";
import { When } from "../columns";
import { absolute, counted, duration } from "../format";
import { useLive } from "../live";
import { Errors, Messages } from "../parts/errors";
import { HeaderTables, PanelView, requestFacts } from "../parts/request_info";
import { Statements } from "../parts/statements";
import { CopyButton, Facts, Status } from "../parts/text";
import { DurationBeside, TimeShares, Waterfall } from "../parts/waterfall";
import { placeHref } from "../route";
import { Part, Sheet } from "../sheet";
import { FindingList } from "./overview";

export function RequestSheet({ id, closeHref }: { id: string; closeHref: string }) {
  const live = useLive<RequestDetail>(`requests/${encodeURIComponent(id)}`, true);
  const detail = live.data;
  const title = detail ? (
    <>
      <span class="method">{detail.method}</span> {detail.target}
    </>
  ) : (
    "Request"
  );
  return (
    <Sheet title={title} closeHref={closeHref} actions={detail ? <Download detail={detail} /> : null}>
      {detail ? (
        <Detail detail={detail} />
      ) : live.problem ? (
        <p class="empty">
          {live.problem.message}{" "}
          {live.problem.code === "recycled" ? (
            <>
              Slow requests, errors and findings are kept longer than others; <code>history</code> settings say how
              many.
            </>
          ) : null}
        </p>
      ) : (
        <p class="empty" aria-busy="true">
          Asking the server…
        </p>
      )}
    </Sheet>
  );
}

function Download({ detail }: { detail: RequestDetail }) {
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([JSON.stringify(detail, null, 2)], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `request-${detail.id}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  return (
    <>
      <CopyButton text={location.href} what="Copy link" />
      <button type="button" class="small" onClick={save}>
        Download
      </button>
    </>
  );
}

function Detail({ detail }: { detail: RequestDetail }) {
  const { counts } = detail;
  return (
    <>
      <p class="why">{detail.why}</p>
      <Headline detail={detail} />
      <TimeShares detail={detail} />
      {detail.findings.length > 0 ? <FindingList findings={detail.findings} /> : null}
      <Part title="Timeline" note={counted(counts.spans, "span")}>
        <Waterfall detail={detail} maxRows={18} />
      </Part>
      <Part
        title="Statements"
        note={`${counted(counts.statements, "statement")}, ${duration(counts.statementNs)}`}
        open={counts.statements > 0}
      >
        <Statements detail={detail} />
      </Part>
      <Part title="Errors" note={counted(counts.errors, "error")} open={counts.errors > 0}>
        <Errors detail={detail} issueLink={(id, words) => <a href={placeHref("issues", id)}>{words}</a>} />
      </Part>
      <Part
        title="Messages and timers"
        note={`${counted(counts.messages, "message")}, ${counted(detail.timers.length, "timer")}`}
        open={counts.messages + detail.timers.length > 0}
      >
        <Messages detail={detail} />
      </Part>
      {detail.panels.map((panel, at) => (
        <Part key={at} title={panel.title || "Panel"} note={panel.kind}>
          <PanelView panel={panel} />
        </Part>
      ))}
      <Part title="Request" note={detail.headers ? "ids, sizes, headers" : "ids and sizes"} open={false}>
        <Facts facts={requestFacts(detail)} />
        <p class="id-line">
          Id <code>{detail.id}</code> <CopyButton text={detail.id} />
          {detail.parentId ? (
            <>
              {" "}
              · part of <a href={placeHref("requests", detail.parentId)}>{detail.parentId}</a>
            </>
          ) : null}
        </p>
        <HeaderTables detail={detail} />
      </Part>
      <Raw detail={detail} />
    </>
  );
}

function Headline({ detail }: { detail: RequestDetail }) {
  const usual =
    detail.usual && detail.usual.count >= 5
      ? `median ${duration(detail.usual.medianNs)}, p95 ${duration(detail.usual.p95Ns)} of ${detail.usual.count}`
      : null;
  return (
    <Facts
      facts={[
        { name: "Status", value: <Status status={detail.status} /> },
        { name: "Duration", value: <DurationBeside detail={detail} />, note: usual },
        { name: "CPU", value: detail.cpuNs === null ? "not sampled" : duration(detail.cpuNs) },
        { name: "Started", value: <When ms={detail.startedAtMs} />, note: absolute(detail.startedAtMs) },
        {
          name: "Route",
          value: detail.route ? (
            <a href={placeHref("requests", "", { method: detail.method, route: detail.route })}>{detail.route}</a>
          ) : (
            "none"
          ),
        },
      ]}
    />
  );
}

function Raw({ detail }: { detail: RequestDetail }) {
  const text = useMemo(() => JSON.stringify(detail, null, 2), [detail]);
  return (
    <Part title="Raw JSON" open={false}>
      <div class="block">
        <pre class="raw">{text}</pre>
        <CopyButton text={text} />
      </div>
    </Part>
  );
}
