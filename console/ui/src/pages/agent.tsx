// Agent: an honest meter of Inlens itself. What it costs, what it lost and why, and whether its own sums add up.
import type { Agent } from "../api";
import { When } from "../columns";
import { bytes, count, counted, duration, percent } from "../format";
import { useLive } from "../live";
import { Empty, Facts } from "../parts/text";
import { placeHref } from "../route";
import { ShareBar } from "../table";
import { Block } from "./overview";
import { PageFrame } from "./page";

export function AgentPage() {
  const live = useLive<Agent>("agent");
  return (
    <PageFrame title="Agent" about="What Inlens itself costs, what it lost, and whether its sums add up." live={live}>
      {(data) => (
        <>
          <Problems data={data} />
          <Facts
            facts={[
              { name: "Version", value: data.version },
              { name: "Level", value: <a href={placeHref("settings")}>{data.level}</a> },
              { name: "Running since", value: <When ms={data.startedAtMs} /> },
              { name: "Console", value: data.console.address || "no listener" },
              { name: "Config file", value: data.config.file ?? "none" },
              { name: "Clock", value: data.hooks.clock },
            ]}
          />
          <div class="columns">
            <Block title="Details lost">
              <Losses data={data} />
            </Block>
            <Block title="Flood guard">
              <Guard guard={data.guard} />
            </Block>
            <Block title="Own cost">
              <Cost data={data} />
            </Block>
            <Block title="Bounds">
              <Bounds data={data} />
            </Block>
            <Block title="Bar">
              <Bar bar={data.bar} />
            </Block>
            <Block title="Checks">
              <Checks checks={data.checks} />
            </Block>
          </div>
        </>
      )}
    </PageFrame>
  );
}

function Problems({ data }: { data: Agent }) {
  if (data.config.problems.length === 0) return null;
  return (
    <section class="problems" aria-label="Problems in the settings">
      <h2>✕ {counted(data.config.problems.length, "setting")} not taken; the default stands</h2>
      <ul>
        {data.config.problems.map((problem, at) => (
          <li key={at}>
            <code>{problem.key}</code> <span class="quiet">({problem.source})</span> {problem.message}
          </li>
        ))}
      </ul>
    </section>
  );
}

type LossKey = Exclude<keyof Agent["lost"], "total">;

const kLosses: [LossKey, string][] = [
  ["poolEmpty", "no record was free when a request began"],
  ["queueFull", "the work queue was full"],
  ["recordFull", "the record's memory was used up"],
  ["limit", "a cap of one request was reached"],
  ["threadExit", "its thread ended first"],
  ["stopped", "the agent was stopped"],
  ["textUnknown", "a statement's text had not arrived"],
  ["stringCut", "texts shortened; not part of the sum"],
  ["unpaired", "calls that made no sense; not part of the sum"],
];

