// Arithmetic over one request's spans: what the time went to, which statements repeat. Pure; used by console and bar.
import type { RequestDetail, Span, SpanCall, SpanKind, SpanStatement } from "./api";
import { counted } from "./format";

export type Share = { kind: SpanKind | "own"; ns: number; count: number };

export const kKindNames: Record<SpanKind | "own", string> = {
  statement: "statements",
  call: "outgoing calls",
  wait: "waiting",
  connect: "connecting",
  cache: "cache",
  stage: "stages",
  scope: "scopes",
  timer: "timers",
  own: "own code",
};

function lengthOf(span: Span, whole: number): number {
  return span.durationNs ?? Math.max(0, whole - span.startNs);
}

function addTo(sums: Map<number, number>, index: number, ns: number): void {
  sums.set(index, (sums.get(index) ?? 0) + ns);
}

/** Self time by kind on the request's own thread, largest first; what no span covers is "own code". Timers overlap
 *  whatever they measure, so they take no share. */
export function timeShares(detail: RequestDetail): Share[] {
  const { spans, durationNs } = detail;
  const inChildren = new Map<number, number>();
  let covered = 0;
  spans.forEach((span) => {
    if (span.task !== null || span.kind === "timer") return;
    const ns = lengthOf(span, durationNs);
    if (span.parent === null) covered += ns;
    else addTo(inChildren, span.parent, ns);
  });
  const shares = new Map<SpanKind | "own", Share>();
  spans.forEach((span, index) => {
    if (span.task !== null || span.kind === "timer") return;
    const self = Math.max(0, lengthOf(span, durationNs) - (inChildren.get(index) ?? 0));
    const share = shares.get(span.kind) ?? { kind: span.kind, ns: 0, count: 0 };
    shares.set(span.kind, { kind: span.kind, ns: share.ns + self, count: share.count + 1 });
  });
  const own = Math.max(0, durationNs - covered);
  if (own > 0) shares.set("own", { kind: "own", ns: own, count: 0 });
  return [...shares.values()].filter((share) => share.ns > 0).sort((a, b) => b.ns - a.ns);
}

export type CallPhase = { phase: "dns" | "connect" | "tls" | "firstByte" | "rest"; ns: number };

/** The parts of a call's duration one after the other, the rest last; empty when its collector told none. */
export function callPhases(call: SpanCall, durationNs: number | null): CallPhase[] {
  const phases: CallPhase[] = [
    { phase: "dns", ns: call.dnsNs ?? 0 },
    { phase: "connect", ns: call.connectNs ?? 0 },
    { phase: "tls", ns: call.tlsNs ?? 0 },
    { phase: "firstByte", ns: call.firstByteNs ?? 0 },
  ];
  const told = phases.reduce((sum, phase) => sum + phase.ns, 0);
  if (told === 0) return [];
  const rest = Math.max(0, (durationNs ?? 0) - told);
  return [...phases, { phase: "rest" as const, ns: rest }].filter((phase) => phase.ns > 0);
}

export type StatementRun = { index: number; span: Span; statement: SpanStatement };

export function statementsOf(detail: RequestDetail): StatementRun[] {
  return detail.spans.flatMap((span, index) => (span.statement ? [{ index, span, statement: span.statement }] : []));
}

export type StatementGroup = {
  statement: SpanStatement;
  runs: StatementRun[];
  totalNs: number;
  /** Of the total: reading rows, as far as it is known. */
  readNs: number;
  rows: number;
  failures: number;
};

/** The request's statements by fingerprint, by total time. */
export function groupStatements(runs: StatementRun[]): StatementGroup[] {
  const groups = new Map<string, StatementGroup>();
  for (const run of runs) {
    const key = run.statement.fingerprint;
    const group = groups.get(key) ?? {
      statement: run.statement,
      runs: [],
      totalNs: 0,
      readNs: 0,
      rows: 0,
      failures: 0,
    };
    group.runs.push(run);
    group.totalNs += run.span.durationNs ?? 0;
    group.readNs += run.statement.readNs ?? 0;
    group.rows += run.statement.rows ?? 0;
    group.failures += run.statement.failed ? 1 : 0;
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.totalNs - a.totalNs);
}

export function hasRepeats(detail: RequestDetail): boolean {
  return detail.findings.some((finding) => finding.kind === "nPlusOne" || finding.kind === "repeatedStatement");
}

/** How many details a cap left out, as a sentence; empty when none. */
export function cutSentence(detail: RequestDetail): string {
  const { cut } = detail.counts;
  const left: [number, string][] = [
    [cut.statements, "statements"],
    [cut.spans - cut.statements, "other spans"],
    [cut.errors, "errors"],
    [cut.messages, "messages"],
  ];
  const parts = left.filter(([value]) => value > 0).map(([value, name]) => `${value} ${name}`);
  if (parts.length > 0)
    return `The caps of one request left out the detail of ${parts.join(", ")}; the totals include them.`;
  return cut.strings > 0 ? `${counted(cut.strings, "text")} shortened.` : "";
}
