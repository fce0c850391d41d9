// Writes console/ui/src/api.ts from openapi.json: one TypeScript type per schema, descriptions as comments.
// Run by `npm run types`; a test compares the file with what this prints, so the two cannot drift apart.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const kNames = { integer: "number", number: "number", string: "string", boolean: "boolean", null: "null" };

function reference(ref) {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

function unionOf(parts) {
  return [...new Set(parts)].join(" | ");
}

function typeOf(schema, indent) {
  if (schema.$ref) return reference(schema.$ref);
  if (schema.anyOf) return unionOf(schema.anyOf.map((part) => typeOf(part, indent)));
  if (schema.enum) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return unionOf(
    types.map((type) => {
      if (type === "array") return arrayOf(typeOf(schema.items, indent));
      if (type === "object") return objectOf(schema, indent);
      return kNames[type];
    }),
  );
}

function arrayOf(item) {
  return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
}

function objectOf(schema, indent) {
  const inner = `${indent}  `;
  const required = new Set(schema.required ?? []);
  const lines = Object.entries(schema.properties).map(([name, property]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const comment = property.description ? `${inner}/** ${property.description} */\n` : "";
    return `${comment}${inner}${key}${required.has(name) ? "" : "?"}: ${typeOf(property, inner)};`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

export function renderTypes(document) {
  const head =
    "// Generated from console/api/openapi.json by console/api/types.mjs; change that file and run `npm run types`.\n";
  const types = Object.entries(document.components.schemas).map(([name, schema]) => {
    const comment = schema.description ? `/** ${schema.description} */\n` : "";
    return `${comment}export type ${name} = ${typeOf(schema, "")};\n`;
  });
  return `${head}\n${types.join("\n")}`;
}

export function readApi() {
  return JSON.parse(readFileSync(here("openapi.json"), "utf8"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(here("../ui/src/api.ts"), renderTypes(readApi()));
}
