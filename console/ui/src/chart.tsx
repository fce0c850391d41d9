// The last sixty minutes as two small charts in SVG, one readout line for the minute in hand, and the table behind them.
import { useState } from "preact/hooks";
import type { Minute } from "./api";
import { clock, count, counted, duration } from "./format";

const kWidth = 600;
const kHeight = 72;

type Hand = { at: number; take: (at: number) => void };

export function MinuteCharts({ minutes }: { minutes: Minute[] }) {
  const [at, take] = useState(-1);
  const hand = { at, take };
  return (
    <figure class="charts" aria-label="The last 60 minutes">
      <div class="chart-pair">
        <CountChart minutes={minutes} hand={hand} />
        <LatencyChart minutes={minutes} hand={hand} />
      </div>
      <figcaption>
        <Readout minute={minutes[at]} />
        <details>
          <summary>As a table</summary>
          <MinuteTable minutes={minutes} />
        </details>
      </figcaption>
    </figure>
  );
}

function Readout({ minute }: { minute: Minute | undefined }) {
  if (!minute) return <p class="readout quiet">Point at a minute, or use the arrow keys on a chart.</p>;
  return (
    <p class="readout">
      <b>{clock(minute.minuteMs).slice(0, 5)}</b> {counted(minute.requests, "request")}, {count(minute.serverErrors)}{" "}
      with 5xx, {counted(minute.errors, "error")} · p50 {duration(minute.p50Ns)} · p95 {duration(minute.p95Ns)} · p99{" "}
      {duration(minute.p99Ns)}
    </p>
  );
}

function surface({ at, take }: Hand, size: number) {
  return {
    tabIndex: 0,
    onPointerMove: (event: PointerEvent) => {
      const box = (event.currentTarget as Element).getBoundingClientRect();
      take(Math.max(0, Math.min(size - 1, Math.floor(((event.clientX - box.left) / box.width) * size))));
    },
    onPointerLeave: () => take(-1),
    onBlur: () => take(-1),
    onKeyDown: (event: KeyboardEvent) => {
      const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
      if (step === 0) return;
      event.preventDefault();
      take(Math.max(0, Math.min(size - 1, (at < 0 ? size : at) + step)));
    },
  };
}

type ChartProps = { minutes: Minute[]; hand: Hand };

function CountChart({ minutes, hand }: ChartProps) {
  const most = Math.max(1, ...minutes.map((minute) => minute.requests));
  const step = kWidth / minutes.length;
  return (
    <div class="chart">
      <div class="chart-head">
        <b>Requests per minute</b> <span class="quiet">up to {count(most)}; 5xx solid below</span>
      </div>
      <svg
        viewBox={`0 0 ${kWidth} ${kHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Requests per minute, at most ${count(most)}`}
        {...surface(hand, minutes.length)}
      >
        {minutes.map((minute, at) => {
          const height = (kHeight * minute.requests) / most;
          const bad = Math.min(height, (kHeight * minute.serverErrors) / most);
          return (
            <g key={minute.minuteMs} class={at === hand.at ? "held" : ""}>
              <rect class="count" x={at * step + 1} width={step - 2} y={kHeight - height} height={height} />
              {bad > 0 ? (
                <rect
                  class="bad"
                  x={at * step + 1}
                  width={step - 2}
                  y={kHeight - Math.max(2, bad)}
                  height={Math.max(2, bad)}
                />
              ) : null}
            </g>
          );
        })}
      </svg>
      <Hours minutes={minutes} />
    </div>
  );
}

function LatencyChart({ minutes, hand }: ChartProps) {
  const most = Math.max(1, ...minutes.map((minute) => minute.p99Ns));
  const step = kWidth / minutes.length;
  const line = (value: (minute: Minute) => number): string => {
    let pen = "M";
    return minutes
      .map((minute, at) => {
        if (minute.requests === 0) {
          pen = "M";
          return "";
        }
        const point = `${pen}${(at * step + step / 2).toFixed(1)} ${(kHeight - 1 - ((kHeight - 3) * value(minute)) / most).toFixed(1)}`;
        const next = minutes[at + 1];
        const lone = pen === "M" && (!next || next.requests === 0) ? "h0.01" : "";
        pen = "L";
        return point + lone;
      })
      .join("");
  };
  return (
    <div class="chart">
      <div class="chart-head">
        <b>Duration</b> <span class="quiet">up to {duration(most)}; p50 dotted, p95 thick, p99 thin</span>
      </div>
      <svg
        viewBox={`0 0 ${kWidth} ${kHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`p50, p95 and p99 per minute, at most ${duration(most)}`}
        {...surface(hand, minutes.length)}
      >
        {hand.at >= 0 ? <rect class="hand" x={hand.at * step} width={step} y={0} height={kHeight} /> : null}
        <path class="p99" d={line((minute) => minute.p99Ns)} />
        <path class="p50" d={line((minute) => minute.p50Ns)} />
        <path class="p95" d={line((minute) => minute.p95Ns)} />
      </svg>
      <Hours minutes={minutes} />
    </div>
  );
}

function Hours({ minutes }: { minutes: Minute[] }) {
  const marks = [0, 20, 40, minutes.length - 1].map((at) => minutes[at]).filter((minute) => minute !== undefined);
  return (
    <div class="hours" aria-hidden="true">
      {marks.map((minute) => (
        <span key={minute.minuteMs}>{clock(minute.minuteMs).slice(0, 5)}</span>
      ))}
    </div>
  );
}

function MinuteTable({ minutes }: { minutes: Minute[] }) {
  return (
    <div class="scroll">
      <table class="plain">
        <thead>
          <tr>
            {["Minute", "Requests", "5xx", "Errors", "p50", "p95", "p99"].map((name) => (
              <th key={name} scope="col" class="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...minutes].reverse().map((minute) => (
            <tr key={minute.minuteMs}>
              <th scope="row" class="num">
                {clock(minute.minuteMs).slice(0, 5)}
              </th>
              {[
                count(minute.requests),
                count(minute.serverErrors),
                count(minute.errors),
                duration(minute.p50Ns),
                duration(minute.p95Ns),
                duration(minute.p99Ns),
              ].map((text, at) => (
                <td key={at} class="num">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
