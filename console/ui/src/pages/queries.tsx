// Queries: statements by what they cost in all, and one of them in full.
import type { Queries, StatementRow } from "../api";
import { useApp } from "../app_context";
import { pick, SlowestLink, statementColumns, When } from "../columns";
import { count, counted, duration } from "../format";
import { useLive } from "../live";
import { CopyButton, Empty, Facts, Sql } from "../parts/text";
import { placeHref } from "../route";
import { Part, Sheet } from "../sheet";
import { CapNote, Table } from "../table";
import { PageFrame } from "./page";

export function QueriesPage() {
  const { place, setQuery } = useApp();
  const live = useLive<Queries>("queries");
  const wanted = (place.query.get("q") ?? "").toLowerCase();
  return (
    <PageFrame title="Queries" about="Statements with their literals masked, by what they cost in all." live={live}>
      {(data) => {
        const rows = wanted ? data.items.filter((row) => row.text.toLowerCase().includes(wanted)) : data.items;
        const chosen = data.items.find((row) => row.fingerprint === place.id);
        return (
          <>
            <search class="filter">
              <label class="field main">
                <span>Filter</span>
                <input
                  type="search"
                  data-filter=""
                  value={place.query.get("q") ?? ""}
                  placeholder="part of the text"
                  spellcheck={false}
                  autocomplete="off"
                  onInput={(event) => setQuery({ q: event.currentTarget.value })}
                />
              </label>
              <span class="quiet filter-count">
                {counted(data.overall.runs, "run")} of {counted(data.total, "statement")},{" "}
                {duration(data.overall.totalNs)}, {count(data.overall.failures)} failed
              </span>
            </search>
            <Table
              label="Statements"
              rows={rows}
              rowKey={(row) => row.fingerprint}
              defaultSort="-total"
              href={(row) => placeHref("queries", row.fingerprint, place.query)}
              columns={pick(
                statementColumns(data.items),
                "text",
                "runs",
                "total",
                "p50",
                "p95",
                "max",
                "rows",
                "failures",
                "seen",
              )}
              empty={
                wanted ? (
                  <Empty>
                    No statement contains this text. <a href={placeHref("queries")}>Clear the filter</a>
                  </Empty>
                ) : (
                  <Empty>
                    No statement was reported. A database hook, or <code>inlens_statement_begin</code> around your own
                    calls, makes them appear.
                  </Empty>
                )
              }
            />
            {data.other ? (
              <p class="note">
                Other: {counted(data.other.count, "run")} of statements that found no place,{" "}
                {duration(data.other.totalNs)}, {count(data.other.errors)} failed.
              </p>
            ) : null}
            <CapNote total={data.total} shown={rows.length} cap={data.cap} what="statements" />
            {place.id ? <StatementSheet row={chosen} closeHref={placeHref("queries", "", place.query)} /> : null}
          </>
        );
      }}
    </PageFrame>
  );
}

function StatementSheet({ row, closeHref }: { row: StatementRow | undefined; closeHref: string }) {
  return (
    <Sheet title="Statement" closeHref={closeHref}>
      {row ? (
        <Detail row={row} />
      ) : (
        <Empty>This statement is not in the table: it was never run here, or it fell off and counts as "other".</Empty>
      )}
    </Sheet>
  );
}

function Detail({ row }: { row: StatementRow }) {
  return (
    <>
      <div class="block">
        <pre>
          {row.text ? (
            <Sql text={row.text} />
          ) : (
            "The text was lost on its way; it comes back the next time a thread runs the statement."
          )}
        </pre>
        <CopyButton text={row.text} />
      </div>
      <Facts
        facts={[
          { name: "Runs", value: count(row.runs) },
          { name: "Total", value: duration(row.totalNs) },
          { name: "Min", value: duration(row.minNs) },
          { name: "p50", value: duration(row.p50Ns) },
          { name: "p95", value: duration(row.p95Ns) },
          { name: "p99", value: duration(row.p99Ns) },
          { name: "Max", value: <SlowestLink id={row.slowestRequestId} ns={row.maxNs} /> },
          { name: "Rows", value: count(row.rows) },
          { name: "Failed", value: count(row.failures) },
          { name: "Dialect", value: row.dialect },
          { name: "Last", value: <When ms={row.lastSeenMs} /> },
          { name: "Called from", value: row.caller ?? "not captured at this level" },
        ]}
      />
      <Part title="Routes">
        <ul class="plain-list">
          {row.routes.map((route) => (
            <li key={route}>
              <a href={placeHref("requests", "", { route })}>{route}</a>
            </li>
          ))}
        </ul>
      </Part>
      <p class="quiet">
        Fingerprint <code>{row.fingerprint}</code>
      </p>
    </>
  );
}
