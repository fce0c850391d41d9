import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readApi, renderTypes } from "../../../console/api/types.mjs";
import { answerProblems, problemsOf } from "../../e2e/schema.mjs";
import { sampleAnswers, sampleDetail, sampleIssue } from "../../e2e/sample.mjs";
import { kConsole } from "./load.mjs";

const kNow = 1_800_000_000_000;
const api = readApi();

test("the TypeScript types are those of the API description", () => {
  assert.equal(readFileSync(`${kConsole}ui/src/api.ts`, "utf8"), renderTypes(api), "run `npm run types` in console/");
});

test("pages and bar pass the strict type check", () => {
  execFileSync(process.execPath, [`${kConsole}node_modules/typescript/bin/tsc`, "--noEmit", "-p", kConsole], {
    stdio: "pipe",
  });
});

test("every reference in the API description leads somewhere", () => {
  const references = JSON.stringify(api)
    .match(/"#\/components\/[a-z]+\/\w+"/gi)
    .map((text) => JSON.parse(text).split("/").slice(2));
  for (const [kind, name] of references) assert.ok(api.components[kind][name], `${kind}/${name}`);
});

test("every object of the API description is closed", () => {
  const open = Object.entries(api.components.schemas).filter(
    ([, schema]) => schema.type === "object" && schema.additionalProperties !== false,
  );
  assert.deepEqual(open, []);
});

test("the sample answers fit the API description", () => {
  const answers = sampleAnswers(kNow);
  for (const [name, answer] of Object.entries(answers))
    assert.deepEqual(answerProblems(api, `/${name}`, answer), [], name);
  assert.deepEqual(answerProblems(api, "/requests/{id}", sampleDetail("0".repeat(32), kNow)), []);
  assert.deepEqual(answerProblems(api, "/issues/{id}", sampleIssue(answers, answers.issues.items[0].id, kNow)), []);
});

test("the schema check finds a missing, an unknown and a misfit member", () => {
  const schema = { $ref: "#/components/schemas/Latency" };
  assert.deepEqual(problemsOf(api, schema, { p50Ns: 1, p95Ns: -2, p99Ns: 1.5, more: 1 }), [
    "$.maxNs: missing",
    "$.p95Ns: -2 is under 0",
    "$.p99Ns: number instead of integer",
    "$.more: not described",
  ]);
});
