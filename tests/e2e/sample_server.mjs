// Serves the built pages over the sample answers, for looking at them while they are being made and for tests of the
// pages alone:  node tests/e2e/sample_server.mjs <files directory> [port]
// `/page` is a page of somebody's with the bar in it; `/page?hostile` has a style sheet that bends everything;
// `/pages/turbo?id=…` and `/pages/htmx?id=…` lead to another of their kind without leaving the document, `/pages/plain` does.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { kPages, sampleAnswers, sampleDetail, sampleIssue } from "./sample.mjs";

export const kPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const kTypes = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  json: "application/json",
};
const kModules = join(fileURLToPath(import.meta.url), "../../../console/node_modules");
/** Libraries that put a fetched page in place of the one that is shown. */
const kSwappers = {
  turbo: { file: "@hotwired/turbo/dist/turbo.es2017-umd.js", body: "" },
  htmx: { file: "htmx.org/dist/htmx.js", body: " hx-boost:inherited=true" },
  plain: null,
};
const kShellPaths = ["login", ...kPages];
const kHostile =
  "*{all:unset!important}html{font-size:40px;letter-spacing:1em;color:red}div,section,button{display:none!important}inlens-bar{display:none!important;opacity:0!important}";

/** Of a server that calls no other, with nothing attached. */
const kBareAnswers = {
  calls: { total: 0, shown: 0, cap: 200, other: null, items: [] },
  connections: { total: 0, items: [] },
  findings: { server: [], total: 0, shown: 0, requests: [] },
  attached: { items: [] },
};

class SampleServer {
  constructor(files) {
    this.files = files;
    this.signedIn = true;
    this.level = "full";
    this.seen = 812345;
    this.missesLeft = 0;
    this.mute = false;
    this.bare = false;
  }

  answer(request, response) {
    if (this.mute) return response.destroy();
    const url = new URL(request.url, "http://localhost");
    if (url.pathname === "/page") return this.page(url, response);
    if (url.pathname.startsWith("/pages/")) return this.linkedPage(url.pathname.slice("/pages/".length), url, response);
    if (url.pathname.startsWith("/library/"))
      return send(response, 200, readFileSync(join(kModules, kSwappers[url.pathname.slice(9)].file)), kTypes.js);
    if (url.pathname === "/favicon.ico") return send(response, 204, "", "text/plain");
    if (!url.pathname.startsWith("/~inlens/")) return send(response, 404, "", "text/plain");
    const path = url.pathname.slice("/~inlens/".length);
    if (path.startsWith("bar/data/")) return this.barData(path.slice("bar/data/".length), url, response);
    if (path.startsWith("api/") && path !== "api/openapi.json") return this.api(request, path.slice(4), url, response);
    return this.file(path || "index.html", response);
  }

  page(url, response) {
    const style = url.searchParams.has("hostile")
      ? `<style>${kHostile}</style>`
      : "<style>body{font:16px sans-serif;max-width:60ch;margin:2em auto}</style>";
    const id = url.searchParams.get("id") ?? "000000000000000000000000000f4240";
    const body = url.searchParams.has("crowded")
      ? "<button id=own style='position:fixed;right:4px;bottom:4px'>Buy</button>"
      : "";
    send(
      response,
      200,
      `<!doctype html><title>Orders</title>${style}<h1>Orders</h1><p>Somebody's page.</p>${body}<script src="/~inlens/bar/loader.js" data-inlens-id="${id}"></script>`,
      kTypes.html,
      { "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self'" },
    );
  }

  linkedPage(kind, url, response) {
    const swapper = kSwappers[kind];
    const library = swapper
      ? `<script src="/library/${kind}"></script>`
      : "<style>@view-transition{navigation:auto}</style>";
    const id = url.searchParams.get("id");
    const next = (id.startsWith("a") ? "b" : "a").repeat(32);
    send(
      response,
      200,
      `<!doctype html><html><head><title>${id}</title>${library}</head><body${swapper?.body ?? ""}><h1>${id}</h1><a id=next href="/pages/${kind}?id=${next}">next</a><script src="/~inlens/bar/loader.js" data-inlens-id="${id}"></script></body></html>`,
      kTypes.html,
      { "Cache-Control": "no-cache" },
    );
  }

