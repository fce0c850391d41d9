// Errors with their frames, and messages: of one request, and the frames of an issue's samples.
import type { ComponentChildren } from "preact";
import type { Frame, RequestDetail, RequestError } from "../api";
import { counted, duration } from "../format";
import { Empty } from "./text";
import { VirtualList } from "./virtual";
import { CutNote } from "./waterfall";

type IssueLink = (id: string, words: string) => ComponentChildren;
type ErrorsProps = { detail: RequestDetail; issueLink: IssueLink };

export function Errors({ detail, issueLink }: ErrorsProps) {
  if (detail.counts.errors === 0) return <Empty>No error was reported during this request.</Empty>;
  return (
    <div class="errors">
      {detail.errors.map((error, at) => (
        <OneError key={at} error={error} issueLink={issueLink} />
      ))}
      {detail.counts.cut.errors > 0 ? <CutNote detail={detail} /> : null}
    </div>
  );
}

function OneError({ error, issueLink }: { error: RequestError; issueLink: IssueLink }) {
  return (
    <article class="error">
      <h4>
        <span class={error.handled ? "mark" : "mark bad"}>{error.handled ? "handled" : "✕ unhandled"}</span>{" "}
        {error.type}
        {error.code ? ` (${error.code})` : ""}
      </h4>
      <p class="message">{error.message}</p>
      <p class="quiet">
        at +{duration(error.atNs)}
        {error.issueId ? <> · {issueLink(error.issueId, "all of this issue")}</> : null}
      </p>
      <Frames frames={error.frames} />
    </article>
  );
}

/** Frames innermost first; the host's own stand out. */
export function Frames({ frames }: { frames: Frame[] }) {
  if (frames.length === 0) return null;
  return (
    <ol class="frames">
      {frames.map((frame, at) => (
        <li key={at} class={frame.inApp ? "own" : ""}>
          <code>{frame.function}</code>
          <span class="quiet">
            {" "}
            {frame.file ? `${frame.file}${frame.line === null ? "" : `:${frame.line}`}` : frame.module}
          </span>
        </li>
      ))}
    </ol>
  );
}

const kMessageHeight = 24;
const kSigns = { debug: "debug", info: "info", warning: "! warning", error: "✕ error" };

export function Messages({ detail }: { detail: RequestDetail }) {
  const { messages, timers } = detail;
  if (messages.length === 0 && timers.length === 0) {
    return (
      <Empty>
        No message and no timer. The server adds them with <code>inlens_message_add</code> and timer spans.
      </Empty>
    );
  }
  return (
    <div class="messages">
      {messages.length > 0 ? (
        <VirtualList
          count={messages.length}
          rowHeight={kMessageHeight}
          maxRows={10}
          label="Messages"
          row={(at) => {
            const message = messages[at]!;
            return (
              <div key={at} class={`mrow s-${message.severity}`} title={message.text}>
                <span class="num">+{duration(message.atNs)}</span>
                <span class="severity">{kSigns[message.severity]}</span>
                <span class="mtext">{message.text}</span>
              </div>
            );
          }}
        />
      ) : null}
      {timers.length > 0 ? (
        <ul class="timers">
          {timers.map((timer) => (
            <li key={timer.name}>
              <b>{timer.name}</b> {duration(timer.totalNs)}
              {timer.count > 1 ? ` in ${counted(timer.count, "run")}, at most ${duration(timer.maxNs)}` : ""}
            </li>
          ))}
        </ul>
      ) : null}
      {detail.counts.cut.messages > 0 ? <CutNote detail={detail} /> : null}
    </div>
  );
}
