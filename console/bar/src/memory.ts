// What the bar remembers between pages. Storage may be forbidden or full; then it remembers nothing.
const kKey = "inlens.bar";

export function recallSmall(): boolean {
  try {
    return localStorage.getItem(kKey) === "small";
  } catch {
    return false;
  }
}

export function rememberSmall(small: boolean): void {
  try {
    if (small) localStorage.setItem(kKey, "small");
    else localStorage.removeItem(kKey);
  } catch {
    // Nothing to do: the choice lasts as long as the page.
  }
}
