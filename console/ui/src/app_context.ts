// What every page needs: the client, where the reader is, whether refreshing is paused, who is signed in.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Session } from "./api";
import type { ApiProblem, Client } from "./client";
import type { Place } from "./route";

export type App = {
  client: Client;
  session: Session;
  place: Place;
  paused: boolean;
  /** Replaces the query of the present place, without a new entry in the browser's history. */
  setQuery: (change: Record<string, string>) => void;
  /** Each answer or failure of a refresh ends here, for the connection banner and the sign-in page. */
  heard: (problem: ApiProblem | null) => void;
};

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("no app around this page");
  return app;
}
