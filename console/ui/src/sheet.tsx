// A sheet over a list: the list stays where it was, Esc or the link closes, focus goes back to the row it came from.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

type Props = { title: ComponentChildren; closeHref: string; actions?: ComponentChildren; children: ComponentChildren };

export function Sheet({ title, closeHref, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    heading.current?.focus({ preventScroll: true });
    return () => before?.focus?.({ preventScroll: true });
  }, []);
  return (
    <section class="sheet" role="dialog" aria-labelledby="sheet-title">
      <header>
        <h2 id="sheet-title" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <span class="sheet-actions">
          {actions}
          <a class="close" href={closeHref} aria-label="Close" title="Close (Esc)">
            ✕
          </a>
        </span>
      </header>
      <div class="sheet-body">{children}</div>
    </section>
  );
}

/** A part of a sheet that can fold. */
export function Part({
  title,
  note,
  open = true,
  children,
}: {
  title: string;
  note?: string;
  open?: boolean;
  children: ComponentChildren;
}) {
  return (
    <details class="part" open={open}>
      <summary>
        <h3>{title}</h3>
        {note ? <span class="quiet">{note}</span> : null}
      </summary>
      {children}
    </details>
  );
}
