// The console's keys: letters lead to pages, `/` to the filter, j and k through rows. Never while typing, never with a
// modifier.
import { kPages, placeHref, type Page } from "./route";

export const kPageKeys: Record<Page, string> = {
  overview: "o",
  findings: "d",
  requests: "r",
  inflight: "f",
  issues: "i",
  queries: "q",
  calls: "c",
  connections: "n",
  reports: "p",
  attached: "t",
  agent: "a",
  settings: "s",
};

export type KeyActions = { pause: () => void; help: () => void };

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function moveRow(step: number): void {
  const sheet = document.querySelector(".sheet");
  const links = [...(sheet ?? document).querySelectorAll<HTMLElement>(".row-link")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + step))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function escape(): void {
  if (isTyping(document.activeElement)) (document.activeElement as HTMLElement).blur();
  else document.querySelector<HTMLElement>(".sheet .close")?.click();
}

export function listenForKeys(actions: KeyActions): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.getModifierState("AltGraph")) return;
    if (event.isComposing || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") return escape();
    if (isTyping(event.target)) return;
    if (act(event.key, actions)) event.preventDefault();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function act(key: string, actions: KeyActions): boolean {
  const page = kPages.find((name) => kPageKeys[name] === key);
  if (page) location.hash = placeHref(page);
  else if (key === "j" || key === "k") moveRow(key === "j" ? 1 : -1);
  else if (key === "/") document.querySelector<HTMLElement>("[data-filter]")?.focus();
  else if (key === "?") actions.help();
  else if (key === ".") actions.pause();
  else return false;
  return true;
}
