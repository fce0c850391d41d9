// Small pieces of text that console and bar share: SQL with its keywords set off, copy button, marks, facts.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { statusText, statusTone } from "../format";

const kKeywords = new RegExp(
  String.raw`\b(SELECT|FROM|WHERE|AND|OR|NOT|IN|IS|NULL|AS|ON|JOIN|LEFT|RIGHT|INNER|OUTER|CROSS|` +
    String.raw`GROUP|ORDER|BY|HAVING|LIMIT|OFFSET|UNION|ALL|DISTINCT|EXISTS|BETWEEN|LIKE|CASE|WHEN|THEN|ELSE|END|WITH|RECURSIVE|` +
    String.raw`INSERT|INTO|VALUES|UPDATE|SET|DELETE|RETURNING|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|IMMEDIATE|TRANSACTION|` +
    String.raw`CREATE|TABLE|INDEX|PRAGMA|EXPLAIN|DESC|ASC)\b`,
  "gi",
);

/** Statement text with keywords in bold. Everything is text. */
export function Sql({ text }: { text: string }) {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const match of text.matchAll(kKeywords)) {
    parts.push(text.slice(at, match.index), <b>{match[0]}</b>);
    at = match.index + match[0].length;
  }
  parts.push(text.slice(at));
  return <code class="sql">{parts}</code>;
}

/** One line of a longer text, for rows. */
export function oneLine(text: string): string {
  return text.slice(0, 400).replace(/\s+/g, " ").trim();
}

export function CopyButton({ text, what = "Copy" }: { text: string; what?: string }) {
  const [said, setSaid] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("Not allowed here");
    }
    setTimeout(() => setSaid(""), 1500);
  };
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      <span aria-live="polite">{said || what}</span>
    </button>
  );
}

const kToneSigns = { bad: "✕ ", warn: "! ", ok: "" };

export function Status({ status }: { status: number }) {
  const tone = statusTone(status);
  return (
    <span class={`status ${tone}`}>
      {kToneSigns[tone]}
      {statusText(status)}
    </span>
  );
}

export type Fact = { name: string; value: ComponentChildren; note?: ComponentChildren };

export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl class="facts">
      {facts.map((fact) => (
        <div key={fact.name}>
          <dt>{fact.name}</dt>
          <dd>
            {fact.value}
            {fact.note ? <small>{fact.note}</small> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
