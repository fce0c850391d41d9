// What loader and bar share in a page: one property of `window` under a symbol, so that no name of the page is taken.
export type PageState = {
  /** Id of the newest document; Turbo and friends change it without a new page load. */
  id: string;
  host: HTMLElement;
  root: ShadowRoot;
  /** Base of the console's paths, `https://host/~inlens/`. */
  base: string;
  /** Set by the bar once it runs. */
  show?: (id: string) => void;
};

export const kStateKey: unique symbol = Symbol.for("inlens") as never;

export type PageWindow = Window & { [kStateKey]?: PageState };
