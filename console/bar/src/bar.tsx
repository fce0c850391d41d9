// The bar in the page: the closed strip and its panels, inside the loader's shadow root. Data is fetched by request id
// and set as text only; styles are constructed sheets, so no content security policy of the page stands against them.
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RequestDetail } from "../../ui/src/api";
import { fetchDetail } from "./data";
import { recallSmall, rememberSmall } from "./memory";
import { kStateKey, type PageState, type PageWindow } from "./page_state";
import { Drawer, type PanelName } from "./panels";
import { freeCorner, type Corner } from "./placement";
import { Strip } from "./strip";
import css from "css:./bar.css";

type Props = { detail: RequestDetail; state: PageState };

function Bar({ detail, state }: Props) {
  const [panel, setPanel] = useState<PanelName | null>(null);
  const [small, setSmall] = useState(recallSmall);
  const opener = useRef<HTMLElement | null>(null);
  const strip = useRef<HTMLDivElement>(null);
  const { corner, crowded } = useCorner(strip, state.host, panel !== null, small);

  const open = (name: PanelName | null): void => {
    if (panel === null) opener.current = state.root.activeElement as HTMLElement | null;
    setPanel(name);
  };
  useEffect(() => {
    if (panel === null) opener.current?.focus({ preventScroll: true });
  }, [panel]);
  const resize = (toSmall: boolean): void => {
    rememberSmall(toSmall);
    setSmall(toSmall);
    open(toSmall ? null : "timeline");
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || panel === null) return;
    event.stopPropagation();
    open(null);
  };
  return (
    <div class={`root ${panel === null ? corner : "open"}`} onKeyDown={onKey}>
      {panel === null ? null : <Drawer detail={detail} base={state.base} panel={panel} onPanel={open} />}
      <div ref={strip} class="strip-place">
        <Strip
          detail={detail}
          base={state.base}
          panel={panel}
          small={panel === null && (small || crowded)}
          onPanel={open}
          onShrink={() => resize(true)}
          onGrow={() => resize(false)}
        />
      </div>
    </div>
  );
}

/** Looks for a free corner when the page is there, when its size changes, and when it is scrolled to its end. */
function useCorner(
  strip: { current: HTMLDivElement | null },
  host: Element,
  open: boolean,
  small: boolean,
): { corner: Corner; crowded: boolean } {
  const [place, setPlace] = useState<{ corner: Corner; crowded: boolean }>({ corner: "br", crowded: false });
  const full = useRef({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (open) return undefined;
    const look = (): void => {
      const box = strip.current?.getBoundingClientRect();
      if (!box || strip.current?.matches(":hover")) return;
      if (!small && box.width > 60) full.current = { width: box.width, height: box.height };
      const whole = small ? null : freeCorner(full.current, host);
      setPlace(
        whole
          ? { corner: whole, crowded: false }
          : { corner: freeCorner({ width: 28, height: 28 }, host) ?? "br", crowded: !small },
      );
    };
    look();
    let timer = 0;
    const later = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(look, 200);
    };
    const atEnd = (): void => {
      const page = document.documentElement;
      if (scrollY < 2 || scrollY + innerHeight > page.scrollHeight - 2) later();
    };
    addEventListener("resize", later, { passive: true });
    addEventListener("scroll", atEnd, { passive: true });
    addEventListener("load", later);
    return () => {
      clearTimeout(timer);
      removeEventListener("resize", later);
      removeEventListener("scroll", atEnd);
      removeEventListener("load", later);
    };
  }, [open, small]);
  return place;
}

async function show(state: PageState, mount: HTMLElement, id: string): Promise<void> {
  const detail = await fetchDetail(state.base, id);
  if (state.id !== id) return;
  if (!detail) {
    render(null, mount);
    state.host.hidden = true;
    return;
  }
  state.host.hidden = false;
  render(<Bar key={id} detail={detail} state={state} />, mount);
}

function start(state: PageState): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  state.root.adoptedStyleSheets = [sheet];
  const mount = document.createElement("div");
  state.root.appendChild(mount);
  state.show = (id) => void show(state, mount, id).catch(() => undefined);
  state.show(state.id);
}

try {
  const state = (window as PageWindow)[kStateKey];
  if (state && !state.show) start(state);
} catch {
  // A guest that cannot come in stays outside.
}
