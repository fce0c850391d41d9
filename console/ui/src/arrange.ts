// Keeps the rows of a refreshing table where they are: figures change in place, new rows wait until the reader asks.
export type Arranged<T> = {
  shown: T[];
  /** Rows that came since and wait. */
  fresh: number;
  /** The order shown is no longer the order asked for. */
  moved: boolean;
};

export function sortRows<T>(rows: readonly T[], value: (row: T) => number | string, descending: boolean): T[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const x = value(a);
    const y = value(b);
    if (typeof x === "number" && typeof y === "number") return sign * (x - y);
    return sign * String(x).localeCompare(String(y), undefined, { numeric: true });
  });
}

/** `order` holds the keys as they were last arranged; `sorted` are the rows as they would be now. */
export function arrange<T>(order: readonly string[], sorted: readonly T[], keyOf: (row: T) => string): Arranged<T> {
  const byKey = new Map(sorted.map((row) => [keyOf(row), row]));
  const shown = order.flatMap((key) => {
    const row = byKey.get(key);
    return row === undefined ? [] : [row];
  });
  const known = new Set(order);
  const still = sorted.filter((row) => known.has(keyOf(row)));
  return { shown, fresh: sorted.length - still.length, moved: still.some((row, at) => row !== shown[at]) };
}
