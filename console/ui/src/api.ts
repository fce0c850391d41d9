// Generated from console/api/openapi.json by console/api/types.mjs; change that file and run `npm run types`.

/** Every answer other than 2xx. */
export type ApiError = {
  error: {
    code: "badRequest" | "unauthorized" | "forbidden" | "notFound" | "notYet" | "recycled" | "methodNotAllowed" | "tooLarge" | "lockedOut" | "unavailable" | "internal";
    /** One sentence for a person. For `notYet` it says that the request is still running or on its way into the history, for `recycled` that it or the issue was recycled from it. */
    message: string;
  };
};

/** Random 128 bits, lower-case hex; the value of X-Inlens-Id. */
export type RequestId = string;

/** 64-bit hash, lower-case hex. */
export type Fingerprint = string;

/** The issue's fingerprint, or `overflow` for the one issue that counts what found no place. */
export type IssueId = string;

export type Level = "off" | "light" | "standard" | "full";

export type Dialect = "generic" | "sqlite" | "postgres" | "mysql";

export type StatusClass = "1xx" | "2xx" | "3xx" | "4xx" | "5xx";

/** Exact counts since the agent started; `other` has no or an unusual status. Their sum is the number of requests. */
export type StatusClasses = {
  "1xx": number;
  "2xx": number;
  "3xx": number;
  "4xx": number;
  "5xx": number;
  other: number;
};

/** What the route usually takes: estimated from its histogram (error below 4 %). */
export type Usual = {
  medianNs: number;
  p95Ns: number;
  /** Requests behind the figures. */
  count: number;
};

/** Over all requests since the agent started. */
export type Latency = {
  p50Ns: number;
  p95Ns: number;
  p99Ns: number;
  maxNs: number;
};

/** One minute of the series. An idle minute has zeros. */
export type Minute = {
  /** Start of the minute. */
  minuteMs: number;
  requests: number;
  /** Errors reported; one request may have several. */
  errors: number;
  /** Requests with status 5xx. */
  serverErrors: number;
  p50Ns: number;
  p95Ns: number;
  p99Ns: number;
};

export type FindingKind = "nPlusOne" | "repeatedStatement" | "slowStatement" | "slowRequest" | "failedStatement" | "slowCall" | "failedCall" | "failingHost" | "slowHost" | "connectionPerRequest" | "errorFlood" | "failingRoute" | "serialisedLock" | "costlyStage" | "cacheSlow" | "tlsResumption" | "poolExhausted" | "slowClient" | "leak" | "deadlock" | "cut";

/** Something suspicious, as a fact with numbers. */
export type Finding = {
  kind: FindingKind;
  sentence: string;
  /** Path below the console's base, e.g. `requests/<id>`, `queries/<fingerprint>`, `issues/<id>`, `requests?route=/x`; null when there is none. */
  link: string | null;
};

/** Outgoing calls to one server since the agent started. The phases are sums over the calls whose collector can tell. */
export type CallRow = {
  /** Scheme, host and port; empty in the row of those that found no place. */
  server: string;
  calls: number;
  /** Calls without an answer. */
  failures: number;
  statusClasses: StatusClasses;
  bytesOut: number;
  bytesIn: number;
  /** Calls that opened a connection. */
  connected: number;
  dnsNs: number;
  connectNs: number;
  tlsNs: number;
  firstByteNs: number;
  lastError: string | null;
  lastRoute: string | null;
  lastSeenMs: number | null;
  totalNs: number;
  minNs: number;
  p50Ns: number;
  p95Ns: number;
  p99Ns: number;
  maxNs: number;
};

export type Calls = {
  /** Servers called. */
  total: number;
  shown: number;
  cap: number;
  other: CallRow | null;
  items: CallRow[];
};

/** Connections of one kind to one target. */
export type ConnectionRow = {
  kind: string;
  target: string;
  /** The row of those that found no place. */
  other: boolean;
  open: number;
  /** Null where nobody tells, as for SQLite. */
  inUse: number | null;
  opened: number;
  openedLastMinute: number;
  /** Over the last minute. */
  openedPerSecond: number;
  closed: number;
  failed: number;
  meanConnectNs: number;
};

export type Connections = {
  total: number;
  items: ConnectionRow[];
};

export type CollectorRow = {
  name: string;
  state: "on" | "off" | "notFound" | "impossible";
  /** The library and its version, or what would help. */
  detail: string | null;
};

