// Imports a TypeScript module of the console: bundled by the same esbuild that builds the pages.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export const kConsole = fileURLToPath(new URL("../../../console/", import.meta.url));
const { buildSync } = createRequire(`${kConsole}package.json`)("esbuild");

export function load(module) {
  const built = buildSync({
    entryPoints: [`${kConsole}ui/src/${module}`],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
  });
  return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);
}
