// The filter of the request list. Its state is the URL's query, so a link restores it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Requests } from "../api";
import { useApp } from "../app_context";
import { count } from "../format";
import { placeHref } from "../route";

export const kFilterKeys = ["q", "method", "status", "route", "minDurationMs", "error"] as const;
const kClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"];
const kMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const kTypingMs = 200;

export function RequestFilter({ data }: { data: Requests }) {
  const { place, setQuery } = useApp();
  const set = (key: string, value: string): void => setQuery({ [key]: value, offset: "" });
  const value = (key: string): string => place.query.get(key) ?? "";
  const active = kFilterKeys.some((key) => value(key));
  return (
    <search class="filter">
      <TypedField
        label="Filter"
        hint="path, route or id"
        name="q"
        value={value("q")}
        onValue={(text) => set("q", text)}
        main
      />
      <Choice label="Method" value={value("method")} options={kMethods} onValue={(text) => set("method", text)} />
      <Choice label="Status" value={value("status")} options={kClasses} onValue={(text) => set("status", text)} />
      <TypedField
        label="At least, ms"
        hint="0"
        name="minDurationMs"
        value={value("minDurationMs")}
        onValue={(text) => set("minDurationMs", text.replace(/\D/g, ""))}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={value("error") === "1"}
          onChange={(event) => set("error", event.currentTarget.checked ? "1" : "")}
        />{" "}
        with errors
      </label>
      {value("route") ? (
        <button type="button" class="small" onClick={() => set("route", "")}>
          route {value("route")} ✕
        </button>
      ) : null}
      {active ? (
        <a class="clear" href={placeHref("requests")}>
          Clear
        </a>
      ) : null}
      <span class="quiet filter-count" role="status">
        {active ? `${count(data.total)} of ${count(data.held)} kept` : `${count(data.held)} kept`} · {count(data.seen)}{" "}
        seen
      </span>
    </search>
  );
}

type FieldProps = {
  label: string;
  hint: string;
  name: string;
  value: string;
  onValue: (text: string) => void;
  main?: boolean;
};

/** Tells its value after a short rest, not with every key. */
function TypedField({ label, hint, name, value, onValue, main }: FieldProps) {
  const [text, setText] = useState(value);
  const timer = useRef(0);
  useEffect(() => setText(value), [value]);
  const typed = (next: string): void => {
    setText(next);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onValue(next), kTypingMs);
  };
  return (
    <label class={main ? "field main" : "field"}>
      <span>{label}</span>
      <input
        type={main ? "search" : "text"}
        name={name}
        value={text}
        placeholder={hint}
        spellcheck={false}
        autocomplete="off"
        inputMode={main ? "search" : "numeric"}
        {...(main ? { "data-filter": "" } : {})}
        onInput={(event) => typed(event.currentTarget.value)}
      />
    </label>
  );
}

type ChoiceProps = { label: string; value: string; options: string[]; onValue: (text: string) => void };

function Choice({ label, value, options, onValue }: ChoiceProps) {
  const all = value && !options.includes(value) ? [value, ...options] : options;
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        <option value="">any</option>
        {all.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
}
