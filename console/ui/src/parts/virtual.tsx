// A scrolling list that keeps only the rows in sight in the document; ten thousand rows cost as much as thirty.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

const kSpareRows = 6;

type Props = {
  count: number;
  rowHeight: number;
  /** The list grows up to this many rows and scrolls from there on. */
  maxRows: number;
  label: string;
  row: (index: number) => ComponentChildren;
};

export function VirtualList({ count, rowHeight, maxRows, label, row }: Props) {
  const [top, setTop] = useState(0);
  const visible = Math.min(count, maxRows);
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), count - visible) - kSpareRows);
  const last = Math.min(count, first + visible + 2 * kSpareRows);
  const rows: ComponentChildren[] = [];
  for (let index = first; index < last; index += 1) rows.push(row(index));
  return (
    <div
      class="virtual"
      role="group"
      aria-label={label}
      tabIndex={count > maxRows ? 0 : -1}
      style={{ height: `${visible * rowHeight}px` }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div class="virtual-whole" style={{ height: `${count * rowHeight}px` }}>
        <div class="virtual-part" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}
