// Calls: the servers that this one calls, by what they cost in all, and one of them in full.
import type { CallRow, Calls, StatusClasses } from "../api";
import { useApp } from "../app_context";
import { When } from "../columns";
import { bytes, count, counted, duration, percent } from "../format";
import { useLive } from "../live";
import { Empty, Facts, oneLine, type Fact } from "../parts/text";
import { placeHref } from "../route";
import { Part, Sheet } from "../sheet";
import { CapNote, ShareBar, Table, type Column } from "../table";
import { PageFrame } from "./page";

export function CallsPage() {
  const { place } = useApp();
  const live = useLive<Calls>("calls");
  return (
    <PageFrame
      title="Calls"
      about="Servers that this one calls, by what they cost in all; phases are means."
      live={live}
    >
      {(data) => (
        <>
          <Table
            label="Servers called"
            rows={data.items}
            rowKey={(row) => row.server}
            defaultSort="-total"
            href={(row) => placeHref("calls", row.server, place.query)}
            columns={columnsOf(data.items)}
            empty={
              <Empty>
                No outgoing call was reported. A server started with <code>inlens run</code>, or{" "}
                <code>inlens_call_begin</code> around your own calls, makes them appear.
              </Empty>
            }
          />
          {data.other ? (
            <p class="note">
              Other: {counted(data.other.calls, "call")} to servers that found no place, {duration(data.other.totalNs)},{" "}
              {count(data.other.failures)} failed.
            </p>
          ) : null}
          <CapNote total={data.total} shown={data.shown} cap={data.cap} what="servers" />
          {place.id ? (
            <ServerSheet
              row={data.items.find((row) => row.server === place.id)}
              closeHref={placeHref("calls", "", place.query)}
            />
          ) : null}
        </>
      )}
    </PageFrame>
  );
}

type Phase = { key: string; label: string; of: "connection" | "answer"; totalNs: (row: CallRow) => number };

const kPhases: Phase[] = [
  { key: "dns", label: "DNS", of: "connection", totalNs: (row) => row.dnsNs },
  { key: "connect", label: "Connect", of: "connection", totalNs: (row) => row.connectNs },
  { key: "tls", label: "TLS", of: "connection", totalNs: (row) => row.tlsNs },
  { key: "firstByte", label: "First byte", of: "answer", totalNs: (row) => row.firstByteNs },
];

/** Names are looked up and connections opened by some calls only; the mean is over those. 0: none, or unknown. */
function meanNs(phase: Phase, row: CallRow): number {
  const times = phase.of === "connection" ? row.connected : row.calls - row.failures;
  return times > 0 ? phase.totalNs(row) / times : 0;
}

function Mean({ phase, row }: { phase: Phase; row: CallRow }) {
  const ns = meanNs(phase, row);
  return ns > 0 ? <>{duration(ns)}</> : <span class="quiet">none</span>;
}

function Failures({ row }: { row: CallRow }) {
  if (row.failures === 0) return <>0</>;
  return (
    <span class="bad-text">
      ✕ {count(row.failures)} <small>{percent(row.failures, row.calls)}</small>
    </span>
  );
}

function LastRoute({ row }: { row: CallRow }) {
  if (!row.lastRoute) return <span class="quiet">none</span>;
  return (
    <a class="over routes" href={placeHref("requests", "", { route: row.lastRoute })} title="Requests of this route">
      {row.lastRoute}
    </a>
  );
}

function columnsOf(rows: readonly CallRow[]): Column<CallRow>[] {
  const most = Math.max(0, ...rows.map((row) => row.totalNs));
  return [
    {
      key: "server",
      label: "Server",
      sort: (row) => row.server,
      cell: (row) => (
        <span class="issue-what">
          {row.server}
          {row.lastError ? <span class="quiet">last error: {oneLine(row.lastError)}</span> : null}
        </span>
      ),
    },
    { key: "calls", label: "Calls", num: true, sort: (row) => row.calls, cell: (row) => count(row.calls) },
    {
      key: "failures",
      label: "Failed",
      num: true,
      sort: (row) => row.failures,
      cell: (row) => <Failures row={row} />,
    },
    {
      key: "total",
      label: "Total time",
      num: true,
      sort: (row) => row.totalNs,
      cell: (row) => (
        <>
          {duration(row.totalNs)} <ShareBar part={row.totalNs} whole={most} />
        </>
      ),
    },
    { key: "p50", label: "p50", num: true, sort: (row) => row.p50Ns, cell: (row) => duration(row.p50Ns) },
    { key: "p95", label: "p95", num: true, sort: (row) => row.p95Ns, cell: (row) => duration(row.p95Ns) },
    { key: "p99", label: "p99", num: true, sort: (row) => row.p99Ns, cell: (row) => duration(row.p99Ns) },
    ...kPhases.map((phase) => ({
      key: phase.key,
      label: phase.label,
      num: true,
      sort: (row: CallRow) => meanNs(phase, row),
      cell: (row: CallRow) => <Mean phase={phase} row={row} />,
    })),
    { key: "route", label: "Last route", sort: (row) => row.lastRoute ?? "", cell: (row) => <LastRoute row={row} /> },
  ];
}

function ServerSheet({ row, closeHref }: { row: CallRow | undefined; closeHref: string }) {
  return (
    <Sheet title={row ? row.server : "Server"} closeHref={closeHref}>
      {row ? (
        <Detail row={row} />
      ) : (
        <Empty>This server is not in the table: it was never called from here, or it counts as "other".</Empty>
      )}
    </Sheet>
  );
}

function Detail({ row }: { row: CallRow }) {
  return (
    <>
      {row.lastError ? <p class="problem">✕ Last error: {row.lastError}</p> : null}
      <Facts
        facts={[
          { name: "Calls", value: count(row.calls) },
          {
            name: "Failed",
            value: row.failures > 0 ? <span class="bad-text">✕ {count(row.failures)}</span> : "0",
            note: `${percent(row.failures, row.calls)} without an answer`,
          },
          { name: "Total", value: duration(row.totalNs) },
          { name: "Min", value: duration(row.minNs) },
          { name: "p50", value: duration(row.p50Ns) },
          { name: "p95", value: duration(row.p95Ns) },
          { name: "p99", value: duration(row.p99Ns) },
          { name: "Max", value: duration(row.maxNs) },
          { name: "Sent", value: bytes(row.bytesOut) },
          { name: "Received", value: bytes(row.bytesIn) },
          { name: "Last", value: row.lastSeenMs === null ? "never" : <When ms={row.lastSeenMs} /> },
          { name: "Last route", value: <LastRoute row={row} /> },
        ]}
      />
      <Part title="Phases" note={`means; ${counted(row.connected, "call")} opened a connection`}>
        <Facts
          facts={kPhases.map((phase) => ({
            name: phase.label,
            value: <Mean phase={phase} row={row} />,
            note: `per ${phase.of}`,
          }))}
        />
      </Part>
      <Part title="Answers" note="by status">
        <Facts facts={answerFacts(row.statusClasses)} />
      </Part>
    </>
  );
}

function answerFacts(classes: StatusClasses): Fact[] {
  return Object.entries(classes)
    .filter(([, value]) => value > 0)
    .map(([name, value]) => ({ name: name === "other" ? "no status" : name, value: count(value) }));
}