export type Attached = {
  items: CollectorRow[];
};

export type RequestFinding = {
  kind: FindingKind;
  sentence: string;
  link: string | null;
  requestId: RequestId;
  route: string;
  atMs: number;
};

export type Findings = {
  server: Finding[];
  /** Of the kept requests. */
  total: number;
  shown: number;
  requests: RequestFinding[];
};

/** Totals of one route since the agent started. */
export type RouteRow = {
  method: string;
  /** The pattern the host named, else the path with its variable parts masked. */
  route: string;
  requests: number;
  /** Errors reported; one request may have several. */
  errors: number;
  statusClasses: StatusClasses;
  bytesOut: number;
  totalNs: number;
  minNs: number;
  maxNs: number;
  p50Ns: number;
  p95Ns: number;
  p99Ns: number;
  statements: number;
  statementNs: number;
  lastSeenMs: number | null;
  /** Of those that the history still has. */
  slowestRequestId: RequestId | null;
};

/** Totals of one statement since the agent started. */
export type StatementRow = {
  fingerprint: Fingerprint;
  /** Masked text; empty when it was lost (`textUnknown`). */
  text: string;
  dialect: Dialect;
  runs: number;
  failures: number;
  /** Rows over all runs that reported them. */
  rows: number;
  totalNs: number;
  minNs: number;
  maxNs: number;
  p50Ns: number;
  p95Ns: number;
  p99Ns: number;
  /** The route that ran it last, then up to 7 others of the history. */
  routes: string[];
  /** Where it was last called from, if captured. */
  caller: string | null;
  lastSeenMs: number;
  /** Of those that the history still has. */
  slowestRequestId: RequestId | null;
};

/** What fell off a full table, so that totals stay true. */
export type OtherRow = {
  /** How many rows' worth, at least; 0 when not known. */
  rows: number;
  /** Requests or runs. */
  count: number;
  errors: number;
  totalNs: number;
};

export type IssueRow = {
  id: IssueId;
  kind: "exception" | "error" | "log" | "overflow";
  type: string;
  /** Message of the newest sample; of the overflow issue what it is. */
  message: string;
  count: number;
  /** Whether the host handled the newest one. */
  handled: boolean;
  firstSeenMs: number;
  lastSeenMs: number;
  state: "open" | "resolved";
  /** Up to 8, the commonest first. */
  routes: string[];
};

export type Overview = {
  nowMs: number;
  server: {
    name: string;
    pid: number;
    release: string;
    startedAtMs: number;
    level: Level;
    /** IANA name or an offset such as +02:00. */
    timeZone: string;
  };
  /** Exact, also when details were lost. */
  requests: {
    total: number;
    /** Over the last 60 s, or since the start if that is less. */
    perSecond: number;
    inflight: number;
    statusClasses: StatusClasses;
    /** Errors reported; one request may have several. */
    errors: number;
    bytesIn: number;
    bytesOut: number;
  };
  latency: Latency;
  /** Oldest first; the last one is still running. */
  minutes: Minute[];
  /** By p95, at most 10. */
  slowestRoutes: RouteRow[];
  /** Worst first; empty on a healthy server. */
  findings: Finding[];
  issues: {
    total: number;
    open: number;
    /** Error events counted. */
    events: number;
    /** At most 5, last seen first. */
    newest: IssueRow[];
  };
  statements: {
    distinct: number;
    runs: number;
    failures: number;
    totalNs: number;
    /** At most 5, by total time. */
    top: StatementRow[];
  };
  /** Three sentences for the first minute. */
  captions: {
    recorded: string;
    masked: string;
    cost: string;
  };
};

export type RequestFlag = "slow" | "failed" | "finding" | "truncated" | "aborted" | "tls" | "subrequest" | "background";

export type RequestRow = {
  id: RequestId;
  method: string;
  /** Path and query, masked. */
  target: string;
  /** The pattern the host named, else the path with its variable parts masked. */
  route: string;
  /** 0: the host did not say. */
  status: number;
  startedAtMs: number;
  durationNs: number;
  usual: Usual | null;
  bytesOut: number;
  statements: number;
  statementNs: number;
  errors: number;
  messages: number;
  calls: number;
  findings: number;
  flags: RequestFlag[];
};

