// The frame of a page: its heading, what it says while the first answer is under way, and what when there is none.
import type { ComponentChildren } from "preact";
import type { Live } from "../live";

type Props<T> = {
  title: string;
  about: string | ((data: T) => string);
  live: Live<T>;
  children: (data: T) => ComponentChildren;
};

export function PageFrame<T>({ title, about, live, children }: Props<T>) {
  return (
    <>
      <header class="page-head">
        <h1>{title}</h1>
        <p class="quiet">{typeof about === "string" ? about : live.data ? about(live.data) : ""}</p>
      </header>
      {live.data ? children(live.data) : <Waiting live={live} />}
    </>
  );
}

function Waiting<T>({ live }: { live: Live<T> }) {
  if (!live.problem)
    return (
      <p class="empty" aria-busy="true">
        Asking the server…
      </p>
    );
  return (
    <p class="empty">
      {live.problem.message}{" "}
      <button type="button" class="small" onClick={live.refresh}>
        Try again
      </button>
    </p>
  );
}
