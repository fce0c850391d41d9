// Fetches the record of the page's own request. It may not be drained yet when the page is ready, hence the tries.
import type { RequestDetail } from "../../ui/src/api";

const kDelaysMs = [0, 60, 150, 350, 800, 1600];

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Null when there is nothing to show, for whatever reason. */
export async function fetchDetail(base: string, id: string): Promise<RequestDetail | null> {
  for (const delay of kDelaysMs) {
    if (delay > 0) await pause(delay);
    try {
      const answer = await fetch(`${base}bar/data/${id}`, { credentials: "same-origin", cache: "no-store" });
      if (answer.ok) return (await answer.json()) as RequestDetail;
      if (answer.status !== 404) return null;
    } catch {
      return null;
    }
  }
  return null;
}
