// Requests: the history with its filter in the URL, newest first, held still while new ones wait; one opens as a sheet.
import { useEffect, useRef, useState } from "preact/hooks";
import type { RequestFlag, RequestRow, Requests } from "../api";
import { useApp } from "../app_context";
import { When } from "../columns";
import { compared, count, duration } from "../format";
import { useLive } from "../live";
import { Empty, Status } from "../parts/text";
import { placeHref } from "../route";
import { CapNote, Table, Waiting, type Column } from "../table";
import { PageFrame } from "./page";
import { RequestFilter, kFilterKeys } from "./request_filter";
import { RequestSheet } from "./request_sheet";

const kPageSize = 100;

export function RequestsPage() {
  const { place } = useApp();
  const query = apiQuery(place.query);
  const live = useLive<Requests>(`requests?${query}`);
  return (
    <>
      <PageFrame title="Requests" about="What the history still has, newest first." live={live}>
        {(data) => <List key={query} data={data} />}
      </PageFrame>
      {place.id ? (
        <RequestSheet key={place.id} id={place.id} closeHref={placeHref("requests", "", place.query)} />
      ) : null}
    </>
  );
}

function apiQuery(from: URLSearchParams): string {
  const query = new URLSearchParams();
  for (const key of kFilterKeys) {
    const value = from.get(key);
    if (value) query.set(key, value);
  }
  const offset = Number(from.get("offset"));
  if (offset > 0) query.set("offset", String(Math.floor(offset)));
  query.set("limit", String(kPageSize));
  return query.toString();
}

/** Shows the answer it was given first, until the reader lets newer ones in. */
function useHeldStill(data: Requests): { shown: Requests; fresh: number; show: () => void } {
  const [shown, setShown] = useState(data);
  const newest = useRef(data);
  newest.current = data;
  const known = new Set(shown.items.map((row) => row.id));
  const fresh = data.offset > 0 ? 0 : data.items.filter((row) => !known.has(row.id)).length;
  useEffect(() => {
    if (shown.items.length === 0 && data.items.length > 0) setShown(data);
  }, [data, shown]);
  return { shown, fresh, show: () => setShown(newest.current) };
}

function List({ data }: { data: Requests }) {
  const { place } = useApp();
  const { shown, fresh, show } = useHeldStill(data);
  const words =
    fresh === 0 ? "" : `${count(fresh)}${fresh === data.items.length && fresh === kPageSize ? "+" : ""} new`;
  return (
    <>
      <RequestFilter data={data} />
      <Waiting words={words} onPress={show} />
      <Table
        label="Requests"
        asGiven
        rows={shown.items}
        rowKey={(row) => row.id}
        columns={columnsOf(shown.items)}
        href={(row) => placeHref("requests", row.id, place.query)}
        empty={<NoRequests data={data} />}
      />
      <Paging data={shown} />
      <CapNote total={data.total} shown={shown.items.length} cap={data.cap} what="requests" />
    </>
  );
}

function NoRequests({ data }: { data: Requests }) {
  const { place } = useApp();
  const filtered = kFilterKeys.some((key) => place.query.get(key));
  if (filtered)
    return (
      <Empty>
        None of the {count(data.held)} requests in the history matches.{" "}
        <a href={placeHref("requests")}>Clear the filter</a>
      </Empty>
    );
  if (data.seen > 0) return <Empty>{count(data.seen)} requests came, and none is in the history now.</Empty>;
  return (
    <Empty>
      No request yet. Open a page of your server, or send one with <code>curl</code>; it appears here within two
      seconds.
    </Empty>
  );
}

const kFlagWords: Record<RequestFlag, string> = {
  slow: "▲ slow",
  failed: "✕ failed",
  finding: "▲ finding",
  truncated: "cut",
  aborted: "aborted",
  tls: "TLS",
  subrequest: "sub",
  background: "job",
};

function columnsOf(rows: readonly RequestRow[]): Column<RequestRow>[] {
  const marked = rows.some((row) => row.flags.length > 0);
  return [
    {
      key: "target",
      label: "Request",
      cell: (row) => (
        <>
          <span class="method">{row.method}</span> {row.target}
        </>
      ),
    },
    { key: "status", label: "Status", num: true, cell: (row) => <Status status={row.status} /> },
    { key: "duration", label: "Duration", num: true, cell: (row) => <Took row={row} /> },
    {
      key: "statements",
      label: "Statements",
      num: true,
      cell: (row) =>
        row.statements === 0 ? (
          <span class="quiet">0</span>
        ) : (
          <>
            {count(row.statements)} <small>{duration(row.statementNs)}</small>
          </>
        ),
    },
    {
      key: "errors",
      label: "Errors",
      num: true,
      cell: (row) => (row.errors === 0 ? <span class="quiet">0</span> : <span class="bad-text">✕ {row.errors}</span>),
    },
    ...(marked
      ? [
          {
            key: "flags",
            label: "Marks",
            cell: (row: RequestRow) =>
              row.flags.map((flag) => (
                <span key={flag} class="mark">
                  {kFlagWords[flag]}
                </span>
              )),
          },
        ]
      : []),
    { key: "when", label: "Started", num: true, cell: (row) => <When ms={row.startedAtMs} /> },
  ];
}

function Took({ row }: { row: RequestRow }) {
  const beside = compared(row.durationNs, row.usual);
  return (
    <>
      {duration(row.durationNs)}
      {beside.unusual ? <small class="unusual"> ▲ {beside.text}</small> : null}
    </>
  );
}

function Paging({ data }: { data: Requests }) {
  const { place } = useApp();
  const at = (offset: number): string => {
    const query = new URLSearchParams(place.query);
    if (offset > 0) query.set("offset", String(offset));
    else query.delete("offset");
    return placeHref("requests", "", query);
  };
  const older = data.offset + data.items.length < data.total;
  if (data.offset === 0 && !older) return null;
  return (
    <nav class="paging" aria-label="Pages of the history">
      {data.offset > 0 ? <a href={at(Math.max(0, data.offset - data.limit))}>← Newer</a> : null}
      {older ? <a href={at(data.offset + data.limit)}>Older →</a> : null}
    </nav>
  );
}
