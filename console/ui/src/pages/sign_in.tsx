// Signing in: with the one-time link (its secret stands in the URL's fragment, which no server log sees) or with a token.
import { useEffect, useState } from "preact/hooks";
import type { Session } from "../api";
import type { Client } from "../client";

type Props = { client: Client; once: string; reason: string; onSession: (session: Session) => void };

export function SignInPage({ client, once, reason, onSession }: Props) {
  const [token, setToken] = useState("");
  const [words, setWords] = useState(reason);
  const [busy, setBusy] = useState(once !== "");

  const attempt = async (secret: { once: string } | { token: string }): Promise<void> => {
    setBusy(true);
    try {
      onSession(await client.signIn(secret));
    } catch (error) {
      setWords(
        "once" in secret
          ? "This link was used already, or is older than 10 minutes. A new one is in the server's start-up lines, or enter the token."
          : (error as Error).message,
      );
    }
    setBusy(false);
  };

  useEffect(() => {
    if (once) void attempt({ once });
  }, []);

  return (
    <main class="sign-in">
      <h1>Inlens</h1>
      {busy ? (
        <p aria-busy="true">Signing in…</p>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (token) void attempt({ token });
          }}
        >
          <p role="status">
            {words || "Open the one-time link that the server printed when it started, or enter the console's token."}
          </p>
          <label class="field main">
            <span>Token</span>
            <input
              type="password"
              autocomplete="off"
              value={token}
              autofocus
              onInput={(event) => setToken(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="strong">
            Sign in
          </button>
          <p class="quiet">
            The token is what <code>INLENS_CONSOLE_TOKEN</code> or <code>console.token</code> says.
          </p>
        </form>
      )}
    </main>
  );
}
