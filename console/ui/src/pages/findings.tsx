// Findings: what stands out on the server as a whole, then in each request that the history still has.
import type { Findings, RequestFinding } from "../api";
import { When } from "../columns";
import { counted } from "../format";
import { useLive } from "../live";
import { Empty } from "../parts/text";
import { kPageTitles, linkHref, parsePlace, placeHref, type Page } from "../route";
import { CapNote, Table, type Column } from "../table";
import { Block, FindingList } from "./overview";
import { PageFrame } from "./page";

export function FindingsPage() {
  const live = useLive<Findings>("findings");
  return (
    <PageFrame title="Findings" about="Facts that stand out, with their figures." live={live}>
      {(data) => (
        <>
          {data.server.length > 0 ? (
            <FindingList findings={data.server} />
          ) : (
            <p class="all-well">
              <span aria-hidden="true">✓</span> Nothing stands out on the server as a whole.
            </p>
          )}
          <Block title={`${counted(data.total, "finding")} of kept requests`}>
            <Table
              label="Findings of kept requests"
              rows={numbered(data.requests)}
              rowKey={(row) => row.key}
              columns={kColumns}
              defaultSort="-when"
              href={(row) => placeHref("requests", row.requestId)}
              empty={
                <Empty>
                  No request in the history has a finding. Repeated, slow and failed statements and calls appear here.
                </Empty>
              }
            />
            <CapNote total={data.total} shown={data.shown} cap={Infinity} what="findings" />
          </Block>
        </>
      )}
    </PageFrame>
  );
}

type Row = RequestFinding & { key: string };

/** One request may have two findings alike, so a row is known by its place among those of its request. */
function numbered(findings: readonly RequestFinding[]): Row[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const at = seen.get(finding.requestId) ?? 0;
    seen.set(finding.requestId, at + 1);
    return { ...finding, key: `${finding.requestId} ${at}` };
  });
}

const kColumns: Column<Row>[] = [
  {
    key: "sentence",
    label: "Finding",
    sort: (row) => row.sentence,
    cell: (row) => <span class="sentence">{row.sentence}</span>,
  },
  { key: "route", label: "Route", sort: (row) => row.route, cell: (row) => <Route route={row.route} /> },
  { key: "more", label: "More", cell: (row) => <More link={row.link} /> },
  { key: "when", label: "Request", num: true, sort: (row) => row.atMs, cell: (row) => <When ms={row.atMs} /> },
];

function Route({ route }: { route: string }) {
  if (!route) return <span class="quiet">none</span>;
  return (
    <a class="over routes" href={placeHref("requests", "", { route })} title="Requests of this route">
      {route}
    </a>
  );
}

/** Where the finding itself leads, beside its request. */
function More({ link }: { link: string | null }) {
  const href = linkHref(link);
  if (!href) return null;
  return (
    <a class="over" href={href}>
      {kPageTitles[parsePlace(href).page as Page]}
    </a>
  );
}
