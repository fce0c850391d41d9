// The console's entry: who is signed in, where the reader is, and the page for it.
import { render } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { Session } from "./api";
import { AppContext, type App } from "./app_context";
import { ApiProblem, Client } from "./client";
import { listenForKeys } from "./keys";
import { AgentPage } from "./pages/agent";
import { AttachedPage } from "./pages/attached";
import { CallsPage } from "./pages/calls";
import { ConnectionsPage } from "./pages/connections";
import { FindingsPage } from "./pages/findings";
import { InflightPage } from "./pages/inflight";
import { IssuesPage } from "./pages/issues";
import { OverviewPage } from "./pages/overview";
import { QueriesPage } from "./pages/queries";
import { ReportsPage } from "./pages/reports";
import { RequestsPage } from "./pages/requests";
import { SettingsPage } from "./pages/settings";
import { SignInPage } from "./pages/sign_in";
import { Empty } from "./parts/text";
import { parsePlace, placeHref, type Page } from "./route";
import { Shell } from "./shell";

const kViews: Record<Page, () => ReturnType<typeof OverviewPage>> = {
  overview: OverviewPage,
  findings: FindingsPage,
  requests: RequestsPage,
  inflight: InflightPage,
  issues: IssuesPage,
  queries: QueriesPage,
  calls: CallsPage,
  connections: ConnectionsPage,
  reports: ReportsPage,
  attached: AttachedPage,
  agent: AgentPage,
  settings: SettingsPage,
};

const base = new URL("..", import.meta.url);
const client = new Client(new URL("api/", base).href);

/** Takes the one-time secret out of the URL before anything else sees it. */
function takeOnce(): string {
  const match = /^#once=([A-Za-z0-9_.~-]+)$/.exec(location.hash);
  if (match) history.replaceState(null, "", base);
  return match?.[1] ?? "";
}

/** A typed `/~inlens/requests?status=5xx` means the page behind the fragment. */
function moveIntoFragment(): void {
  const below = location.pathname.slice(base.pathname.length);
  if (below) history.replaceState(null, "", `${base.href}${below === "login" ? "" : `#/${below}${location.search}`}`);
}

function usePlace() {
  const [place, setPlace] = useState(() => parsePlace(location.hash));
  useEffect(() => {
    const follow = (): void => {
      if (location.hash.startsWith("#once=")) location.reload();
      else setPlace(parsePlace(location.hash));
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const setQuery = useCallback((change: Record<string, string>): void => {
    const now = parsePlace(location.hash);
    for (const [key, value] of Object.entries(change)) {
      if (value) now.query.set(key, value);
      else now.query.delete(key);
    }
    history.replaceState(null, "", placeHref(now.page, now.id, now.query));
    setPlace(parsePlace(location.hash));
  }, []);
  return { place, setQuery };
}

function Console({ session, onSignedOut }: { session: Session; onSignedOut: (reason: string) => void }) {
  const { place, setQuery } = usePlace();
  const [paused, setPaused] = useState(false);
  const [help, setHelp] = useState(false);
  const [lostSinceMs, setLost] = useState(0);
  const heard = useCallback(
    (problem: ApiProblem | null): void => {
      if (problem?.status === 401) onSignedOut("Your session has ended.");
      else setLost((before) => (problem?.status === 0 ? before || Date.now() : 0));
    },
    [onSignedOut],
  );
  useEffect(() => listenForKeys({ pause: () => setPaused((value) => !value), help: () => setHelp(true) }), []);
  const app = useMemo<App>(
    () => ({ client, session, place, paused, setQuery, heard }),
    [session, place, paused, setQuery, heard],
  );
  const signOut = (): void => {
    void client
      .change("DELETE", "session")
      .catch(() => undefined)
      .then(() => onSignedOut("Signed out."));
  };
  const View = kViews[place.page as Page];
  return (
    <AppContext.Provider value={app}>
      <Shell
        page={place.page}
        paused={paused}
        onPause={() => setPaused(!paused)}
        help={help}
        onHelp={setHelp}
        lostSinceMs={lostSinceMs}
        onSignOut={signOut}
      >
        {View ? (
          <View key={place.page} />
        ) : (
          <Empty>
            There is no such page. <a href={placeHref("overview")}>To the overview</a>
          </Empty>
        )}
      </Shell>
    </AppContext.Provider>
  );
}

type Stage = { session: Session | null; reason: string; asked: boolean };

function Root({ once }: { once: string }) {
  const [stage, setStage] = useState<Stage>({ session: null, reason: "", asked: once !== "" });
  const signedOut = useCallback((reason: string): void => setStage({ session: null, reason, asked: true }), []);
  useEffect(() => {
    if (once) return;
    client.session().then(
      (session) => setStage({ session, reason: "", asked: true }),
      (error: Error) => signedOut(error instanceof ApiProblem && error.status === 401 ? "" : error.message),
    );
  }, []);
  if (stage.session) return <Console session={stage.session} onSignedOut={signedOut} />;
  if (!stage.asked) return null;
  return (
    <SignInPage
      key={stage.reason}
      client={client}
      once={stage.reason ? "" : once}
      reason={stage.reason}
      onSession={(session) => setStage({ session, reason: "", asked: true })}
    />
  );
}

const once = takeOnce();
moveIntoFragment();
render(<Root once={once} />, document.getElementById("app")!);
