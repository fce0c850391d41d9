// Fresh data for a page: asks again every two seconds while the page is visible and not paused, and keeps what it has
// when an answer fails.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "./app_context";
import { ApiProblem } from "./client";

const kPeriodMs = 2000;

export type Live<T> = { data: T | null; problem: ApiProblem | null; refresh: () => void };

type Held<T> = { path: string; data: T | null; problem: ApiProblem | null };

/** `steady` paths are asked until they answer: a finished request does not change. */
export function useLive<T>(path: string, steady = false): Live<T> {
  const { client, paused, heard } = useApp();
  const [held, setHeld] = useState<Held<T>>({ path, data: null, problem: null });
  const running = useRef<AbortController | null>(null);

  const ask = useCallback(async (): Promise<void> => {
    if (running.current) return;
    const control = new AbortController();
    running.current = control;
    try {
      const data = await client.get<T>(path, control.signal);
      setHeld({ path, data, problem: null });
      heard(null);
    } catch (error) {
      if (control.signal.aborted || !(error instanceof ApiProblem)) return;
      setHeld((before) => ({ path, data: before.path === path ? before.data : null, problem: error }));
      heard(error);
    } finally {
      if (running.current === control) running.current = null;
    }
  }, [client, path]);

  useEffect(() => {
    void ask();
    return () => {
      running.current?.abort();
      running.current = null;
    };
  }, [ask]);

  const settled = steady && held.path === path && held.problem?.code !== "notYet";
  useEffect(() => {
    if (paused || settled) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void ask();
    }, kPeriodMs);
    return () => clearInterval(timer);
  }, [ask, paused, settled]);

  const present = held.path === path ? held : { data: null, problem: null };
  return { data: present.data, problem: present.problem, refresh: () => void ask() };
}
