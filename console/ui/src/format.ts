// Numbers, times and comparisons as text, with units always. Pure; used by the console's pages and by the bar.
import type { Usual } from "./api";

const kUnits: [number, string][] = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
  [1, "ns"],
];

function digits(value: number): string {
  const decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return trimZeros(value.toFixed(decimals));
}

function trimZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** "850 ns", "12.4 µs", "3.21 ms", "1.24 s", "3 min 20 s". */
export function duration(ns: number): string {
  if (ns >= 120e9) return longDuration(Math.round(ns / 1e9));
  for (const [size, unit] of kUnits) {
    if (ns >= size * 0.9995) return `${digits(ns / size)} ${unit}`;
  }
  return "0 ns";
}

function longDuration(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  return parts
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(" ");
}

/** "512 B", "1.2 KB" (of 1,024). */
export function bytes(value: number): string {
  let unit = 0;
  const names = ["B", "KB", "MB", "GB", "TB"];
  while (value >= 1023.5 && unit < names.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${digits(value)} ${names[unit]}`;
}

/** "12,431". */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 statement", "3 statements", "2 queries". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function rate(perSecond: number): string {
  return `${digits(perSecond)}/s`;
}

export function percent(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return "0 %";
  const share = (100 * part) / whole;
  return share < 1 ? "< 1 %" : `${Math.round(share)} %`;
}

/** "now", "12 s ago", "3 min ago", "2 h ago", "5 d ago". */
export function ago(thenMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - thenMs) / 1000));
  if (seconds < 2) return "now";
  if (seconds < 100) return `${seconds} s ago`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86400)} d ago`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

/** "14:03:22", the reader's own clock. */
export function clock(ms: number): string {
  const at = new Date(ms);
  return `${pad(at.getHours(), 2)}:${pad(at.getMinutes(), 2)}:${pad(at.getSeconds(), 2)}`;
}

/** "2026-11-30 14:03:22.120 +01:00". */
export function absolute(ms: number): string {
  const at = new Date(ms);
  const offset = -at.getTimezoneOffset();
  const zone = `${offset < 0 ? "-" : "+"}${pad(Math.floor(Math.abs(offset) / 60), 2)}:${pad(Math.abs(offset) % 60, 2)}`;
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1, 2)}-${pad(at.getDate(), 2)}`;
  return `${day} ${clock(ms)}.${pad(at.getMilliseconds(), 3)} ${zone}`;
}

export type Compared = { text: string; unusual: boolean };

/** How a duration stands beside the route's usual; under 5 requests there is no usual yet. */
export function compared(ns: number, usual: Usual | null): Compared {
  if (!usual || usual.count < 5 || usual.medianNs <= 0) return { text: "no usual yet", unusual: false };
  const ratio = ns / usual.medianNs;
  if (ratio >= 1.5 && ns > usual.p95Ns) return { text: `${digits(ratio)}× usual`, unusual: true };
  if (ratio <= 0.5) return { text: "under usual", unusual: false };
  return { text: "as usual", unusual: false };
}

export function statusText(status: number): string {
  return status === 0 ? "no status" : String(status);
}

/** The whole server failed, the client failed, or all is well: carried by a sign as well as by colour. */
export function statusTone(status: number): "bad" | "warn" | "ok" {
  if (status >= 500) return "bad";
  return status >= 400 || status === 0 ? "warn" : "ok";
}
