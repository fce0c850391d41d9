// Reports: ready-made views of the totals, and every route.
import type { Reports, RouteRow, StatementRow } from "../api";
import { MinuteCharts } from "../chart";
import { pick, routeColumns, routeHref, routeKey, statementColumns, When } from "../columns";
import { count, counted, duration } from "../format";
import { useLive } from "../live";
import { Empty } from "../parts/text";
import { placeHref } from "../route";
import { CapNote, Table } from "../table";
import { Block } from "./overview";
import { PageFrame } from "./page";

type RouteView = {
  key: "slowestRoutes" | "busiestRoutes" | "errorRoutes" | "chattyRoutes";
  title: string;
  columns: string[];
  none: string;
};
type StatementView = {
  key: "costlyStatements" | "slowestStatements" | "frequentStatements" | "failedStatements";
  title: string;
  columns: string[];
  none: string;
};

const kRouteViews: RouteView[] = [
  { key: "slowestRoutes", title: "Slowest routes", columns: ["route", "p50", "p95", "max"], none: "No request yet." },
  {
    key: "busiestRoutes",
    title: "Routes that take the most time",
    columns: ["route", "requests", "total"],
    none: "No request yet.",
  },
  {
    key: "errorRoutes",
    title: "Routes with errors",
    columns: ["route", "errors", "failed", "requests"],
    none: "No route had an error.",
  },
  {
    key: "chattyRoutes",
    title: "Routes with the most statements",
    columns: ["route", "statements", "database"],
    none: "No route ran a statement.",
  },
];

const kStatementViews: StatementView[] = [
  {
    key: "costlyStatements",
    title: "Statements that take the most time",
    columns: ["text", "runs", "total"],
    none: "No statement was reported.",
  },
  {
    key: "slowestStatements",
    title: "Slowest statements",
    columns: ["text", "p95", "max"],
    none: "No statement was reported.",
  },
  {
    key: "frequentStatements",
    title: "Most frequent statements",
    columns: ["text", "runs", "p50"],
    none: "No statement was reported.",
  },
  {
    key: "failedStatements",
    title: "Failed statements",
    columns: ["text", "failures", "runs"],
    none: "No statement failed.",
  },
];

export function ReportsPage() {
  const live = useLive<Reports>("reports");
  return (
    <PageFrame title="Reports" about="Ready-made views of the totals since the server started." live={live}>
      {(data) => (
        <>
          <p class="quiet">
            Since <When ms={data.sinceMs} />.
          </p>
          <MinuteCharts minutes={data.minutes} />
          <div class="columns">
            {kRouteViews.map((view) => (
              <RouteBlock key={view.key} view={view} rows={data[view.key]} />
            ))}
            {kStatementViews.map((view) => (
              <StatementBlock key={view.key} view={view} rows={data[view.key]} />
            ))}
          </div>
          <AllRoutes data={data} />
        </>
      )}
    </PageFrame>
  );
}

function RouteBlock({ view, rows }: { view: RouteView; rows: RouteRow[] }) {
  return (
    <Block title={view.title}>
      <Table
        label={view.title}
        asGiven
        sortKey={view.key}
        rows={rows}
        rowKey={routeKey}
        href={routeHref}
        columns={pick(routeColumns(rows), ...view.columns).map(({ sort: _, ...column }) => column)}
        empty={<Empty>{view.none}</Empty>}
      />
    </Block>
  );
}

function StatementBlock({ view, rows }: { view: StatementView; rows: StatementRow[] }) {
  return (
    <Block title={view.title}>
      <Table
        label={view.title}
        asGiven
        sortKey={view.key}
        rows={rows}
        rowKey={(row) => row.fingerprint}
        href={(row) => placeHref("queries", row.fingerprint)}
        columns={pick(statementColumns(rows), ...view.columns).map(({ sort: _, ...column }) => column)}
        empty={<Empty>{view.none}</Empty>}
      />
    </Block>
  );
}

function AllRoutes({ data }: { data: Reports }) {
  const { routes } = data;
  return (
    <Block title="All routes">
      <Table
        label="All routes"
        rows={routes.items}
        rowKey={routeKey}
        href={routeHref}
        defaultSort="-total"
        columns={pick(
          routeColumns(routes.items),
          "route",
          "requests",
          "total",
          "p50",
          "p95",
          "p99",
          "max",
          "failed",
          "refused",
          "errors",
          "statements",
          "database",
          "sent",
        )}
        empty={<Empty>No request yet.</Empty>}
      />
      {routes.other ? (
        <p class="note">
          Other: {counted(routes.other.count, "request")} of routes that found no place,{" "}
          {duration(routes.other.totalNs)}, {count(routes.other.errors)} errors.
        </p>
      ) : null}
      <CapNote total={routes.total} shown={routes.shown} cap={routes.cap} what="routes" />
    </Block>
  );
}
