// Where the reader is: `#/requests/<id>?status=5xx`. Everything that a shared link must restore is in it.
export type Place = { page: string; id: string; query: URLSearchParams };

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
] as const;
export type Page = (typeof kPages)[number];

export const kPageTitles: Record<Page, string> = {
  overview: "Overview",
  findings: "Findings",
  requests: "Requests",
  inflight: "In flight",
  issues: "Issues",
  queries: "Queries",
  calls: "Calls",
  connections: "Connections",
  reports: "Reports",
  attached: "Attached",
  agent: "Agent",
  settings: "Settings",
};

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function parsePlace(hash: string): Place {
  const [path = "", query = ""] = splitOnce(hash.replace(/^#\/?/, ""), "?");
  const [page = "", id = ""] = splitOnce(path, "/");
  return { page: page === "" ? "overview" : decode(page), id: decode(id), query: new URLSearchParams(query) };
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

export function placeHref(page: string, id = "", query?: URLSearchParams | Record<string, string>): string {
  const search = new URLSearchParams(query).toString();
  return `#/${encodeURIComponent(page)}${id ? `/${encodeURIComponent(id)}` : ""}${search ? `?${search}` : ""}`;
}

/** A finding's link, such as `requests?route=/x` or `issues/<id>`; null when it leads to no page of ours. */
export function linkHref(link: string | null): string | null {
  if (!link) return null;
  const place = parsePlace(`#/${link}`);
  return (kPages as readonly string[]).includes(place.page) ? placeHref(place.page, place.id, place.query) : null;
}
