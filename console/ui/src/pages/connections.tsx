// Connections: what this server holds open to others, and how often it opens anew.
import type { ConnectionRow, Connections } from "../api";
import { count, duration, rate } from "../format";
import { useLive } from "../live";
import { Empty } from "../parts/text";
import { Table, type Column } from "../table";
import { PageFrame } from "./page";

const kColumns: Column<ConnectionRow>[] = [
  {
    key: "target",
    label: "Target",
    sort: (row) => row.target,
    cell: (row) => (row.other ? "Everything that found no place" : row.target),
  },
  { key: "kind", label: "Kind", sort: (row) => row.kind, cell: (row) => row.kind },
  { key: "open", label: "Open", num: true, sort: (row) => row.open, cell: (row) => count(row.open) },
  {
    key: "inUse",
    label: "In use",
    num: true,
    sort: (row) => row.inUse ?? -1,
    cell: (row) => (row.inUse === null ? <span class="quiet">unknown</span> : <>{count(row.inUse)}</>),
  },
  { key: "opened", label: "Opened", num: true, sort: (row) => row.opened, cell: (row) => count(row.opened) },
  {
    key: "rate",
    label: "Last minute",
    num: true,
    sort: (row) => row.openedPerSecond,
    cell: (row) => (row.openedLastMinute === 0 ? <span class="quiet">0/s</span> : rate(row.openedPerSecond)),
  },
  {
    key: "failed",
    label: "Failed",
    num: true,
    sort: (row) => row.failed,
    cell: (row) => (row.failed > 0 ? <span class="bad-text">✕ {count(row.failed)}</span> : <>0</>),
  },
  {
    key: "mean",
    label: "Connect, mean",
    num: true,
    sort: (row) => row.meanConnectNs,
    cell: (row) => (row.meanConnectNs > 0 ? duration(row.meanConnectNs) : <span class="quiet">unknown</span>),
  },
];

export function ConnectionsPage() {
  const live = useLive<Connections>("connections");
  return (
    <PageFrame
      title="Connections"
      about="To other servers and databases: what is open, and how often one is opened."
      live={live}
    >
      {(data) => (
        <Table
          label="Connections"
          rows={data.items}
          rowKey={(row) => (row.other ? "other" : `${row.kind} ${row.target}`)}
          columns={kColumns}
          defaultSort="-opened"
          empty={
            <Empty>
              No connection was reported. A server started with <code>inlens run</code>, or{" "}
              <code>inlens_connection_opened</code> after your own connects, makes them appear.
            </Empty>
          }
        />
      )}
    </PageFrame>
  );
}
