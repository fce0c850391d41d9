import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { arrange, sortRows } = await load("arrange.ts");
const { kPages, parsePlace, placeHref, linkHref } = await load("route.ts");
const { kPageKeys } = await load("keys.ts");

const row = (key, value) => ({ key, value });
const keyOf = (entry) => entry.key;

test("rows stay in their order while their figures change", () => {
  const arranged = arrange(["a", "b"], [row("b", 9), row("a", 1)], keyOf);
  assert.deepEqual(arranged.shown, [row("a", 1), row("b", 9)]);
  assert.ok(arranged.moved);
});

test("new rows wait and are counted", () => {
  const arranged = arrange(["a"], [row("c", 3), row("a", 1), row("b", 2)], keyOf);
  assert.deepEqual(arranged.shown, [row("a", 1)]);
  assert.equal(arranged.fresh, 2);
  assert.equal(arranged.moved, false);
});

test("rows that are gone leave without moving the others' order", () => {
  const arranged = arrange(["a", "b", "c"], [row("a", 1), row("c", 3)], keyOf);
  assert.deepEqual(arranged.shown, [row("a", 1), row("c", 3)]);
  assert.equal(arranged.fresh, 0);
});

test("numbers sort by value and texts by their numbers", () => {
  assert.deepEqual(sortRows([row("a", 2), row("b", 10)], (entry) => entry.value, true).map(keyOf), ["b", "a"]);
  assert.deepEqual(sortRows([row("w10"), row("w9")], keyOf, false).map(keyOf), ["w9", "w10"]);
});

test("a place survives the way through its link", () => {
  const query = new URLSearchParams({ route: "/a/{id}?x=1&y=#", status: "5xx" });
  const place = parsePlace(placeHref("requests", "ab/c?d", query));
  assert.equal(place.page, "requests");
  assert.equal(place.id, "ab/c?d");
  assert.equal(place.query.get("route"), "/a/{id}?x=1&y=#");
});

test("an empty or broken fragment is still a place", () => {
  assert.equal(parsePlace("").page, "overview");
  assert.equal(parsePlace("#/requests/%E0%A4%A").id, "%E0%A4%A");
});

test("a finding's link leads only to pages of the console", () => {
  assert.equal(linkHref("requests?route=%2Fx"), "#/requests?route=%2Fx");
  assert.equal(linkHref("issues/00aa"), "#/issues/00aa");
  assert.equal(linkHref("calls"), "#/calls");
  assert.equal(linkHref("connections"), "#/connections");
  assert.equal(linkHref("javascript:alert(1)"), null);
  assert.equal(linkHref("https://elsewhere.example/"), null);
  assert.equal(linkHref(null), null);
});

test("each page has a key of its own, and none that moves through rows", () => {
  const keys = kPages.map((page) => kPageKeys[page]);
  assert.equal(new Set([...keys, "j", "k"]).size, keys.length + 2, keys.join(" "));
  for (const key of keys) assert.match(key, /^[a-z]$/);
});
