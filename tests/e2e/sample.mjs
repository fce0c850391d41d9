// Sample answers of the API for looking at the pages without a server: ordinary figures, long lists, and markup in every
// text. Made by a seeded generator, so that each run shows the same.
export const kCanary = "</script><img src=x onerror=window.hit=1>";
export const kPages = [
  "overview",
  "findings",
  "requests",
  "inflight",
  "issues",
  "queries",
  "calls",
  "connections",
  "reports",
  "attached",
  "agent",
  "settings",
];

function seeded(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const hex = (random, digits) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("");

const kTexts = [
  "SELECT id, name, price_cents FROM products WHERE category_id = ? ORDER BY name LIMIT ?",
  "SELECT o.id, o.created_at, c.name FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.state = ? ORDER BY o.created_at DESC LIMIT ?",
  "SELECT product_id, quantity, price_cents FROM order_items WHERE order_id = ?",
  "INSERT INTO orders (customer_id, state, created_at) VALUES (?, ?, ?)",
  "UPDATE stock SET quantity = quantity - ? WHERE product_id = ? AND quantity >= ?",
  "WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + ? FROM n WHERE i < ?) SELECT count(*) FROM n",
  `SELECT '${kCanary}' AS markup`,
];

const kRoutes = [
  ["GET", "/", 0.8],
  ["GET", "/products", 3.1],
  ["GET", "/orders", 46],
  ["POST", "/checkout", 18],
  ["GET", "/slow-sql", 240],
  ["GET", "/api/products", 1.2],
  ["GET", "/products/{id}", 2.2],
  ["GET", "/bug", 1.4],
  ["GET", "/cpu", 52],
  ["GET", `/markup/${kCanary}`, 1],
];

const classes = (total, bad) => ({ "1xx": 0, "2xx": total - bad - 20, "3xx": 12, "4xx": 8, "5xx": bad, other: 0 });

function routeRow(random, [method, route, ms], nowMs) {
  const requests = 40 + Math.floor(random() * 4000);
  const bad = route === "/bug" ? requests - 20 : 0;
  return {
    method,
    route,
    requests,
    errors: bad,
    statusClasses: classes(requests, bad),
    bytesOut: requests * 5120,
    totalNs: Math.round(requests * ms * 1e6),
    minNs: Math.round(ms * 4e5),
    maxNs: Math.round(ms * 9e6),
    p50Ns: Math.round(ms * 1e6),
    p95Ns: Math.round(ms * 2.2e6),
    p99Ns: Math.round(ms * 4e6),
    statements: requests * (route === "/orders" ? 49 : 2),
    statementNs: Math.round(requests * ms * 6e5),
    lastSeenMs: nowMs - 3000,
    slowestRequestId: hex(random, 32),
  };
}

function statementRow(random, text, nowMs, at) {
  const runs = 20 + Math.floor((random() * 90000) / (at + 1));
  const mean = 30000 + random() * 3e6 * (text.startsWith("WITH") ? 80 : 1);
  return {
    fingerprint: hex(random, 16),
    text,
    dialect: "sqlite",
    runs,
    failures: at === 4 ? 3 : 0,
    rows: runs * 7,
    totalNs: Math.round(runs * mean),
    minNs: Math.round(mean * 0.4),
    maxNs: Math.round(mean * 12),
    p50Ns: Math.round(mean * 0.9),
    p95Ns: Math.round(mean * 2.1),
    p99Ns: Math.round(mean * 5),
    routes: ["/orders", "/products"],
    caller: at % 2 ? "orders.cpp:88" : null,
    lastSeenMs: nowMs - 8000 * at,
    slowestRequestId: at % 3 ? hex(random, 32) : null,
  };
}

function issueRow(random, nowMs, at) {
  const types = ["std::runtime_error", "shop::PaymentRefused", "std::out_of_range", "sqlite::Busy", kCanary];
  return {
    id: at === 5 ? "overflow" : hex(random, 16),
    kind: at === 5 ? "overflow" : "error",
    type: at === 5 ? "overflow" : types[at % types.length],
    message: at === 4 ? kCanary : "basket 4711: item 12 has no price",
    count: 1 + Math.floor(random() * 4000),
    handled: at === 1,
    firstSeenMs: nowMs - 7200000,
    lastSeenMs: nowMs - 5000 * (at + 1),
    state: at === 3 ? "resolved" : "open",
    routes: ["/bug", "/checkout", "/orders"].slice(0, 1 + (at % 3)),
  };
}

const usual = (ms, count = 912) => ({ medianNs: Math.round(ms * 1e6), p95Ns: Math.round(ms * 2.2e6), count });

function span(kind, name, startMs, durationMs, extra = {}) {
  return {
    kind,
    name,
    startNs: Math.round(startMs * 1e6),
    durationNs: durationMs === null ? null : Math.round(durationMs * 1e6),
    depth: 0,
    parent: null,
    task: null,
    statement: null,
    call: null,
    ...extra,
  };
}

function statementSpan(text, fingerprint, startMs, durationMs, extra = {}) {
  const { failed = false, ...rest } = extra;
  return span("statement", "statement", startMs, durationMs, {
    statement: {
      fingerprint,
      text,
      dialect: "sqlite",
      database: "shop.db",
      rows: failed ? null : 3,
      failed,
      errorCode: failed ? "5" : null,
      errorMessage: failed ? `database is locked ${kCanary}` : null,
      readNs: failed ? null : 90_000,
      caller: "orders.cpp:88",
    },
    ...rest,
  });
}

/** The N+1 page: stages around 49 statements, a call on another thread, a failed statement, every kind of panel. */
export function sampleDetail(id, nowMs, manyStatements = 48) {
  const spans = [
    span("stage", "session", 0.02, 0.4),
    span("cache", "session 81f", 0.1, 0.12, { depth: 1, parent: 0 }),
    span("stage", "handler /orders", 0.5, 44.5),
    statementSpan(kTexts[1], "00000000000000a1", 0.9, 2.4, { depth: 1, parent: 2 }),
  ];
  spans.push(span("connect", `postgresql 127.0.0.1:5432/shop ${kCanary}`, 3.3, 0.28, { depth: 1, parent: 2 }));
  const step = 30 / manyStatements;
  for (let at = 0; at < manyStatements; at += 1)
    spans.push(statementSpan(kTexts[2], "00000000000000a2", 3.6 + at * step, step * 0.8, { depth: 1, parent: 2 }));
  spans.push(span("wait", "mutex catalog, held by /export", 34.4, 4.2, { depth: 1, parent: 2 }));
  spans.push(
    span("call", "call", 4, 22, {
      depth: 0,
      task: 0,
      call: {
        method: "GET",
        url: "http://127.0.0.1:8081/rates?key=(masked)",
        status: 200,
        bytesOut: 0,
        bytesIn: 4210,
        failed: false,
        errorCode: null,
        errorMessage: null,
        dnsNs: 800_000,
        connectNs: 1_200_000,
        tlsNs: null,
        firstByteNs: 18_000_000,
        caller: "shop::Rates::fetch()",
      },
    }),
    span("call", "call", 26.02, 0.15, {
      task: 0,
      call: {
        method: "GET",
        url: `https://stock.example/${kCanary}`,
        status: null,
        bytesOut: null,
        bytesIn: null,
        failed: true,
        errorCode: `CURLE_COULDNT_CONNECT ${kCanary}`,
        errorMessage: `Couldn't connect to server ${kCanary}`,
        dnsNs: null,
        connectNs: null,
        tlsNs: null,
        firstByteNs: null,
        caller: null,
      },
    }),
  );
  spans.push(statementSpan(kTexts[4], "00000000000000a3", 39, 1.2, { depth: 1, parent: 2, failed: true }));
  spans.push(
    span("scope", `render ${kCanary}`, 41, 3.8, { depth: 1, parent: 2 }),
    span("timer", "template", 41.2, 3.1, { depth: 2, parent: spans.length - 1 }),
  );
  const statements = manyStatements + 2;
  return {
    id,
    method: "GET",
    target: `/orders?page=2&q=${kCanary}`,
    route: "/orders",
    status: 200,
    startedAtMs: nowMs - 4200,
    durationNs: 45600000,
    cpuNs: 11200000,
    bytesIn: 0,
    bytesOut: 18432,
    peer: "127.0.0.1",
    host: "127.0.0.1:8080",
    protocol: "HTTP/1.1",
    contentType: "text/html; charset=utf-8",
    parentId: null,
    level: "full",
    thread: `shop-worker-2 ${kCanary}`,
    flags: ["slow", "finding"],
    why: `45.6 ms: 66 % in ${manyStatements} × the same SELECT from orders.cpp:88, 9 % waiting for mutex catalog held by /export.`,
    usual: usual(13.4),
    agentNs: 12100,
    spans,
    errors: [
      {
        type: "sqlite::Busy",
        message: kCanary,
        code: "5",
        handled: true,
        atNs: 40200000,
        issueId: "00000000000000b1",
        frames: [
          {
            function: "shop::Stock::take(int, int)",
            module: "inlens-shop",
            file: "perf/shop/stock.cpp",
            line: 41,
            inApp: true,
          },
          { function: "sqlite3_step", module: "libsqlite3.so.0", file: null, line: null, inApp: false },
        ],
      },
    ],
    messages: [
      { severity: "debug", text: "basket has 3 items", atNs: 300000 },
      { severity: "warning", text: `stock low ${kCanary}`, atNs: 39100000 },
      { severity: "error", text: "took stock on the second try", atNs: 41000000 },
    ],
    timers: [
      { name: "template", count: 1, totalNs: 3100000, maxNs: 3100000 },
      { name: "price", count: 12, totalNs: 840000, maxNs: 120000 },
    ],
    panels: [
      {
        kind: "table",
        title: "Basket",
        columns: ["Item", "Qty", kCanary],
        depths: null,
        rows: [
          ["Lamp", "2", "19.90"],
          [kCanary, "1", "4.00"],
        ],
      },
      {
        kind: "keyValue",
        title: "Customer",
        columns: null,
        depths: null,
        rows: [
          ["name", kCanary],
          ["segment", "regular"],
        ],
      },
      {
        kind: "tree",
        title: "Templates",
        columns: null,
        depths: [0, 1, 1, 2],
        rows: [
          ["page.html", "3.8 ms"],
          ["header.html", "0.4 ms"],
          ["orders.html", "3.1 ms"],
          ["row.html ×20", "2.2 ms"],
        ],
      },
      {
        kind: "text",
        title: "Plan",
        columns: null,
        depths: null,
        rows: [["SCAN orders\nSEARCH customers USING INTEGER PRIMARY KEY (rowid=?)"]],
      },
    ],
    headers: {
      request: [
        { name: "Host", value: "127.0.0.1:8080", masked: false },
        { name: "Cookie", value: "session=***", masked: true },
      ],
      response: [{ name: "Content-Type", value: "text/html; charset=utf-8", masked: false }],
    },
    tasks: [{ name: "exchange rates", thread: "pool-1", startNs: 3900000, durationNs: 22300000, cpuNs: null }],
    counts: {
      spans: spans.length,
      statements,
      statementNs: 33600000,
      failedStatements: 1,
      calls: 2,
      callNs: 22150000,
      errors: 1,
      messages: 3,
      cut: {
        spans: manyStatements > 60 ? 12 : 0,
        statements: manyStatements > 60 ? 12 : 0,
        errors: 0,
        messages: 0,
        strings: 1,
      },
    },
    decorated: { bar: true, reason: "before the end of the body" },
    findings: [
      {
        kind: "nPlusOne",
        sentence: `${manyStatements} × the same SELECT on order_items, 30 ms of 45.6 ms.`,
        link: "queries/00000000000000a2",
      },
      { kind: "failedStatement", sentence: "1 statement failed: database is locked.", link: null },
    ],
  };
}

function minutesOf(random, nowMs) {
  return Array.from({ length: 60 }, (_, at) => {
    const requests = at < 6 ? 0 : Math.floor(200 + 260 * random() + 180 * Math.sin(at / 7));
    const bad = at > 40 && at < 47 ? Math.floor(requests * 0.16) : Math.floor(random() * 3) * (requests > 0 ? 1 : 0);
    const base = 2e6 + random() * 1e6 + (at > 40 && at < 47 ? 9e6 : 0);
    return {
      minuteMs: Math.floor(nowMs / 60000 - 59 + at) * 60000,
      requests,
      errors: bad,
      serverErrors: bad,
      p50Ns: requests && Math.round(base),
      p95Ns: requests && Math.round(base * 6),
      p99Ns: requests && Math.round(base * 14),
    };
  });
}

function requestRows(random, nowMs, seenBefore) {
  return Array.from({ length: 100 }, (_, at) => {
    const [method, route, ms] = kRoutes[Math.floor(random() * kRoutes.length)];
    const failed = route === "/bug";
    const slow = random() > 0.9;
    return {
      id: (1000000 - at + seenBefore).toString(16).padStart(32, "0"),
      method,
      target: route.replace("{id}", String(100 + at)),
      route,
      status: failed ? 500 : random() > 0.95 ? 404 : 200,
      startedAtMs: nowMs - at * 730,
      durationNs: Math.round(ms * 1e6 * (slow ? 5 : 0.7 + random() * 0.6)),
      usual: usual(ms),
      bytesOut: 5120,
      statements: route === "/orders" ? 49 : 2,
      statementNs: Math.round(ms * 6e5),
      errors: failed ? 1 : 0,
      messages: 0,
      calls: 0,
      findings: route === "/orders" ? 1 : 0,
      flags: [...(slow ? ["slow"] : []), ...(failed ? ["failed"] : []), ...(route === "/orders" ? ["finding"] : [])],
    };
  });
}

function agentOf(nowMs) {
  return {
    version: "0.1.0",
    level: "full",
    startedAtMs: nowMs - 5400000,
    nowMs,
    queue: { capacity: 8192, depth: 14 },
    pool: { blocks: 512, used: 20, bytes: 4194304, capBytes: 16777216 },
    lost: {
      total: 12,
      poolEmpty: 0,
      queueFull: 0,
      recordFull: 3,
      stringCut: 41,
      limit: 9,
      unpaired: 2,
      threadExit: 0,
      stopped: 0,
      textUnknown: 0,
    },
    lostByKind: { requests: 0, statements: 9, spans: 3, errors: 0, messages: 0, panels: 0, headers: 0 },
    guard: {
      seen: 50210,
      counted: 20112,
      dropped: 30098,
      opened: 20,
      overflowed: 18212,
      retired: 0,
      issueCounts: 20112,
      identityHolds: true,
      maxInOneSecond: 1000,
      eventsPerSecondLimit: 1000,
      issuesPerMinuteLimit: 20,
      issuesLimit: 200,
    },
    self: {
      cpuNs: 8120000000,
      processCpuNs: 912000000000,
      memoryBytes: 14680064,
      processBytes: 96468992,
      threads: [
        { name: "inlens-worker", cpuNs: 6900000000 },
        { name: "inlens-console", cpuNs: 1220000000 },
      ],
    },
    worker: { drains: 108000, records: 812345, damaged: 0, tasksGivenUp: 3, perRecordNs: 410 },
    hooks: { caught: 0, threads: 9, clock: "tsc" },
    stores: [
      { name: "history", used: 400, cap: 400, overflowed: 811945 },
      { name: "statements", used: 61, cap: 500, overflowed: 0 },
      { name: "routes", used: 18, cap: 300, overflowed: 0 },
      { name: "issues", used: 21, cap: 200, overflowed: 0 },
      { name: "minutes", used: 54, cap: 60, overflowed: 0 },
    ],
    bar: {
      enabled: true,
      decorated: 4120,
      skipped: [
        { reason: "not HTML", count: 31000 },
        { reason: "a fragment (HX-Request)", count: 12 },
      ],
    },
    console: { address: "127.0.0.1:9790" },
    config: {
      file: "/etc/shop/inlens.json",
      problems: [
        {
          source: "file",
          key: "collect.level",
          message: '/etc/shop/inlens.json: collect.level is "fast"; allowed are off, light, standard, full.',
        },
      ],
    },
    checks: [
      { name: "symbols", state: "ok", sentence: "Names of functions are found.", fix: null },
      {
        name: "proxy",
        state: "warning",
        sentence: "Requests come from one peer.",
        fix: "List it in console.trustedProxies.",
      },
      { name: "content security policy", state: "off", sentence: "No page seen with one.", fix: null },
    ],
  };
}

function settingsOf(level) {
  const setting = (key, value, type, allowed, extra = {}) => ({
    key,
    value,
    default: value,
    source: "default",
    type,
    choices: [],
    minimum: null,
    maximum: null,
    unit: null,
    allowed,
    live: false,
    secret: false,
    description: "",
    environment: `INLENS_${key
      .replace(/([A-Z])/g, "_$1")
      .replace(".", "_")
      .toUpperCase()}`,
    ...extra,
  });
  return {
    items: [
      setting("collect.level", level, "choice", "off, light, standard, full", {
        choices: ["off", "light", "standard", "full"],
        default: "light",
        source: "file",
        live: true,
        description: "How much of each request is collected.",
      }),
      setting("bar.enabled", true, "boolean", "true or false", {
        live: true,
        source: "environment",
        default: false,
        description: "Pages of allowed callers get the bar.",
      }),
      setting("console.port", 9790, "integer", "1 to 65535", {
        minimum: 1,
        maximum: 65535,
        description: "Port of the console's listener.",
      }),
      setting("console.token", null, "string", "16 to 200 bytes", { secret: true, description: "Lets scripts in." }),
      setting("queries.slowMs", 100, "number", "0.1 to 60000", {
        unit: "ms",
        live: true,
        description: "From here on a statement counts as slow.",
      }),
      setting("console.allowedHosts", ["localhost"], "list", "host names", {
        description: "Names under which the console answers.",
      }),
    ],
  };
}

/** All answers by path below the API's base. `level` is what the settings page last set. */
export function sampleAnswers(nowMs, seen = 812345, level = "full") {
  const random = seeded(7);
  const routes = kRoutes.map((route) => routeRow(random, route, nowMs));
  const statements = kTexts
    .map((text, at) => statementRow(random, text, nowMs, at))
    .sort((a, b) => b.totalNs - a.totalNs);
  const issues = Array.from({ length: 6 }, (_, at) => issueRow(random, nowMs, at));
  const minutes = minutesOf(random, nowMs);
  const rows = requestRows(random, nowMs, seen - 812345);
  const list = (items, cap) => ({ total: items.length, shown: items.length, cap, items });
  const by = (items, value) => [...items].sort((a, b) => value(b) - value(a)).slice(0, 10);
  return {
    session: { name: "local", role: "admin", via: "link", csrf: "c5rf", expiresAtMs: null },
    overview: {
      nowMs,
      server: {
        name: "inlens-shop",
        pid: 4711,
        release: "1.4.2",
        startedAtMs: nowMs - 5400000,
        level,
        timeZone: "UTC",
      },
      requests: {
        total: seen,
        perSecond: 151.4,
        inflight: 3,
        statusClasses: classes(seen, 1840),
        errors: 2110,
        bytesIn: 812000,
        bytesOut: 4812000000,
      },
      latency: { p50Ns: 2100000, p95Ns: 48000000, p99Ns: 244000000, maxNs: 1240000000 },
      minutes,
      slowestRoutes: by(routes, (row) => row.p95Ns),
      findings: [
        {
          kind: "nPlusOne",
          sentence: "GET /orders runs the same SELECT 48 times per request: 66 % of its time.",
          link: "requests?method=GET&route=%2Forders",
        },
        {
          kind: "slowStatement",
          sentence: "WITH RECURSIVE … takes 240 ms in the middle, 97 % of GET /slow-sql.",
          link: `queries/${statements[0].fingerprint}`,
        },
      ],
      issues: { total: 6, open: 5, events: 20112, newest: issues.slice(0, 5) },
      statements: { distinct: 61, runs: 1200450, failures: 3, totalNs: 4120000000000, top: statements.slice(0, 5) },
      captions: {
        recorded: "Each request with its statements, errors, calls and messages; headers from level standard on.",
        masked: "Literals in statements, values of secret-looking keys in URLs and headers; bodies are never kept.",
        cost: "0.9 % of the process's CPU and 14 MB so far.",
      },
    },
    requests: { ...list(rows, 400), total: 400, held: 400, seen, offset: 0, limit: 100 },
    inflight: {
      ...list(
        [
          {
            id: hex(random, 32),
            method: "GET",
            target: "/stall?s=30",
            route: "/stall",
            startedAtMs: nowMs - 12400,
            elapsedNs: 12400000000,
            usual: usual(900),
            thread: "shop-worker-1",
            currentSpan: "handler /stall",
            currentKind: "stage",
            currentNs: 12390000000,
            statements: 0,
            errors: 0,
            task: false,
          },
          {
            id: hex(random, 32),
            method: "GET",
            target: `/orders?q=${kCanary}`,
            route: "/orders",
            startedAtMs: nowMs - 30,
            elapsedNs: 30000000,
            usual: usual(45),
            thread: "shop-worker-2",
            currentSpan: kTexts[2],
            currentKind: "statement",
            currentNs: 400000,
            statements: 22,
            errors: 0,
            task: false,
          },
          {
            id: hex(random, 32),
            method: "GET",
            target: "/events",
            route: "/events",
            startedAtMs: nowMs - 300000,
            elapsedNs: 300000000000,
            usual: null,
            thread: "io-0",
            currentSpan: null,
            currentKind: null,
            currentNs: null,
            statements: 0,
            errors: 0,
            task: false,
          },
        ],
        256,
      ),
      nowMs,
    },
    issues: list(issues, 200),
    queries: {
      ...list(statements, 500),
      overall: { runs: 1200450, failures: 3, rows: 8403150, totalNs: 4120000000000 },
      other: { rows: 12, count: 3120, errors: 0, totalNs: 910000000 },
    },
    reports: {
      sinceMs: nowMs - 5400000,
      minutes,
      routes: { ...list(routes, 300), other: null },
      slowestRoutes: by(routes, (row) => row.p95Ns),
      busiestRoutes: by(routes, (row) => row.totalNs),
      errorRoutes: by(routes, (row) => row.errors).filter((row) => row.errors > 0),
      chattyRoutes: by(routes, (row) => row.statements / row.requests),
      costlyStatements: statements,
      slowestStatements: by(statements, (row) => row.p95Ns),
      frequentStatements: by(statements, (row) => row.runs),
      failedStatements: statements.filter((row) => row.failures > 0),
    },
    calls: {
      ...list(
        [callRow("http://127.0.0.1:8081", 41200, 3, nowMs), callRow(`https://stock.example ${kCanary}`, 120, 0, nowMs)],
        200,
      ),
      other: null,
    },
    connections: {
      total: 2,
      items: [
        connectionRow("postgresql", "127.0.0.1:5432/shop", 16, 12345, 2),
        connectionRow("http", `stock.example:443 ${kCanary}`, 2, 40, 0),
      ],
    },
    findings: {
      server: [
        {
          kind: "failingHost",
          sentence: `http://127.0.0.1:8081 failed 3 of 41200 calls (last: Couldn't connect to server ${kCanary})`,
          link: "calls",
        },
        {
          kind: "connectionPerRequest",
          sentence:
            "GET /orders opened 40 connections to 127.0.0.1:5432/shop in 40 of its 41 kept requests, 1.9 ms each",
          link: "connections",
        },
        { kind: "leak", sentence: "12 connections were never closed", link: null },
      ],
      total: 3,
      shown: 3,
      requests: [
        {
          kind: "repeatedStatement",
          sentence: "48 × the same SELECT on order_items, 30 ms of 45.6 ms.",
          link: `queries/${statements[0].fingerprint}`,
          requestId: "000000000000000000000000000f4240",
          route: "/orders",
          atMs: nowMs - 1000,
        },
        {
          kind: "failedStatement",
          sentence: "1 statement failed: database is locked.",
          link: null,
          requestId: "000000000000000000000000000f4240",
          route: `/orders/${kCanary}`,
          atMs: nowMs - 1000,
        },
        {
          kind: "slowCall",
          sentence: `A call took 640 ms, 64 % of the request: GET http://stock.example/ ${kCanary}`,
          link: "calls",
          requestId: "0".repeat(31) + "1",
          route: "/outgoing",
          atMs: nowMs - 2000,
        },
      ],
    },
    attached: {
      items: [
        { name: "sqlite", state: "on", detail: "SQLite 3.40.1" },
        { name: "postgres", state: "notFound", detail: "libpq is not loaded" },
        { name: "mariadb", state: "off", detail: null },
        { name: "curl", state: "impossible", detail: `linked statically ${kCanary}` },
      ],
    },
    agent: agentOf(nowMs),
    settings: settingsOf(level),
  };
}

function callRow(server, calls, failures, nowMs) {
  return {
    server,
    calls,
    failures,
    statusClasses: { "1xx": 0, "2xx": calls - failures, "3xx": 0, "4xx": 0, "5xx": 0, other: failures },
    bytesOut: calls * 120,
    bytesIn: calls * 4210,
    connected: 12,
    dnsNs: 9_000_000,
    connectNs: 14_000_000,
    tlsNs: 0,
    firstByteNs: calls * 7_000_000,
    lastError: failures ? `Couldn't connect to server ${kCanary}` : null,
    lastRoute: "/outgoing",
    lastSeenMs: nowMs - 400,
    totalNs: calls * 8_000_000,
    minNs: 900_000,
    p50Ns: 7_000_000,
    p95Ns: 21_000_000,
    p99Ns: 44_000_000,
    maxNs: 640_000_000,
  };
}

function connectionRow(kind, target, open, opened, failed) {
  return {
    kind,
    target,
    other: false,
    open,
    inUse: kind === "sqlite" ? null : 3,
    opened,
    openedLastMinute: 120,
    openedPerSecond: 2,
    closed: opened - open,
    failed,
    meanConnectNs: 1_900_000,
  };
}

export function sampleIssue(answers, id, nowMs) {
  const row = answers.issues.items.find((candidate) => candidate.id === id);
  if (!row) return null;
  const frames = sampleDetail("0".repeat(32), nowMs).errors[0].frames;
  const sample = (role, atMs, held) => ({
    role,
    atMs,
    message: row.message,
    code: null,
    handled: row.handled,
    route: "/bug",
    target: `/bug?q=${kCanary}`,
    thread: "shop-worker-1",
    requestId: "0".repeat(31) + "1",
    requestHeld: held,
    frames,
  });
  return {
    ...row,
    groupedBy: ["error", row.type, "shop::Stock::take", "shop::checkout"],
    samples: [sample("first", row.firstSeenMs, false), sample("newest", row.lastSeenMs, true)],
    swallowed: id === "overflow" ? [{ type: "shop::Unique17", count: 12 }] : [],
    resolvedAtMs: row.state === "resolved" ? nowMs - 60000 : null,
  };
}