/** The history, newest first. `total` counts the rows that match the filter. */
export type Requests = {
  /** Rows that exist and match. */
  total: number;
  /** Rows in `items`. */
  shown: number;
  /** The most requests the history keeps. */
  cap: number;
  /** Requests in the history, before the filter. */
  held: number;
  /** Requests since the agent started. */
  seen: number;
  offset: number;
  limit: number;
  items: RequestRow[];
};

export type Frame = {
  /** Demangled; an address or module offset when there is no symbol. */
  function: string;
  module: string | null;
  file: string | null;
  line: number | null;
  inApp: boolean;
};

export type SpanStatement = {
  fingerprint: Fingerprint;
  /** Masked text; empty when it was lost (`textUnknown`). */
  text: string;
  dialect: Dialect;
  /** Host, file or name; no credentials. */
  database: string | null;
  rows: number | null;
  failed: boolean;
  errorCode: string | null;
  errorMessage: string | null;
  /** Of the duration: reading rows. */
  readNs: number | null;
  caller: string | null;
};

/** An outgoing call. */
export type SpanCall = {
  method: string;
  /** Masked. */
  url: string;
  status: number | null;
  bytesOut: number | null;
  bytesIn: number | null;
  failed: boolean;
  /** Of the library that made the call. */
  errorCode: string | null;
  errorMessage: string | null;
  /** Parts of the duration; null: not done, or unknown. */
  dnsNs: number | null;
  connectNs: number | null;
  tlsNs: number | null;
  firstByteNs: number | null;
  caller: string | null;
};

export type SpanKind = "stage" | "scope" | "cache" | "timer" | "wait" | "connect" | "statement" | "call";

/** Spans come in the order they began. */
export type Span = {
  kind: SpanKind;
  name: string;
  /** Offset from the request's start. */
  startNs: number;
  /** Null while open, or when the host never ended it. */
  durationNs: number | null;
  depth: number;
  /** Index into `spans`. */
  parent: number | null;
  /** Index into `tasks`; null for the request itself. */
  task: number | null;
  statement: SpanStatement | null;
  call: SpanCall | null;
};

export type RequestError = {
  type: string;
  message: string;
  code: string | null;
  handled: boolean;
  /** Offset from the request's start. */
  atNs: number;
  issueId: IssueId | null;
  frames: Frame[];
};

export type Severity = "debug" | "info" | "warning" | "error";

export type Message = {
  severity: Severity;
  text: string;
  /** Offset from the request's start. */
  atNs: number;
};

export type Timer = {
  name: string;
  count: number;
  totalNs: number;
  maxNs: number;
};

/** Data only, shown as text. `table`: a row per line, `columns` names them. `keyValue`: rows of two. `tree`: rows depth first, `depths` has one entry per row, cells are the label and maybe a value. `text`: one row with one cell, line breaks kept. */
export type Panel = {
  kind: "table" | "keyValue" | "tree" | "text";
  title: string;
  columns: string[] | null;
  depths: number[] | null;
  rows: string[][];
};

export type Header = {
  name: string;
  value: string;
  masked: boolean;
};

export type Headers = {
  request: Header[];
  response: Header[];
};

/** Work of this request on another thread. */
export type Task = {
  name: string;
  thread: string;
  startNs: number;
  durationNs: number | null;
  cpuNs: number | null;
};

/** True totals; `cut` says how many of them have no detail because a cap per request was reached. */
export type Counts = {
  /** All of them, statements and calls included; the same holds for `cut.spans`. */
  spans: number;
  statements: number;
  statementNs: number;
  failedStatements: number;
  calls: number;
  callNs: number;
  errors: number;
  messages: number;
  cut: {
    spans: number;
    statements: number;
    errors: number;
    messages: number;
    /** Texts that were shortened. */
    strings: number;
  };
};

export type RequestDetail = {
  id: RequestId;
  method: string;
  /** Path and query, masked. */
  target: string;
  /** The pattern the host named, else the path with its variable parts masked. */
  route: string;
  /** 0: the host did not say. */
  status: number;
  startedAtMs: number;
  durationNs: number;
  /** Thread CPU time; null when it was not sampled. */
  cpuNs: number | null;
  bytesIn: number;
  bytesOut: number;
  peer: string;
  host: string;
  protocol: string;
  /** Of the response; empty when not said. */
  contentType: string;
  /** Of a subrequest. */
  parentId: RequestId | null;
  level: Level;
  thread: string;
  flags: RequestFlag[];
  /** The sentence that says why it took as long as it did. */
  why: string;
  usual: Usual | null;
  /** What Inlens itself cost this request: an estimate from the number of hook calls; null when unknown. */
  agentNs: number | null;
  spans: Span[];
  errors: RequestError[];
  messages: Message[];
  timers: Timer[];
  panels: Panel[];
  headers: Headers | null;
  tasks: Task[];
  counts: Counts;
  decorated: {
    bar: boolean;
    /** Why not, or where it was put. */
    reason: string;
  };
  findings: Finding[];
};

