// Columns that several tables share: routes, statements and issues look the same wherever they stand.
import type { IssueRow, RouteRow, StatementRow } from "./api";
import { absolute, ago, bytes, count, duration, percent } from "./format";
import { oneLine } from "./parts/text";
import { placeHref } from "./route";
import { ShareBar, type Column } from "./table";

export function When({ ms }: { ms: number }) {
  return (
    <time dateTime={new Date(ms).toISOString()} title={absolute(ms)}>
      {ago(ms, Date.now())}
    </time>
  );
}

export function routeKey(row: RouteRow): string {
  return `${row.method} ${row.route}`;
}

export function routeHref(row: RouteRow): string {
  return placeHref("requests", "", { method: row.method, route: row.route });
}

export function routeColumns(rows: readonly RouteRow[]): Record<string, Column<RouteRow>> {
  const most = Math.max(0, ...rows.map((row) => row.totalNs));
  return {
    route: {
      key: "route",
      label: "Route",
      sort: (row) => row.route,
      cell: (row) => (
        <>
          <span class="method">{row.method}</span> {row.route}
        </>
      ),
    },
    requests: {
      key: "requests",
      label: "Requests",
      num: true,
      sort: (row) => row.requests,
      cell: (row) => count(row.requests),
    },
    total: {
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
    p50: { key: "p50", label: "p50", num: true, sort: (row) => row.p50Ns, cell: (row) => duration(row.p50Ns) },
    p95: { key: "p95", label: "p95", num: true, sort: (row) => row.p95Ns, cell: (row) => duration(row.p95Ns) },
    p99: { key: "p99", label: "p99", num: true, sort: (row) => row.p99Ns, cell: (row) => duration(row.p99Ns) },
    max: {
      key: "max",
      label: "Max",
      num: true,
      sort: (row) => row.maxNs,
      cell: (row) => <SlowestLink id={row.slowestRequestId} ns={row.maxNs} />,
    },
    failed: {
      key: "failed",
      label: "5xx",
      num: true,
      sort: (row) => row.statusClasses["5xx"],
      cell: (row) => <Bad value={row.statusClasses["5xx"]} of={row.requests} />,
    },
    refused: {
      key: "refused",
      label: "4xx",
      num: true,
      sort: (row) => row.statusClasses["4xx"],
      cell: (row) => count(row.statusClasses["4xx"]),
    },
    errors: { key: "errors", label: "Errors", num: true, sort: (row) => row.errors, cell: (row) => count(row.errors) },
    statements: {
      key: "statements",
      label: "Statements each",
      num: true,
      sort: (row) => perRequest(row),
      cell: (row) => perRequest(row).toFixed(1).replace(/\.0$/, ""),
    },
    database: {
      key: "database",
      label: "In statements",
      num: true,
      sort: (row) => row.statementNs / Math.max(1, row.totalNs),
      cell: (row) => percent(row.statementNs, row.totalNs),
    },
    sent: { key: "sent", label: "Sent", num: true, sort: (row) => row.bytesOut, cell: (row) => bytes(row.bytesOut) },
  };
}

function perRequest(row: RouteRow): number {
  return row.requests > 0 ? row.statements / row.requests : 0;
}

function Bad({ value, of }: { value: number; of: number }) {
  return value === 0 ? (
    <>0</>
  ) : (
    <span class="bad-text">
      ✕ {count(value)} <small>{percent(value, of)}</small>
    </span>
  );
}

/** The largest figure, as a link to the request that made it while the history still has it. */
export function SlowestLink({ id, ns }: { id: string | null; ns: number }) {
  return id ? (
    <a class="over" href={placeHref("requests", id)} title="The slowest one that the history still has">
      {duration(ns)}
    </a>
  ) : (
    <>{duration(ns)}</>
  );
}

export function statementColumns(rows: readonly StatementRow[]): Record<string, Column<StatementRow>> {
  const most = Math.max(0, ...rows.map((row) => row.totalNs));
  return {
    text: {
      key: "text",
      label: "Statement",
      sort: (row) => row.text,
      cell: (row) => <code class="line">{oneLine(row.text) || `text lost (${row.fingerprint})`}</code>,
    },
    runs: { key: "runs", label: "Runs", num: true, sort: (row) => row.runs, cell: (row) => count(row.runs) },
    total: {
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
    p50: { key: "p50", label: "p50", num: true, sort: (row) => row.p50Ns, cell: (row) => duration(row.p50Ns) },
    p95: { key: "p95", label: "p95", num: true, sort: (row) => row.p95Ns, cell: (row) => duration(row.p95Ns) },
    max: {
      key: "max",
      label: "Max",
      num: true,
      sort: (row) => row.maxNs,
      cell: (row) => <SlowestLink id={row.slowestRequestId} ns={row.maxNs} />,
    },
    rows: { key: "rows", label: "Rows", num: true, sort: (row) => row.rows, cell: (row) => count(row.rows) },
    failures: {
      key: "failures",
      label: "Failed",
      num: true,
      sort: (row) => row.failures,
      cell: (row) => (row.failures > 0 ? <span class="bad-text">✕ {count(row.failures)}</span> : <>0</>),
    },
    dialect: { key: "dialect", label: "Dialect", sort: (row) => row.dialect, cell: (row) => row.dialect },
    seen: {
      key: "seen",
      label: "Last",
      num: true,
      sort: (row) => row.lastSeenMs,
      cell: (row) => <When ms={row.lastSeenMs} />,
    },
  };
}

export const kIssueColumns: Record<"what" | "count" | "first" | "last" | "routes" | "state", Column<IssueRow>> = {
  what: {
    key: "what",
    label: "Issue",
    sort: (row) => row.type,
    cell: (row) => (
      <span class="issue-what">
        <b>{row.id === "overflow" ? "Everything that found no place" : row.type}</b>{" "}
        <span class="quiet">{oneLine(row.message)}</span>
      </span>
    ),
  },
  count: { key: "count", label: "Events", num: true, sort: (row) => row.count, cell: (row) => count(row.count) },
  first: {
    key: "first",
    label: "First",
    num: true,
    sort: (row) => row.firstSeenMs,
    cell: (row) => <When ms={row.firstSeenMs} />,
  },
  last: {
    key: "last",
    label: "Last",
    num: true,
    sort: (row) => row.lastSeenMs,
    cell: (row) => <When ms={row.lastSeenMs} />,
  },
  routes: {
    key: "routes",
    label: "Routes",
    cell: (row) => (
      <span class="quiet routes">
        {row.routes.length > 2
          ? `${row.routes.slice(0, 2).join(", ")} +${row.routes.length - 2}`
          : row.routes.join(", ")}
      </span>
    ),
  },
  state: {
    key: "state",
    label: "State",
    sort: (row) => row.state,
    cell: (row) => (
      <span class="mark">{row.state === "resolved" ? "✓ resolved" : row.handled ? "handled" : "unhandled"}</span>
    ),
  },
};

export function pick<T>(all: Record<string, Column<T>>, ...names: string[]): Column<T>[] {
  return names.flatMap((name) => all[name] ?? []);
}
