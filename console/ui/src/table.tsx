// The one table of the console: sortable, steady under refresh, its rows reachable with j and k, stacked when narrow.
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "./app_context";
import { arrange, sortRows } from "./arrange";
import { count } from "./format";

export type Column<T> = {
  key: string;
  label: string;
  cell: (row: T) => ComponentChildren;
  /** Numbers stand right and sort downwards first. */
  num?: boolean;
  /** Without it the column cannot be sorted. */
  sort?: (row: T) => number | string;
};

type Props<T> = {
  label: string;
  rows: readonly T[];
  columns: Column<T>[];
  rowKey: (row: T) => string;
  /** Where the row leads; its first cell becomes the link. */
  href?: (row: T) => string | null;
  /** `-p95` sorts by p95 downwards; none keeps the order of the rows. */
  defaultSort?: string;
  /** Name of the query key that holds the order; tables that share a page need different ones. */
  sortKey?: string;
  /** Rows are shown as they come, because the page itself holds them still. */
  asGiven?: boolean;
  empty: ComponentChildren;
};

export function Table<T>(props: Props<T>) {
  const { rows, columns, rowKey, href, empty, label } = props;
  const { place, setQuery } = useApp();
  const sortKey = props.sortKey ?? "sort";
  const sort = place.query.get(sortKey) ?? props.defaultSort ?? "";
  const { shown, note } = useSteady(rows, columns, rowKey, sort, props.asGiven === true);
  if (rows.length === 0) return <div class="empty">{empty}</div>;
  return (
    <>
      {note}
      <table class="rows" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={(value) => setQuery({ [sortKey]: value })} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <Row key={rowKey(row)} row={row} columns={columns} href={href?.(row) ?? null} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function useSteady<T>(
  rows: readonly T[],
  columns: Column<T>[],
  rowKey: (row: T) => string,
  sort: string,
  asGiven: boolean,
) {
  const held = useRef<{ sort: string; order: string[] } | null>(null);
  const [, redraw] = useState(0);
  const column = columns.find((candidate) => candidate.key === sort.replace(/^-/, ""));
  const sorted = useMemo(
    () => (column?.sort ? sortRows(rows, column.sort, sort.startsWith("-")) : [...rows]),
    [rows, sort],
  );
  if (asGiven) return { shown: sorted, note: null };
  const settle = (): void => {
    held.current = { sort, order: sorted.map(rowKey) };
  };
  if (held.current?.sort !== sort || held.current.order.length === 0) settle();
  const arranged = arrange(held.current!.order, sorted, rowKey);
  if (arranged.shown.length === 0) settle();
  const press = (): void => {
    settle();
    redraw((value) => value + 1);
  };
  const words = [arranged.fresh > 0 ? `${count(arranged.fresh)} new` : "", arranged.moved ? "order changed" : ""]
    .filter(Boolean)
    .join(" · ");
  return {
    shown: arranged.shown.length === 0 ? sorted : arranged.shown,
    note: <Waiting words={words} onPress={press} />,
  };
}

/** The button that lets waiting rows in. Its line keeps its height, so nothing below it moves. */
export function Waiting({ words, onPress }: { words: string; onPress: () => void }) {
  return (
    <div class="waiting" role="status">
      {words ? (
        <button type="button" class="small new" onClick={onPress}>
          {words} – show
        </button>
      ) : null}
    </div>
  );
}

function Head<T>({ column, sort, onSort }: { column: Column<T>; sort: string; onSort: (value: string) => void }) {
  const numeric = column.num ? "num" : "";
  if (!column.sort)
    return (
      <th scope="col" class={numeric}>
        {column.label}
      </th>
    );
  const by = sort.replace(/^-/, "") === column.key;
  const down = sort.startsWith("-");
  const next = by ? (down ? column.key : `-${column.key}`) : column.num ? `-${column.key}` : column.key;
  return (
    <th scope="col" class={numeric} aria-sort={by ? (down ? "descending" : "ascending") : "none"}>
      <button type="button" onClick={() => onSort(next)}>
        {column.label}
        <span aria-hidden="true">{by ? (down ? " ↓" : " ↑") : ""}</span>
      </button>
    </th>
  );
}

function Row<T>({ row, columns, href }: { row: T; columns: Column<T>[]; href: string | null }) {
  return (
    <tr>
      {columns.map((column, at) => (
        <td key={column.key} class={column.num ? "num" : at === 0 ? "lead" : ""} data-label={column.label}>
          {at === 0 && href ? (
            <a class="row-link" href={href}>
              {column.cell(row)}
            </a>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** A thin bar that shows a share of the largest; the figure itself stands beside it. */
export function ShareBar({ part, whole }: { part: number; whole: number }) {
  return (
    <span class="share" aria-hidden="true">
      <span style={{ width: `${whole > 0 ? Math.min(100, (100 * part) / whole) : 0}%` }} />
    </span>
  );
}

/** "200 of 12,431 shown; at most 500 are kept." Empty when everything is there. */
export function CapNote({ total, shown, cap, what }: { total: number; shown: number; cap: number; what: string }) {
  const full = total >= cap ? ` At most ${count(cap)} ${what} are kept.` : "";
  if (shown >= total && !full) return null;
  return (
    <p class="note">
      {count(shown)} of {count(total)} {what} shown.{full}
    </p>
  );
}