function Losses({ data }: { data: Agent }) {
  const { lost, lostByKind } = data;
  const kinds = Object.entries(lostByKind).filter(([, value]) => value > 0);
  return (
    <>
      <p class={lost.total > 0 ? "sum bad-text" : "sum"}>
        {lost.total > 0 ? `✕ ${counted(lost.total, "detail")} lost` : "✓ No detail was lost"}
        <small>Request totals are exact all the same.</small>
      </p>
      <table class="plain">
        <tbody>
          {kLosses.map(([key, words]) => (
            <tr key={key}>
              <th scope="row">{key}</th>
              <td class="quiet">{words}</td>
              <td class="num">{count(lost[key])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {kinds.length > 0 ? (
        <p class="note">By kind: {kinds.map(([kind, value]) => `${count(value)} ${kind}`).join(", ")}.</p>
      ) : null}
    </>
  );
}

function Guard({ guard }: { guard: Agent["guard"] }) {
  return (
    <>
      <p class={guard.identityHolds ? "sum" : "sum bad-text"}>
        {guard.identityHolds ? "✓ The sums add up" : "✕ The sums do not add up: a fault of ours"}
      </p>
      <p class="identity">
        <b>{count(guard.seen)}</b> seen = <b>{count(guard.counted)}</b> counted + <b>{count(guard.dropped)}</b> dropped
      </p>
      <p class="identity">
        <b>{count(guard.counted)}</b> counted = <b>{count(guard.issueCounts)}</b> in issues
        {guard.retired > 0 ? `, ${count(guard.retired)} of them in retired ones` : ""}
      </p>
      <Facts
        facts={[
          {
            name: "Issues opened",
            value: count(guard.opened),
            note: `at most ${count(guard.issuesPerMinuteLimit)} a minute`,
          },
          { name: "To overflow", value: count(guard.overflowed), note: `${count(guard.issuesLimit)} issues in all` },
          {
            name: "Most in a second",
            value: count(guard.maxInOneSecond),
            note: `limit ${count(guard.eventsPerSecondLimit)}`,
          },
        ]}
      />
    </>
  );
}

function Cost({ data }: { data: Agent }) {
  const { self, worker, hooks } = data;
  return (
    <>
      <Facts
        facts={[
          {
            name: "CPU",
            value: duration(self.cpuNs),
            note: `${percent(self.cpuNs, self.processCpuNs)} of the process`,
          },
          { name: "Memory", value: bytes(self.memoryBytes), note: `process ${bytes(self.processBytes)}` },
          {
            name: "Worker, per record",
            value: worker.perRecordNs === null ? "no record yet" : duration(worker.perRecordNs),
            note: `${counted(worker.records, "record")} in ${counted(worker.drains, "drain")}`,
          },
          {
            name: "Host threads",
            value: count(hooks.threads),
            note: hooks.caught > 0 ? `✕ ${count(hooks.caught)} of our exceptions stopped` : "no exception of ours",
          },
          { name: "Damaged records", value: count(worker.damaged) },
          { name: "Orphan tasks", value: count(worker.tasksGivenUp), note: "their request did not end in time" },
        ]}
      />
      <table class="plain">
        <tbody>
          {self.threads.map((thread) => (
            <tr key={thread.name}>
              <th scope="row">{thread.name}</th>
              <td class="num">{duration(thread.cpuNs)} CPU</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Meter({ name, used, cap, note }: { name: string; used: number; cap: number; note: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="num">{note}</td>
      <td class="meter">
        <ShareBar part={used} whole={cap} />
      </td>
    </tr>
  );
}

function Bounds({ data }: { data: Agent }) {
  const { queue, pool, stores } = data;
  return (
    <table class="plain">
      <tbody>
        <Meter
          name="work queue"
          used={queue.depth}
          cap={queue.capacity}
          note={`${count(queue.depth)} of ${count(queue.capacity)}`}
        />
        <Meter
          name="record memory"
          used={pool.bytes}
          cap={pool.capBytes}
          note={`${bytes(pool.bytes)} of ${bytes(pool.capBytes)}, ${count(pool.used)} of ${count(pool.blocks)} blocks in use`}
        />
        {stores.map((store) => (
          <Meter
            key={store.name}
            name={store.name}
            used={store.used}
            cap={store.cap}
            note={`${count(store.used)} of ${count(store.cap)}${store.overflowed > 0 ? `, ${count(store.overflowed)} beyond` : ""}`}
          />
        ))}
      </tbody>
    </table>
  );
}

function Bar({ bar }: { bar: Agent["bar"] }) {
  if (!bar.enabled)
    return (
      <Empty>
        The bar is off. <code>bar.enabled</code> turns it on for allowed callers.
      </Empty>
    );
  return (
    <>
      <p class="sum">{counted(bar.decorated, "page")} got the bar</p>
      <table class="plain">
        <tbody>
          {bar.skipped.map((entry) => (
            <tr key={entry.reason}>
              <th scope="row">{entry.reason}</th>
              <td class="num">{count(entry.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const kStates = { ok: "✓", warning: "▲", failed: "✕", off: "–" };

function Checks({ checks }: { checks: Agent["checks"] }) {
  if (checks.length === 0) return <Empty>No check ran.</Empty>;
  return (
    <ul class="checks">
      {checks.map((check) => (
        <li key={check.name} class={check.state}>
          <span title={check.state}>{kStates[check.state]}</span> <b>{check.name}</b> {check.sentence}
          {check.fix ? <small>{check.fix}</small> : null}
        </li>
      ))}
    </ul>
  );
}