  isMissing() {
    this.missesLeft -= 1;
    return this.missesLeft >= 0;
  }

  barData(id, url, response) {
    if (this.isMissing()) return problem(response, 404, "notYet", "Not here yet.");
    const many = id.startsWith("ffff") ? 10000 : 48;
    return json(response, 200, sampleDetail(id, Date.now(), many));
  }

  api(request, path, url, response) {
    if (path === "session") return this.session(request, response);
    if (!this.signedIn) return problem(response, 401, "unauthorized", "Sign in first.");
    if (request.method === "PUT") return this.change(request, path, response);
    this.seen += 3;
    const answers = { ...sampleAnswers(Date.now(), this.seen, this.level), ...(this.bare ? kBareAnswers : {}) };
    const [name, id] = path.split("/");
    if (name === "requests" && id && this.isMissing()) return problem(response, 404, "notYet", "Not here yet.");
    if (name === "requests" && id)
      return id.startsWith("dead")
        ? problem(response, 404, "recycled", "This request was recycled from the history.")
        : json(response, 200, sampleDetail(id, Date.now()));
    if (name === "issues" && id) return json(response, 200, sampleIssue(answers, id, Date.now()));
    if (name === "requests") return json(response, 200, filtered(answers.requests, url.searchParams));
    return answers[name]
      ? json(response, 200, answers[name])
      : problem(response, 404, "notFound", "There is no such path.");
  }

  session(request, response) {
    if (request.method === "DELETE") {
      this.signedIn = false;
      return send(response, 204, "", "text/plain");
    }
    if (request.method === "GET")
      return this.signedIn
        ? json(response, 200, sampleAnswers(0).session)
        : problem(response, 401, "unauthorized", "No session.");
    return readBody(request, (body) => {
      this.signedIn = body.once === "secret" || body.token === "token";
      return this.signedIn
        ? json(response, 200, sampleAnswers(0).session)
        : problem(response, 401, "unauthorized", "The token is wrong.");
    });
  }

  change(request, path, response) {
    readBody(request, ({ value }) => {
      if (request.headers["x-inlens-csrf"] !== "c5rf")
        return problem(response, 403, "forbidden", "The CSRF token is missing.");
      this.level = value;
      return json(response, 200, sampleAnswers(Date.now(), this.seen, value).settings.items[0]);
    });
  }

  file(path, response) {
    if (kShellPaths.includes(path)) return this.file("index.html", response);
    const full = join(this.files, normalize(`/${path}`));
    if (!existsSync(full)) return problem(response, 404, "notFound", "There is no such file.");
    return send(response, 200, readFileSync(full), kTypes[path.split(".").pop()], {
      "Content-Security-Policy": kPolicy,
    });
  }
}

function filtered(requests, query) {
  const q = (query.get("q") ?? "").toLowerCase();
  const items = requests.items.filter(
    (row) =>
      (row.target.toLowerCase().includes(q) || row.id === q) &&
      (!query.get("status") || String(row.status)[0] === query.get("status")[0]) &&
      (!query.get("route") || row.route === query.get("route")),
  );
  return {
    ...requests,
    items,
    shown: items.length,
    total: items.length === requests.items.length ? requests.total : items.length,
    offset: Number(query.get("offset") ?? 0),
  };
}

function readBody(request, done) {
  let text = "";
  request.on("data", (part) => (text += part)).on("end", () => done(JSON.parse(text || "{}")));
}

function send(response, status, body, type, headers = {}) {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store", ...headers }).end(body);
}

const json = (response, status, value) => send(response, status, JSON.stringify(value), kTypes.json);
const problem = (response, status, code, message) => json(response, status, { error: { code, message } });

export function startSampleServer(files, port = 0) {
  const sample = new SampleServer(files);
  const server = createServer((request, response) => sample.answer(request, response));
  return new Promise((resolve) =>
    server.listen(port, "127.0.0.1", () =>
      resolve({ sample, server, base: `http://127.0.0.1:${server.address().port}` }),
    ),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { base } = await startSampleServer(process.argv[2], Number(process.argv[3] ?? 8090));
  console.log(`${base}/~inlens/ and ${base}/page`);
}
