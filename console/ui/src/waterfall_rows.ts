// From spans to the rows of a waterfall: runs of the same statement fold into one row until the reader opens them.
// Pure; used by console and bar.
import type { RequestDetail, Span } from "./api";

const kFoldFrom = 4;

export type WaterfallRow =
  | { kind: "span"; index: number; span: Span; inRun: boolean }
  | {
      kind: "run";
      index: number;
      span: Span;
      size: number;
      startNs: number;
      endNs: number;
      totalNs: number;
      open: boolean;
    };

function endOf(span: Span, whole: number): number {
  return span.startNs + (span.durationNs ?? Math.max(0, whole - span.startNs));
}

function runLength(spans: Span[], from: number): number {
  const first = spans[from]!;
  if (!first.statement) return 1;
  let to = from + 1;
  while (to < spans.length) {
    const next = spans[to]!;
    const same = next.statement?.fingerprint === first.statement.fingerprint;
    if (!same || next.parent !== first.parent || next.task !== first.task) break;
    to += 1;
  }
  return to - from;
}

export function waterfallRows(detail: RequestDetail, open: ReadonlySet<number>): WaterfallRow[] {
  const { spans, durationNs } = detail;
  const rows: WaterfallRow[] = [];
  for (let index = 0; index < spans.length;) {
    const span = spans[index]!;
    const size = runLength(spans, index);
    if (size < kFoldFrom) {
      rows.push({ kind: "span", index, span, inRun: false });
      index += 1;
      continue;
    }
    const members = spans.slice(index, index + size);
    rows.push({
      kind: "run",
      index,
      span,
      size,
      open: open.has(index),
      startNs: span.startNs,
      endNs: Math.max(...members.map((member) => endOf(member, durationNs))),
      totalNs: members.reduce((sum, member) => sum + (member.durationNs ?? 0), 0),
    });
    if (open.has(index))
      members.forEach((member, at) => rows.push({ kind: "span", index: index + at, span: member, inRun: true }));
    index += size;
  }
  return rows;
}

/** The end of the time axis: the request's, or a task's that outlived it. */
export function axisEnd(detail: RequestDetail): number {
  return Math.max(
    1,
    detail.durationNs,
    ...detail.spans.map((span) => endOf(span, detail.durationNs)),
    ...detail.tasks.map((task) => task.startNs + (task.durationNs ?? 0)),
  );
}
