// Issues: errors by cause. The list, and one issue with its first and newest sample side by side.
import { useState } from "preact/hooks";
import type { IssueDetail, IssueSample, Issues } from "../api";
import { useApp } from "../app_context";
import { kIssueColumns, When } from "../columns";
import { count, counted } from "../format";
import { useLive } from "../live";
import { Frames } from "../parts/errors";
import { Empty, Facts } from "../parts/text";
import { placeHref } from "../route";
import { Part, Sheet } from "../sheet";
import { CapNote, Table } from "../table";
import { PageFrame } from "./page";

export function IssuesPage() {
  const { place } = useApp();
  const live = useLive<Issues>("issues");
  return (
    <>
      <PageFrame title="Issues" about="Errors, grouped by their cause." live={live}>
        {(data) => (
          <>
            <Table
              label="Issues"
              rows={data.items}
              rowKey={(row) => row.id}
              columns={Object.values(kIssueColumns)}
              defaultSort="-last"
              href={(row) => placeHref("issues", row.id, place.query)}
              empty={
                <Empty>
                  No error was reported since the server started. Exceptions that leave a handler and{" "}
                  <code>inlens_error_report</code> appear here.
                </Empty>
              }
            />
            <CapNote total={data.total} shown={data.shown} cap={data.cap} what="issues" />
          </>
        )}
      </PageFrame>
      {place.id ? <IssueSheet key={place.id} id={place.id} closeHref={placeHref("issues", "", place.query)} /> : null}
    </>
  );
}

function IssueSheet({ id, closeHref }: { id: string; closeHref: string }) {
  // A resolved issue leaves the list, so nothing is asked about it any more from the question on.
  const [asked, setAsked] = useState(false);
  const [resolved, setResolved] = useState<IssueDetail | null>(null);
  const live = useLive<IssueDetail>(`issues/${encodeURIComponent(id)}`, asked || resolved !== null);
  const issue = resolved ?? live.data;
  return (
    <Sheet
      title={issue ? issue.type || "Overflow" : "Issue"}
      closeHref={closeHref}
      actions={issue ? <Resolve issue={issue} asked={asked} onAsk={setAsked} onDone={setResolved} /> : null}
    >
      {issue ? <Detail issue={issue} /> : <p class="empty">{live.problem?.message ?? "Asking the server…"}</p>}
    </Sheet>
  );
}

type ResolveProps = {
  issue: IssueDetail;
  asked: boolean;
  onAsk: (asked: boolean) => void;
  onDone: (issue: IssueDetail) => void;
};

function Resolve({ issue, asked, onAsk, onDone }: ResolveProps) {
  const { client, session } = useApp();
  const [problem, setProblem] = useState("");
  if (session.role !== "admin" || issue.state === "resolved" || issue.id === "overflow") return null;
  const resolve = async (): Promise<void> => {
    try {
      onDone(await client.change<IssueDetail>("POST", `issues/${issue.id}/resolve`));
    } catch (error) {
      setProblem((error as Error).message);
    }
    onAsk(false);
  };
  if (!asked)
    return (
      <>
        <span class="bad-text" role="status">
          {problem}
        </span>
        <button type="button" class="small" onClick={() => onAsk(true)}>
          Resolve…
        </button>
      </>
    );
  return (
    <span class="confirm" role="group" aria-label="Confirm">
      Resolve <b>{issue.type}</b>?{" "}
      <button type="button" class="small strong" onClick={() => void resolve()}>
        Resolve
      </button>{" "}
      <button type="button" class="small" onClick={() => onAsk(false)}>
        Keep open
      </button>
    </span>
  );
}

function Detail({ issue }: { issue: IssueDetail }) {
  return (
    <>
      <p class="why">{issue.message}</p>
      <Facts
        facts={[
          { name: "Events", value: count(issue.count) },
          {
            name: "State",
            value: issue.state,
            note: issue.resolvedAtMs === null ? null : <When ms={issue.resolvedAtMs} />,
          },
          { name: "First", value: <When ms={issue.firstSeenMs} /> },
          { name: "Last", value: <When ms={issue.lastSeenMs} /> },
          {
            name: "Kind",
            value: issue.kind,
            note: issue.handled ? "the newest one was handled" : "the newest one was not handled",
          },
        ]}
      />
      {issue.swallowed.length > 0 ? (
        <Part title="What it counted" note="the commonest types">
          <ul class="plain-list">
            {issue.swallowed.map((entry) => (
              <li key={entry.type}>
                <b>{entry.type}</b> {counted(entry.count, "event")}
              </li>
            ))}
          </ul>
        </Part>
      ) : null}
      {issue.routes.length > 0 ? (
        <Part title="Routes" note="the commonest first">
          <ul class="plain-list">
            {issue.routes.map((route) => (
              <li key={route}>
                <a href={placeHref("requests", "", { route, error: "1" })}>{route}</a>
              </li>
            ))}
          </ul>
        </Part>
      ) : null}
      <Part title="Samples" note="first, newest, and what differs">
        <div class="samples">
          {issue.samples.map((sample, at) => (
            <Sample key={at} sample={sample} />
          ))}
        </div>
      </Part>
      {issue.groupedBy.length > 0 ? (
        <Part title="Why these are one issue" open={false}>
          <ol class="frames">
            {issue.groupedBy.map((line, at) => (
              <li key={at}>
                <code>{line}</code>
              </li>
            ))}
          </ol>
        </Part>
      ) : null}
    </>
  );
}

const kRoles = { first: "First", newest: "Newest", distinct: "Another context" };

function Sample({ sample }: { sample: IssueSample }) {
  return (
    <article class="sample">
      <h4>
        {kRoles[sample.role]}{" "}
        <span class="quiet">
          <When ms={sample.atMs} />
        </span>
      </h4>
      <p class="message">{sample.message}</p>
      <p class="quiet">
        {[sample.code, sample.handled ? "handled" : "not handled", sample.route, sample.thread]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {sample.target ? (
        <p>
          <code class="line">{sample.target}</code>
        </p>
      ) : null}
      {sample.requestId === null ? (
        <p class="quiet">Outside any request.</p>
      ) : sample.requestHeld ? (
        <p>
          <a href={placeHref("requests", sample.requestId)}>The request</a>
        </p>
      ) : (
        <p class="quiet">Its request was recycled from the history.</p>
      )}
      <Frames frames={sample.frames} />
    </article>
  );
}
