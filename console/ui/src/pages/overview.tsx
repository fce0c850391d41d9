// Overview: is the server well, what stands out, where the time goes. The first page after signing in.
import type { ComponentChildren } from "preact";
import type { Finding, Overview } from "../api";
import { MinuteCharts } from "../chart";
import { kIssueColumns, pick, routeColumns, routeHref, routeKey, statementColumns } from "../columns";
import { bytes, count, counted, duration, percent, rate } from "../format";
import { useLive } from "../live";
import { linkHref, placeHref } from "../route";
import { Table } from "../table";
import { PageFrame } from "./page";

export function OverviewPage() {
  const live = useLive<Overview>("overview");
  return (
    <PageFrame title="Overview" about={serverLine} live={live}>
      {(data) => (
        <>
          <Findings data={data} />
          <Figures data={data} />
          <MinuteCharts minutes={data.minutes} />
          <div class="columns">
            <Block title="Slowest routes" href={placeHref("reports")} more="All routes">
              <Table
                label="Slowest routes"
                sortKey="routes"
                rows={data.slowestRoutes}
                rowKey={routeKey}
                href={routeHref}
                defaultSort="-p95"
                columns={pick(routeColumns(data.slowestRoutes), "route", "requests", "p50", "p95", "failed")}
                empty={<FirstRequest />}
              />
            </Block>
            <Block
              title="Costliest statements"
              href={placeHref("queries")}
              more={`All ${count(data.statements.distinct)}`}
            >
              <Table
                label="Costliest statements"
                sortKey="statements"
                rows={data.statements.top}
                rowKey={(row) => row.fingerprint}
                href={(row) => placeHref("queries", row.fingerprint)}
                defaultSort="-total"
                columns={pick(statementColumns(data.statements.top), "text", "runs", "total", "p95")}
                empty={
                  <p>
                    No statement was reported. A database hook or <code>inlens_statement_begin</code> makes them appear.
                  </p>
                }
              />
            </Block>
          </div>
          <Block title="Newest issues" href={placeHref("issues")} more={`All ${count(data.issues.total)}`}>
            <Table
              label="Newest issues"
              sortKey="issues"
              rows={data.issues.newest}
              rowKey={(row) => row.id}
              href={(row) => placeHref("issues", row.id)}
              defaultSort="-last"
              columns={[kIssueColumns.what, kIssueColumns.count, kIssueColumns.last]}
              empty={<p>No error was reported.</p>}
            />
          </Block>
          <Captions captions={data.captions} />
        </>
      )}
    </PageFrame>
  );
}

function serverLine({ server, nowMs }: Overview): string {
  return [
    `${server.name} ${server.release}`.trim(),
    `pid ${server.pid}`,
    `level ${server.level}`,
    `up ${duration((nowMs - server.startedAtMs) * 1e6)}`,
  ].join(" · ");
}

function FirstRequest() {
  return (
    <p>
      No request yet. Open a page of your server, or send one: <code>curl -i http://localhost:8080/</code> with its own
      port; the answer carries <code>X-Inlens-Id</code>.
    </p>
  );
}

export function Block({
  title,
  href,
  more,
  children,
}: {
  title: string;
  href?: string;
  more?: string;
  children: ComponentChildren;
}) {
  return (
    <section class="block-part">
      <header>
        <h2>{title}</h2>
        {href ? <a href={href}>{more}</a> : null}
      </header>
      {children}
    </section>
  );
}

function Findings({ data }: { data: Overview }) {
  if (data.findings.length === 0) {
    return (
      <p class="all-well">
        <span aria-hidden="true">✓</span> Nothing stands out
        {data.requests.total > 0 ? ` in ${counted(data.requests.total, "request")}` : ""}.
      </p>
    );
  }
  return <FindingList findings={data.findings} />;
}

export function FindingList({ findings }: { findings: Finding[] }) {
  return (
    <ul class="findings">
      {findings.map((finding, at) => {
        const href = linkHref(finding.link);
        return (
          <li key={at}>
            <span aria-hidden="true">▲</span> {href ? <a href={href}>{finding.sentence}</a> : finding.sentence}
          </li>
        );
      })}
    </ul>
  );
}

type Figure = { name: string; value: string; note: string; href?: string };

function figuresOf({ requests, latency, issues, statements }: Overview): Figure[] {
  const failed = requests.statusClasses["5xx"];
  return [
    { name: "Requests", value: count(requests.total), note: rate(requests.perSecond), href: placeHref("requests") },
    { name: "In flight", value: count(requests.inflight), note: "right now", href: placeHref("inflight") },
    {
      name: "5xx",
      value: count(failed),
      note: percent(failed, requests.total),
      href: placeHref("requests", "", { status: "5xx" }),
    },
    {
      name: "Errors",
      value: count(requests.errors),
      note: `${counted(issues.open, "issue")} open`,
      href: placeHref("issues"),
    },
    { name: "Median", value: duration(latency.p50Ns), note: `p95 ${duration(latency.p95Ns)}` },
    { name: "p99", value: duration(latency.p99Ns), note: `max ${duration(latency.maxNs)}` },
    {
      name: "Statements",
      value: count(statements.runs),
      note: duration(statements.totalNs),
      href: placeHref("queries"),
    },
    { name: "Sent", value: bytes(requests.bytesOut), note: `${bytes(requests.bytesIn)} received` },
  ];
}

function Figures({ data }: { data: Overview }) {
  return (
    <ul class="figures">
      {figuresOf(data).map((figure) => (
        <li key={figure.name}>
          <span class="quiet">{figure.href ? <a href={figure.href}>{figure.name}</a> : figure.name}</span>
          <b>{figure.value}</b>
          <small>{figure.note}</small>
        </li>
      ))}
    </ul>
  );
}

function Captions({ captions }: { captions: Overview["captions"] }) {
  return (
    <dl class="captions">
      <div>
        <dt>Recorded</dt>
        <dd>{captions.recorded}</dd>
      </div>
      <div>
        <dt>Masked</dt>
        <dd>{captions.masked}</dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>{captions.cost}</dd>
      </div>
    </dl>
  );
}
