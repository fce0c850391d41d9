// Holds JSON against a schema of console/api/openapi.json. Knows the keywords that the description says it uses, and
// refuses any other, so that nothing is taken as checked that was not.
import { readFileSync } from "node:fs";

const kKnown = new Set([
  "$ref",
  "type",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "pattern",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "maxLength",
  "anyOf",
]);

export function readApi() {
  return JSON.parse(readFileSync(new URL("../../console/api/openapi.json", import.meta.url), "utf8"));
}

function typeName(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function typeFits(type, value) {
  const name = typeName(value);
  return [type].flat().some((wanted) => wanted === name || (wanted === "number" && name === "integer"));
}

export function problemsOf(api, schema, value, path = "$") {
  const unknown = Object.keys(schema).filter((key) => !kKnown.has(key));
  if (unknown.length > 0) return [`${path}: keyword ${unknown} is not known here`];
  if (schema.$ref) return problemsOf(api, api.components.schemas[schema.$ref.split("/").pop()], value, path);
  if (schema.anyOf)
    return schema.anyOf.some((part) => problemsOf(api, part, value, path).length === 0)
      ? []
      : [`${path}: fits none of anyOf`];
  if (schema.type && !typeFits(schema.type, value)) return [`${path}: ${typeName(value)} instead of ${schema.type}`];
  if (schema.enum && !schema.enum.includes(value))
    return [`${path}: ${JSON.stringify(value)} is not one of ${schema.enum}`];
  if (value === null) return [];
  if (Array.isArray(value)) return arrayProblems(api, schema, value, path);
  if (typeof value === "object") return objectProblems(api, schema, value, path);
  return scalarProblems(schema, value, path);
}

function scalarProblems(schema, value, path) {
  const problems = [];
  if (typeof value === "number" && value < (schema.minimum ?? -Infinity))
    problems.push(`${path}: ${value} is under ${schema.minimum}`);
  if (typeof value === "number" && value > (schema.maximum ?? Infinity))
    problems.push(`${path}: ${value} is over ${schema.maximum}`);
  if (schema.pattern && !new RegExp(schema.pattern).test(value))
    problems.push(`${path}: "${value}" does not match ${schema.pattern}`);
  if (typeof value === "string" && value.length > (schema.maxLength ?? Infinity)) problems.push(`${path}: too long`);
  return problems;
}

function arrayProblems(api, schema, value, path) {
  const problems = value.flatMap((item, at) =>
    schema.items ? problemsOf(api, schema.items, item, `${path}[${at}]`) : [],
  );
  if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity))
    problems.push(`${path}: ${value.length} items`);
  return problems;
}

function objectProblems(api, schema, value, path) {
  const properties = schema.properties ?? {};
  const problems = (schema.required ?? []).filter((key) => !(key in value)).map((key) => `${path}.${key}: missing`);
  for (const [key, inner] of Object.entries(value)) {
    if (key in properties) problems.push(...problemsOf(api, properties[key], inner, `${path}.${key}`));
    else if (schema.additionalProperties === false) problems.push(`${path}.${key}: not described`);
  }
  return problems;
}

/** The problems of an answer to `GET /path` below the API's base, or of the named schema. */
export function answerProblems(api, path, value) {
  const schema = api.paths[path].get.responses["200"].content["application/json"].schema;
  return problemsOf(api, schema, value);
}
