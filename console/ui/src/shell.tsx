// The frame around every page: navigation, who the server is, pause, theme, the connection banner, the sheet of keys.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { clock } from "./format";
import { kPageKeys } from "./keys";
import { kPages, kPageTitles, placeHref, type Page } from "./route";

type Props = {
  page: string;
  paused: boolean;
  onPause: () => void;
  help: boolean;
  onHelp: (open: boolean) => void;
  lostSinceMs: number;
  onSignOut: () => void;
  children: ComponentChildren;
};

export function Shell({ page, paused, onPause, help, onHelp, lostSinceMs, onSignOut, children }: Props) {
  useEffect(() => {
    document.title = `${kPageTitles[page as Page] ?? "Not found"} · Inlens`;
  }, [page]);
  return (
    <div class="shell">
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to the page
      </a>
      <nav class="rail" aria-label="Pages">
        <a class="brand" href={placeHref("overview")}>
          <span aria-hidden="true">◉</span> Inlens
        </a>
        <ul>
          {kPages.map((name) => (
            <li key={name}>
              <a href={placeHref(name)} aria-current={name === page ? "page" : undefined}>
                {kPageTitles[name]}
                <kbd aria-hidden="true">{kPageKeys[name]}</kbd>
              </a>
            </li>
          ))}
        </ul>
        <div class="rail-foot">
          <button type="button" class="small" aria-pressed={paused} onClick={onPause}>
            {paused ? "▶ Go on" : "❚❚ Pause"}
          </button>
          <ThemeButton />
          <button type="button" class="small" onClick={() => onHelp(true)}>
            Keys <kbd aria-hidden="true">?</kbd>
          </button>
          <button type="button" class="small" onClick={onSignOut}>
            Sign out
          </button>
        </div>
      </nav>
      <main id="main" tabIndex={-1}>
        <div role="status">
          {lostSinceMs > 0 ? (
            <p class="banner">
              ✕ The server does not answer since {clock(lostSinceMs)}. What stands here is from before.
            </p>
          ) : null}
        </div>
        {children}
      </main>
      <Keys open={help} onClose={() => onHelp(false)} />
    </div>
  );
}

const kThemes = ["auto", "light", "dark"];
const kThemeKey = "inlens.theme";

function readTheme(): string {
  try {
    const theme = localStorage.getItem(kThemeKey) ?? "auto";
    return kThemes.includes(theme) ? theme : "auto";
  } catch {
    return "auto";
  }
}

function ThemeButton() {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(kThemeKey, theme);
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
  }, [theme]);
  return (
    <button
      type="button"
      class="small"
      onClick={() => setTheme(kThemes[(kThemes.indexOf(theme) + 1) % kThemes.length]!)}
    >
      Theme: {theme}
    </button>
  );
}

const kOtherKeys: [string, string][] = [
  ["/", "filter"],
  ["j  k", "next and previous row"],
  ["Enter", "open the row"],
  ["Esc", "close, and back to the row"],
  [".", "pause and go on"],
  ["?", "this sheet"],
];

function Keys({ open, onClose }: { open: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      class="keys"
      aria-label="Keys"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <h2>Keys</h2>
      <dl>
        {kPages.map((name) => (
          <div key={name}>
            <dt>
              <kbd>{kPageKeys[name]}</kbd>
            </dt>
            <dd>{kPageTitles[name]}</dd>
          </div>
        ))}
        {kOtherKeys.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="small" onClick={onClose}>
        Close
      </button>
    </dialog>
  );
}
