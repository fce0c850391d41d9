// In flight: what runs right now, and how long it has been running beside what its route usually takes.
import type { Inflight, InflightRow } from "../api";
import { When } from "../columns";
import { count, duration } from "../format";
import { useLive } from "../live";
import { Empty } from "../parts/text";
import { CapNote, Table, type Column } from "../table";
import { PageFrame } from "./page";

function timesUsual(row: InflightRow): number {
  return row.usual && row.usual.count >= 5 && row.usual.medianNs > 0 ? row.elapsedNs / row.usual.medianNs : 0;
}

function Elapsed({ row }: { row: InflightRow }) {
  const times = timesUsual(row);
  return (
    <>
      {duration(row.elapsedNs)}
      {times >= 1.5 ? <small class="unusual"> ▲ {times >= 100 ? count(times) : times.toFixed(1)}× usual</small> : null}
    </>
  );
}

const kColumns: Column<InflightRow>[] = [
  {
    key: "target",
    label: "Request",
    sort: (row) => row.target,
    cell: (row) => (
      <>
        {row.task ? <span class="mark">task</span> : null} <span class="method">{row.method}</span> {row.target}
      </>
    ),
  },
  {
    key: "elapsed",
    label: "Running for",
    num: true,
    sort: (row) => row.elapsedNs,
    cell: (row) => <Elapsed row={row} />,
  },
  {
    key: "usual",
    label: "Usual",
    num: true,
    sort: timesUsual,
    cell: (row) =>
      row.usual && row.usual.count >= 5 ? duration(row.usual.medianNs) : <span class="quiet">none yet</span>,
  },
  {
    key: "span",
    label: "Inside",
    sort: (row) => row.currentSpan ?? row.currentKind ?? "",
    cell: (row) =>
      row.currentKind === null ? (
        <span class="quiet">no open span</span>
      ) : (
        <span class="inside">
          <span class="mark">{row.currentKind}</span> {row.currentSpan}
          {row.currentNs === null ? null : <small> for {duration(row.currentNs)}</small>}
        </span>
      ),
  },
  {
    key: "statements",
    label: "Statements",
    num: true,
    sort: (row) => row.statements,
    cell: (row) => count(row.statements),
  },
  { key: "errors", label: "Errors", num: true, sort: (row) => row.errors, cell: (row) => count(row.errors) },
  { key: "thread", label: "Thread", sort: (row) => row.thread, cell: (row) => row.thread },
  {
    key: "started",
    label: "Started",
    num: true,
    sort: (row) => -row.startedAtMs,
    cell: (row) => <When ms={row.startedAtMs} />,
  },
];

export function InflightPage() {
  const live = useLive<Inflight>("inflight");
  return (
    <PageFrame title="In flight" about="What runs right now, read without disturbing it." live={live}>
      {(data) => (
        <>
          <Table
            label="Requests in flight"
            rows={data.items}
            rowKey={(row) => `${row.id}${row.task ? row.thread : ""}`}
            columns={kColumns}
            defaultSort="-elapsed"
            empty={
              <Empty>
                Nothing runs at this moment. Short requests come and go between two looks; a slow one stays here until
                it ends.
              </Empty>
            }
          />
          <CapNote total={data.total} shown={data.shown} cap={data.cap} what="requests in flight" />
        </>
      )}
    </PageFrame>
  );
}
