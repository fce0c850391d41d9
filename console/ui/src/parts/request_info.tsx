// What a request was: its line, ids, headers, and the panels the host added. Used by the console's sheet and by the bar.
import type { Header, Panel, RequestDetail } from "../api";
import { absolute, bytes, duration, statusText } from "../format";
import { CopyButton, Empty, Facts, type Fact } from "./text";

export function requestFacts(detail: RequestDetail): Fact[] {
  return [
    { name: "Started", value: absolute(detail.startedAtMs) },
    { name: "CPU", value: detail.cpuNs === null ? "not sampled" : duration(detail.cpuNs) },
    { name: "Received", value: bytes(detail.bytesIn) },
    { name: "Sent", value: bytes(detail.bytesOut) },
    { name: "Type", value: detail.contentType || "not said" },
    { name: "Peer", value: detail.peer || "unknown" },
    { name: "Host", value: detail.host || "not said" },
    { name: "Protocol", value: detail.protocol || "not said" },
    { name: "Thread", value: detail.thread },
    { name: "Level", value: detail.level },
    { name: "Inlens's own cost", value: detail.agentNs === null ? "unknown" : `about ${duration(detail.agentNs)}` },
    { name: "Bar", value: detail.decorated.bar ? "added" : "not added", note: detail.decorated.reason },
  ];
}

export function RequestInfo({ detail }: { detail: RequestDetail }) {
  return (
    <div class="request-info">
      <div class="block">
        <pre>{`${detail.method} ${detail.target}`}</pre>
        <CopyButton text={detail.target} />
      </div>
      <Facts
        facts={[
          { name: "Status", value: statusText(detail.status) },
          { name: "Route", value: detail.route || "none" },
          ...requestFacts(detail),
        ]}
      />
      <p class="id-line">
        Id <code>{detail.id}</code> <CopyButton text={detail.id} />
      </p>
      <HeaderTables detail={detail} />
    </div>
  );
}

export function HeaderTables({ detail }: { detail: RequestDetail }) {
  if (!detail.headers)
    return (
      <Empty>
        Headers are kept from level <code>standard</code> on (<code>collect.level</code>); this request was recorded at{" "}
        <code>{detail.level}</code>.
      </Empty>
    );
  return (
    <div class="headers">
      <HeaderTable title="Request headers" headers={detail.headers.request} />
      <HeaderTable title="Response headers" headers={detail.headers.response} />
    </div>
  );
}

function HeaderTable({ title, headers }: { title: string; headers: Header[] }) {
  return (
    <table class="plain">
      <caption>{title}</caption>
      <tbody>
        {headers.map((header, at) => (
          <tr key={at}>
            <th scope="row">{header.name}</th>
            <td class={header.masked ? "quiet" : ""}>
              {header.value}
              {header.masked ? " (masked)" : ""}
            </td>
          </tr>
        ))}
        {headers.length === 0 ? (
          <tr>
            <td class="quiet">none</td>
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}

export function PanelView({ panel }: { panel: Panel }) {
  return (
    <div class="custom-panel">
      <PanelBody panel={panel} />
    </div>
  );
}

function PanelBody({ panel }: { panel: Panel }) {
  if (panel.kind === "text") return <pre>{panel.rows.map((row) => row.join(" ")).join("\n")}</pre>;
  if (panel.kind === "tree") return <TreeRows panel={panel} />;
  return (
    <table class="plain">
      {panel.columns ? (
        <thead>
          <tr>
            {panel.columns.map((name, at) => (
              <th key={at} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
      ) : null}
      <tbody>
        {panel.rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, column) =>
              panel.kind === "keyValue" && column === 0 ? (
                <th key={column} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={column}>{cell}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TreeRows({ panel }: { panel: Panel }) {
  return (
    <ul class="tree">
      {panel.rows.map((row, at) => (
        <li key={at} style={{ paddingLeft: `${Math.min(panel.depths?.[at] ?? 0, 20) * 16}px` }}>
          <span>{row[0]}</span>
          {row[1] ? <span class="quiet"> {row[1]}</span> : null}
        </li>
      ))}
    </ul>
  );
}
