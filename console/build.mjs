// Builds the console's pages and the bar, and turns them into one C++ source:
//   node build.mjs --out <directory> [--depfile <file>]
// Writes files/ (as they are served), assets.bin (all of them, plain and compressed) and embedded_assets.cpp (the table
// over assets.bin). Runs `npm ci` first when node_modules does not belong to package-lock.json. Fails when a bundle
// outgrows its budget.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { writeEmbedded } from "./embed.mjs";

const kHere = dirname(fileURLToPath(import.meta.url));
const kTargets = ["chrome123", "firefox121", "safari17.5"];
const kNotice = "/*! Contains Preact, (c) 2015-present Jason Miller, MIT licence. */";
const kLoaderBytes = 1024;
const kBarBytes = 40 * 1024;
const kConsoleBytes = 150 * 1024;

function installPackages() {
  const lock = join(kHere, "package-lock.json");
  const installed = join(kHere, "node_modules/.package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log("console: npm ci");
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: kHere, stdio: "inherit" });
}

function hashOf(bytes) {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

function options(entry, extra) {
  return {
    entryPoints: [join(kHere, entry)],
    absWorkingDir: kHere,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    charset: "utf8",
    target: kTargets,
    legalComments: "none",
    logLevel: "warning",
    outdir: "out",
    ...extra,
  };
}

/** `import css from "css:./x.css"`: the sheet, bundled and minified, as a string. */
function cssTextPlugin(esbuild, inputs) {
  return {
    name: "css-text",
    setup(build) {
      build.onResolve({ filter: /^css:/ }, (args) => ({
        path: join(args.resolveDir, args.path.slice(4)),
        namespace: "css-text",
      }));
      build.onLoad({ filter: /.*/, namespace: "css-text" }, async (args) => {
        const sheet = await esbuild.build(options(relative(kHere, args.path), {}));
        Object.keys(sheet.metafile.inputs).forEach((input) => inputs.add(input));
        return { contents: sheet.outputFiles[0].text.trim(), loader: "text" };
      });
    },
  };
}

class Builder {
  constructor(esbuild) {
    this.esbuild = esbuild;
    this.inputs = new Set([
      "api/openapi.json",
      "ui/index.html",
      "ui/icon.svg",
      "build.mjs",
      "embed.mjs",
      "package-lock.json",
      "tsconfig.json",
    ]);
    this.assets = [];
  }

  async bundle(entry, extra) {
    const result = await this.esbuild.build(
      options(entry, { ...extra, plugins: [cssTextPlugin(this.esbuild, this.inputs)] }),
    );
    Object.keys(result.metafile.inputs)
      .filter((input) => !input.startsWith("css-text:"))
      .forEach((input) => this.inputs.add(input));
    return Buffer.from(result.outputFiles[0].contents);
  }

  /** Adds a file; with `hashed` its name carries its content's hash and never changes its meaning. Returns the name. */
  add(path, contentType, bytes, hashed) {
    const hash = hashOf(bytes);
    const dot = path.lastIndexOf(".");
    const name = hashed ? `${path.slice(0, dot)}.${hash}${path.slice(dot)}` : path;
    this.assets.push({ path: name, contentType, hash, immutable: hashed, bytes, gzip: gzipSync(bytes, { level: 9 }) });
    return name;
  }
}

const kScript = "text/javascript; charset=utf-8";

async function buildBar(builder) {
  const bar = await builder.bundle("bar/src/bar.tsx", { format: "iife", banner: { js: kNotice } });
  const name = builder.add("bar/bar.js", kScript, bar, true);
  const loader = await builder.bundle("bar/src/loader.ts", {
    format: "iife",
    define: { kBarFile: JSON.stringify(name.slice("bar/".length)) },
  });
  builder.add("bar/loader.js", kScript, loader, false);
}

async function buildConsole(builder) {
  const script = builder.add(
    "assets/app.js",
    kScript,
    await builder.bundle("ui/src/app.tsx", { format: "esm", banner: { js: kNotice } }),
    true,
  );
  const style = builder.add(
    "assets/app.css",
    "text/css; charset=utf-8",
    await builder.bundle("ui/src/styles/app.css", {}),
    true,
  );
  const icon = builder.add("assets/icon.svg", "image/svg+xml", readFileSync(join(kHere, "ui/icon.svg")), true);
  const page = readFileSync(join(kHere, "ui/index.html"), "utf8")
    .replace("%script%", script)
    .replace("%style%", style)
    .replace("%icon%", icon);
  builder.add("index.html", "text/html; charset=utf-8", Buffer.from(page), false);
  const api = JSON.stringify(JSON.parse(readFileSync(join(kHere, "api/openapi.json"), "utf8")));
  builder.add("api/openapi.json", "application/json", Buffer.from(api), false);
}

function checkBudgets(assets) {
  const compressed = (wanted) => assets.filter(wanted).reduce((sum, asset) => sum + asset.gzip.length, 0);
  const loader = assets.find((asset) => asset.path === "bar/loader.js").bytes.length;
  const rows = [
    ["bar loader, bytes", loader, kLoaderBytes],
    ["bar, compressed bytes", compressed((asset) => asset.path.startsWith("bar/")), kBarBytes],
    ["console, compressed bytes", compressed((asset) => !/^(bar|api)\//.test(asset.path)), kConsoleBytes],
  ];
  for (const [name, size, budget] of rows) {
    console.log(`console: ${name}: ${size} of ${budget}`);
    if (size > budget) throw new Error(`${name}: ${size} is over the budget of ${budget}`);
  }
}

function writeFiles(out, assets) {
  rmSync(join(out, "files"), { recursive: true, force: true });
  for (const asset of assets) {
    const path = join(out, "files", asset.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, asset.bytes);
  }
}

function writeDepfile(file, out, inputs) {
  const escape = (path) => path.replace(/ /g, "\\ ");
  const own = [...inputs]
    .filter((input) => !input.includes("node_modules/"))
    .map((input) => escape(resolve(kHere, input)));
  writeFileSync(file, `${escape(join(out, "embedded_assets.cpp"))}: ${own.join(" ")}\n`);
}

function argument(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
}

async function main() {
  const out = resolve(argument("out", join(kHere, "../build/console")));
  installPackages();
  const builder = new Builder(await import("esbuild"));
  await buildConsole(builder);
  await buildBar(builder);
  checkBudgets(builder.assets);
  writeFiles(out, builder.assets);
  writeEmbedded(out, builder.assets);
  const depfile = argument("depfile", "");
  if (depfile) writeDepfile(depfile, out, builder.inputs);
}

await main();
