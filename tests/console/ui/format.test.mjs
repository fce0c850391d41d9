import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const format = await load("format.ts");

test("durations keep three figures and always a unit", () => {
  const shown = [0, 1, 850, 999.7, 12_400, 3_210_000, 999_999, 45_600_000, 1_240_000_000, 119e9].map(format.duration);
  assert.deepEqual(shown, [
    "0 ns",
    "1 ns",
    "850 ns",
    "1 µs",
    "12.4 µs",
    "3.21 ms",
    "1 ms",
    "45.6 ms",
    "1.24 s",
    "119 s",
  ]);
});

test("long durations are two units, without an empty second one", () => {
  assert.deepEqual([200e9, 300e9, 5400e9, 90000e9, 86400e9 * 3].map(format.duration), [
    "3 min 20 s",
    "5 min",
    "1 h 30 min",
    "1 d 1 h",
    "3 d",
  ]);
});

test("sizes step by 1,024", () => {
  assert.deepEqual([0, 512, 1023, 1024, 1536, 16 * 1024 * 1024].map(format.bytes), [
    "0 B",
    "512 B",
    "1023 B",
    "1 KB",
    "1.5 KB",
    "16 MB",
  ]);
});

test("counts are grouped by thousands", () => {
  assert.deepEqual([0, 999, 1000, 12431, 1234567].map(format.count), ["0", "999", "1,000", "12,431", "1,234,567"]);
});

test("a count names one thing in the singular", () => {
  assert.equal(format.counted(1, "query", "queries"), "1 query");
  assert.equal(format.counted(2, "query", "queries"), "2 queries");
});

test("times are relative, and a clock ahead of ours counts as now", () => {
  const now = 1_800_000_000_000;
  assert.deepEqual(
    [-5, 0, 12, 180, 7200, 432000].map((s) => format.ago(now - s * 1000, now)),
    ["now", "now", "12 s ago", "3 min ago", "2 h ago", "5 d ago"],
  );
});

test("a small share is not shown as nothing", () => {
  assert.deepEqual(
    [format.percent(1, 1000), format.percent(0, 10), format.percent(1, 0), format.percent(66, 100)],
    ["< 1 %", "0 %", "0 %", "66 %"],
  );
});

test("a duration is unusual only beyond the route's p95", () => {
  const usual = { medianNs: 10e6, p95Ns: 40e6, count: 100 };
  assert.deepEqual(format.compared(30e6, usual), { text: "as usual", unusual: false });
  assert.deepEqual(format.compared(45e6, usual), { text: "4.5× usual", unusual: true });
  assert.deepEqual(format.compared(4e6, usual), { text: "under usual", unusual: false });
});

test("fewer than five requests are no usual", () => {
  assert.equal(format.compared(45e6, { medianNs: 1e6, p95Ns: 1e6, count: 4 }).text, "no usual yet");
  assert.equal(format.compared(45e6, null).unusual, false);
});