export type InflightRow = {
  id: RequestId;
  method: string;
  target: string;
  route: string;
  startedAtMs: number;
  elapsedNs: number;
  usual: Usual | null;
  thread: string;
  /** Name of the innermost open span; null when not known. */
  currentSpan: string | null;
  /** Kind of the innermost open span; `span` when it is neither statement nor call and the kind is not known; null when none is open. */
  currentKind: SpanKind | "span" | null;
  /** How long that span has been open; null when not known. */
  currentNs: number | null;
  statements: number;
  errors: number;
  /** Work of a request on another thread; not counted as a request. */
  task: boolean;
};

/** Requests that run right now, the longest running first. */
export type Inflight = {
  /** Rows that exist and match. */
  total: number;
  /** Rows in `items`. */
  shown: number;
  /** The most that are listed. */
  cap: number;
  nowMs: number;
  items: InflightRow[];
};

/** Last seen first. */
export type Issues = {
  /** Rows that exist and match. */
  total: number;
  /** Rows in `items`. */
  shown: number;
  /** The most issues that are kept, the overflow issue included. */
  cap: number;
  items: IssueRow[];
};

export type IssueSample = {
  role: "first" | "newest" | "distinct";
  atMs: number;
  message: string;
  code: string | null;
  handled: boolean;
  route: string;
  target: string | null;
  /** Empty once the history no longer has the request. */
  thread: string;
  requestId: RequestId | null;
  /** Whether the history still has the request. */
  requestHeld: boolean;
  frames: Frame[];
};

export type TypeCount = {
  type: string;
  count: number;
};

export type IssueDetail = {
  id: IssueId;
  kind: "exception" | "error" | "log" | "overflow";
  type: string;
  /** Message of the newest sample; of the overflow issue what it is. */
  message: string;
  count: number;
  /** Whether the host handled the newest one. */
  handled: boolean;
  firstSeenMs: number;
  lastSeenMs: number;
  state: "open" | "resolved";
  /** Up to 8, the commonest first. */
  routes: string[];
  /** The lines of the fingerprint: why these are one issue. */
  groupedBy: string[];
  /** First, newest, and up to three with another context. */
  samples: IssueSample[];
  /** Overflow issue only: the commonest types it counted. */
  swallowed: TypeCount[];
  resolvedAtMs: number | null;
};

/** By total time. */
export type Queries = {
  /** Rows that exist and match. */
  total: number;
  /** Rows in `items`. */
  shown: number;
  /** The most statements that are kept. */
  cap: number;
  overall: {
    runs: number;
    failures: number;
    rows: number;
    totalNs: number;
  };
  other: OtherRow | null;
  items: StatementRow[];
};

/** By total time. */
export type Routes = {
  /** Rows that exist and match. */
  total: number;
  /** Rows in `items`. */
  shown: number;
  /** The most routes that are kept. */
  cap: number;
  other: OtherRow | null;
  items: RouteRow[];
};

/** Ready-made views; each list has at most 10 rows, except `routes`. */
export type Reports = {
  sinceMs: number;
  minutes: Minute[];
  routes: Routes;
  /** By p95. */
  slowestRoutes: RouteRow[];
  /** By total time. */
  busiestRoutes: RouteRow[];
  /** By errors or 5xx answers, whichever are more; only those that had any. */
  errorRoutes: RouteRow[];
  /** By statements per request. */
  chattyRoutes: RouteRow[];
  /** By total time. */
  costlyStatements: StatementRow[];
  /** By p95. */
  slowestStatements: StatementRow[];
  /** By runs. */
  frequentStatements: StatementRow[];
  /** By failures; only those that had any. */
  failedStatements: StatementRow[];
};

