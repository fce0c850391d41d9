import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleDetail } from "../../e2e/sample.mjs";
import { load } from "./load.mjs";

const { timeShares, groupStatements, statementsOf, cutSentence, hasRepeats } = await load("spans.ts");
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

test("statements group by fingerprint, the costliest first", () => {
  const groups = groupStatements(statementsOf(detail(48)));
  assert.deepEqual(
    groups.map((group) => [group.runs.length, group.failures]),
    [
      [48, 0],
      [1, 0],
      [1, 1],
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
