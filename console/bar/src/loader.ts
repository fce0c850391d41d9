// The one script that Inlens adds to a page; at most 1 KB built. It makes a host element outside <body> and loads the
// bar into its shadow root, once per page. Whatever fails, the page stays as it is and nothing is shown or thrown.
import { kStateKey, type PageWindow } from "./page_state";

declare const kBarFile: string;

try {
  const script = document.currentScript as HTMLScriptElement;
  const id = script.dataset["inlensId"]!;
  const page = window as PageWindow;
  const state = page[kStateKey];
  const url = new URL(kBarFile, script.src);
  if (/^[0-9a-f]{32}$/.test(id) && url.origin === origin && top === self) {
    if (state) {
      state.id = id;
      if (!state.host.isConnected) document.documentElement.appendChild(state.host);
      state.show?.(id);
    } else {
      const host = document.createElement("inlens-bar");
      const bar = document.createElement("script");
      const root = host.attachShadow({ mode: "open" });
      host.hidden = true;
      if (script.nonce) bar.nonce = script.nonce;
      bar.src = url.href;
      Object.defineProperty(page, kStateKey, { value: { id, host, root, base: new URL("..", url).href } });
      document.documentElement.appendChild(host);
      root.appendChild(bar);
    }
  }
} catch {
  // A guest that cannot come in stays outside.
}
