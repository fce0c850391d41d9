// Where the closed strip may stand: the first corner in which it covers no control of the page.
export type Corner = "br" | "bl" | "tr" | "tl";

const kCorners: Corner[] = ["br", "bl", "tr", "tl"];
const kControls =
  "a[href],button,input,select,textarea,label,summary,[role=button],[role=link],[tabindex],[contenteditable]";
const kStepPx = 20;
const kMarginPx = 6;

type Size = { width: number; height: number };

function coversControl(corner: Corner, size: Size, host: Element): boolean {
  const left = corner.endsWith("l") ? kMarginPx : innerWidth - size.width - kMarginPx;
  const top = corner.startsWith("t") ? kMarginPx : innerHeight - size.height - kMarginPx;
  for (let y = top + 2; y < top + size.height; y += size.height / 2 - 2) {
    for (let x = Math.max(0, left); x <= left + size.width; x += kStepPx) {
      const hit = document.elementsFromPoint(x, y).find((element) => element !== host);
      if (hit?.closest(kControls)) return true;
    }
  }
  return false;
}

/** Null when the strip would cover a control in every corner. */
export function freeCorner(size: Size, host: Element): Corner | null {
  return kCorners.find((corner) => !coversControl(corner, size, host)) ?? null;
}