export type Agent = {
  version: string;
  level: Level;
  startedAtMs: number;
  nowMs: number;
  queue: {
    capacity: number;
    depth: number;
  };
  /** Memory that host threads write records into. */
  pool: {
    blocks: number;
    used: number;
    bytes: number;
    capBytes: number;
  };
  /** Details that were lost, by reason; request totals are exact all the same. */
  lost: {
    /** Sum of the reasons, without `stringCut` (shortened, not lost) and `unpaired` (carried nothing). */
    total: number;
    /** No free record. */
    poolEmpty: number;
    queueFull: number;
    /** Arena of the record used up. */
    recordFull: number;
    /** Texts shortened. */
    stringCut: number;
    /** A cap per request. */
    limit: number;
    /** End without begin, or in the wrong order. */
    unpaired: number;
    threadExit: number;
    /** Records that met a stopped agent. */
    stopped: number;
    /** A statement's text had not arrived. */
    textUnknown: number;
  };
  /** The same losses, by what was lost. */
  lostByKind: {
    requests: number;
    statements: number;
    spans: number;
    errors: number;
    messages: number;
    panels: number;
    headers: number;
  };
  /** seen = counted + dropped, and counted = sum of the issues' counts (retired ones included). */
  guard: {
    seen: number;
    counted: number;
    dropped: number;
    opened: number;
    overflowed: number;
    /** Counted into issues that are no longer listed. */
    retired: number;
    /** Sum of the counts of all issues, retired ones included. */
    issueCounts: number;
    /** Whether both equations hold in this answer. */
    identityHolds: boolean;
    /** The most ever counted within one second. */
    maxInOneSecond: number;
    eventsPerSecondLimit: number;
    issuesPerMinuteLimit: number;
    issuesLimit: number;
  };
  /** What Inlens itself costs. */
  self: {
    /** CPU time of our threads. */
    cpuNs: number;
    /** CPU time of the whole process. */
    processCpuNs: number;
    /** Memory that Inlens holds. */
    memoryBytes: number;
    /** Resident size of the whole process. */
    processBytes: number;
    threads: {
      name: string;
      cpuNs: number;
    }[];
  };
  worker: {
    drains: number;
    records: number;
    /** Records with an entry or a link that made no sense, taken in as far as they were sound. */
    damaged: number;
    /** Tasks that waited for their request until there were too many; what they counted stays counted. */
    tasksGivenUp: number;
    /** All CPU time of the worker, looking for records and answering the console included, per record; null before the first. */
    perRecordNs: number | null;
  };
  hooks: {
    /** Exceptions of ours that were stopped at the ABI. */
    caught: number;
    /** Host threads that ever used a hook. */
    threads: number;
    /** What times the hooks: `tsc` or `monotonic`. */
    clock: string;
  };
  stores: ({
    name: "history" | "statements" | "routes" | "issues" | "minutes";
    used: number;
    cap: number;
    /** What went to the `other` row or made room. */
    overflowed: number;
  })[];
  bar: {
    enabled: boolean;
    decorated: number;
    skipped: {
      reason: string;
      count: number;
    }[];
  };
  console: {
    /** Its URL, or a socket path; empty when there is no listener. */
    address: string;
  };
  config: {
    file: string | null;
    problems: ({
      source: "file" | "environment" | "options";
      key: string;
      /** Names file or variable, key, and what is allowed. */
      message: string;
    })[];
  };
  checks: ({
    name: string;
    state: "ok" | "warning" | "failed" | "off";
    sentence: string;
    fix: string | null;
  })[];
};

export type SettingValue = string | number | boolean | string[] | null;

export type Setting = {
  key: string;
  value: SettingValue;
  default: SettingValue;
  source: "default" | "file" | "environment" | "options" | "console";
  type: "boolean" | "integer" | "number" | "string" | "choice" | "list";
  /** For type `choice`, else empty. */
  choices: string[];
  minimum: number | null;
  maximum: number | null;
  unit: string | null;
  /** The allowed values in words. */
  allowed: string;
  /** Can be changed while running. */
  live: boolean;
  /** The value is never given; `value` is null. */
  secret: boolean;
  description: string;
  /** Its environment variable. */
  environment: string;
};

export type Settings = {
  items: Setting[];
};

export type SettingChange = {
  value: SettingValue;
};

export type Session = {
  name: string;
  role: "admin" | "viewer";
  via: "link" | "token" | "cookie";
  /** Send it back as `X-Inlens-Csrf` with each change. Empty for a bearer token, which needs none. */
  csrf: string;
  expiresAtMs: number | null;
};

/** Exactly one of the two. */
export type SignIn = {
  /** The secret of the one-time link. */
  once?: string;
  /** The console's token. */
  token?: string;
};
