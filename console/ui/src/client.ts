// The console's way to its JSON API: same origin, session cookie, CSRF token on changes, errors as values of ApiProblem.
import type { ApiError, Session } from "./api";

const kTimeoutMs = 8000;

/** An answer other than 2xx, or none at all (`status` 0). */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export class Client {
  private csrf = "";

  /** `base` ends with a slash; paths below it are those of the API description. */
  constructor(private readonly base: string) {}

  get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.send<T>("GET", path, undefined, signal);
  }

  /** A change: POST, PUT or DELETE with the session's CSRF token. */
  change<T>(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<T> {
    return this.send<T>(method, path, body);
  }

  async session(): Promise<Session> {
    return this.remember(await this.get<Session>("session"));
  }

  async signIn(secret: { once: string } | { token: string }): Promise<Session> {
    return this.remember(await this.change<Session>("POST", "session", secret));
  }

  private remember(session: Session): Session {
    this.csrf = session.csrf;
    return session;
  }

  private async send<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), kTimeoutMs);
    signal?.addEventListener("abort", () => timeout.abort());
    try {
      const answer = await fetch(this.base + path, this.init(method, body, timeout.signal));
      if (!answer.ok) throw await problemOf(answer);
      return (answer.status === 204 ? undefined : await answer.json()) as T;
    } catch (error) {
      if (error instanceof ApiProblem || signal?.aborted) throw error;
      throw new ApiProblem(0, "unreachable", "The server does not answer.");
    } finally {
      clearTimeout(timer);
    }
  }

  private init(method: string, body: unknown, signal: AbortSignal): RequestInit {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (method !== "GET" && this.csrf) headers["X-Inlens-Csrf"] = this.csrf;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const init: RequestInit = {
      method,
      headers,
      signal,
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
    };
    return body === undefined ? init : { ...init, body: JSON.stringify(body) };
  }
}

async function problemOf(answer: Response): Promise<ApiProblem> {
  try {
    const { error } = (await answer.json()) as ApiError;
    return new ApiProblem(answer.status, error.code, error.message);
  } catch {
    return new ApiProblem(answer.status, "unknown", `The server answered ${answer.status}.`);
  }
}
