import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleDetail } from "../../e2e/sample.mjs";
import { load } from "./load.mjs";

const { callPhases, timeShares, groupStatements, statementsOf, cutSentence, hasRepeats } = await load("spans.ts");
const { waterfallRows, axisEnd } = await load("waterfall_rows.ts");

const kId = "0".repeat(32);
const detail = (count) => sampleDetail(kId, 1_800_000_000_000, count);

test("the shares of a request add up to its duration", () => {
  const { durationNs } = detail(48);
  const sum = timeShares(detail(48)).reduce((total, share) => total + share.ns, 0);
  assert.ok(Math.abs(sum - durationNs) <= 200, `${sum} of ${durationNs}`);
});

test("work of another thread and timers take no share of the request's time", () => {
  const kinds = timeShares(detail(48)).map((share) => share.kind);
  assert.ok(!kinds.includes("call") && !kinds.includes("timer"));
});

test("the largest share comes first", () => {
  assert.equal(timeShares(detail(48))[0].kind, "statement");
});

test("opening a connection takes a share", () => {
  const share = timeShares(detail(48)).find((candidate) => candidate.kind === "connect");
  assert.deepEqual(share, { kind: "connect", ns: 280_000, count: 1 });
});

const kNoPhases = { dnsNs: null, connectNs: null, tlsNs: null, firstByteNs: null };

test("the phases of a call stand in their order and add up to its duration", () => {
  const call = { ...kNoPhases, firstByteNs: 600, dnsNs: 100, tlsNs: 200 };
  assert.deepEqual(callPhases(call, 1000), [
    { phase: "dns", ns: 100 },
    { phase: "tls", ns: 200 },
    { phase: "firstByte", ns: 600 },
    { phase: "rest", ns: 100 },
  ]);
});

test("a call that told no phase has none, and one that was never ended has no rest", () => {
  assert.deepEqual(callPhases(kNoPhases, 1000), []);
  assert.deepEqual(callPhases({ ...kNoPhases, connectNs: 100 }, null), [{ phase: "connect", ns: 100 }]);
});

test("statements group by fingerprint, the costliest first", () => {
  const groups = groupStatements(statementsOf(detail(48)));
  assert.deepEqual(
    groups.map((group) => [group.runs.length, group.failures, group.readNs]),
    [
      [48, 0, 48 * 90_000],
      [1, 0, 90_000],
      [1, 1, 0],
    ],
  );
});

test("a run of the same statement folds into one row until it is opened", () => {
  const closed = waterfallRows(detail(48), new Set());
  const run = closed.find((row) => row.kind === "run");
  assert.equal(run.size, 48);
  const open = waterfallRows(detail(48), new Set([run.index]));
  assert.equal(open.length, closed.length + 48);
});

test("three of the same statement do not fold", () => {
  assert.ok(!waterfallRows(detail(3), new Set()).some((row) => row.kind === "run"));
});

test("the time axis reaches to the end of a task that outlived its request", () => {
  const late = detail(4);
  late.tasks[0].durationNs = late.durationNs * 2;
  assert.equal(axisEnd(late), late.tasks[0].startNs + late.durationNs * 2);
});

test("a span that was never ended lasts to the end of the request", () => {
  const open = detail(4);
  open.spans = [{ ...open.spans[0], startNs: 1000, durationNs: null }];
  assert.equal(timeShares(open).find((share) => share.kind === "stage").ns, open.durationNs - 1000);
});

test("what a cap left out is said", () => {
  assert.equal(
    cutSentence(detail(100)),
    "The caps of one request left out the detail of 12 statements; the totals include them.",
  );
  const whole = detail(4);
  whole.counts.cut.strings = 0;
  assert.equal(cutSentence(whole), "");
});

test("the N+1 mark follows the server's finding", () => {
  assert.ok(hasRepeats(detail(48)));
  assert.ok(!hasRepeats({ ...detail(48), findings: [] }));
});
