// Settings: every setting with its value, where it comes from and what is allowed; live ones change here.
import { useEffect, useState } from "preact/hooks";
import type { Setting, Settings, SettingValue } from "../api";
import { useApp } from "../app_context";
import { useLive } from "../live";
import { Empty } from "../parts/text";
import { PageFrame } from "./page";

export function SettingsPage() {
  const { place, setQuery } = useApp();
  const live = useLive<Settings>("settings");
  const wanted = (place.query.get("q") ?? "").toLowerCase();
  return (
    <PageFrame
      title="Settings"
      about="Live ones change here until the next start; the others in the file or the environment."
      live={live}
    >
      {(data) => {
        const rows = data.items.filter((row) => `${row.key} ${row.description}`.toLowerCase().includes(wanted));
        return (
          <>
            <search class="filter">
              <label class="field main">
                <span>Filter</span>
                <input
                  type="search"
                  data-filter=""
                  value={place.query.get("q") ?? ""}
                  placeholder="part of the key"
                  spellcheck={false}
                  autocomplete="off"
                  onInput={(event) => setQuery({ q: event.currentTarget.value })}
                />
              </label>
            </search>
            {rows.length === 0 ? (
              <Empty>No setting matches.</Empty>
            ) : (
              <table class="rows settings" aria-label="Settings">
                <thead>
                  <tr>
                    {["Setting", "Value", "Source", "Default", "Allowed"].map((name) => (
                      <th key={name} scope="col">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <SettingRow key={row.key} setting={row} onDone={live.refresh} />
                  ))}
                </tbody>
              </table>
            )}
          </>
        );
      }}
    </PageFrame>
  );
}

function valueText(value: SettingValue): string {
  if (value === null) return "none";
  return Array.isArray(value) ? value.join(", ") || "none" : value === "" ? "empty" : String(value);
}

function SettingRow({ setting, onDone }: { setting: Setting; onDone: () => void }) {
  const { session } = useApp();
  const editable = setting.live && !setting.secret && session.role === "admin";
  const unit = setting.unit ? ` ${setting.unit}` : "";
  return (
    <tr>
      <td class="lead">
        <code>{setting.key}</code>
        <small>{setting.description}</small>
      </td>
      <td data-label="Value">
        {editable ? (
          <Editor setting={setting} onDone={onDone} />
        ) : (
          <span class="value">{setting.secret ? "hidden" : valueText(setting.value) + unit}</span>
        )}
      </td>
      <td data-label="Source">
        <span class="mark">{setting.source}</span>
        {setting.live ? <span class="mark">live</span> : null}
        <small>
          <code>{setting.environment}</code>
        </small>
      </td>
      <td data-label="Default" class="quiet">
        {setting.secret ? "" : valueText(setting.default) + unit}
      </td>
      <td data-label="Allowed" class="quiet">
        {setting.allowed}
      </td>
    </tr>
  );
}

type Outcome = { words: string; bad: boolean; before?: SettingValue };

function Editor({ setting, onDone }: { setting: Setting; onDone: () => void }) {
  const { client } = useApp();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const put = async (value: SettingValue, undoing: boolean): Promise<void> => {
    try {
      await client.change("PUT", `settings/${encodeURIComponent(setting.key)}`, { value });
      setOutcome(undoing ? { words: "Undone", bad: false } : { words: "Saved", bad: false, before: setting.value });
    } catch (error) {
      setOutcome({ words: (error as Error).message, bad: true });
    }
    onDone();
  };
  const undo = outcome?.before;
  return (
    <span class="editor">
      <Control setting={setting} onValue={(value) => void put(value, false)} />
      {setting.unit ? ` ${setting.unit}` : ""}
      <span role="status" class={outcome?.bad ? "bad-text" : "quiet"}>
        {outcome?.words}
      </span>
      {undo === undefined ? null : (
        <button type="button" class="small" onClick={() => void put(undo, true)}>
          Undo
        </button>
      )}
    </span>
  );
}

type ControlProps = { setting: Setting; onValue: (value: SettingValue) => void };

function Control({ setting, onValue }: ControlProps) {
  if (setting.type === "boolean")
    return (
      <input
        type="checkbox"
        aria-label={setting.key}
        checked={setting.value === true}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
    );
  if (setting.type === "choice") {
    return (
      <select
        aria-label={setting.key}
        value={String(setting.value)}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {setting.choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  return <TextControl setting={setting} onValue={onValue} />;
}

function TextControl({ setting, onValue }: ControlProps) {
  const given = Array.isArray(setting.value) ? setting.value.join(", ") : String(setting.value ?? "");
  const numeric = setting.type === "integer" || setting.type === "number";
  const [text, setText] = useState(given);
  useEffect(() => setText(given), [given]);
  const send = (): void => {
    if (text === given) return;
    if (setting.type === "list")
      onValue(
        text
          .split(",")
          .map((part) => part.trim())
          .filter(Boolean),
      );
    else onValue(numeric && text.trim() !== "" && !Number.isNaN(Number(text)) ? Number(text) : text);
  };
  return (
    <input
      aria-label={setting.key}
      value={text}
      inputMode={numeric ? "decimal" : "text"}
      size={numeric ? 8 : 18}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => setText(event.currentTarget.value)}
      onChange={send}
    />
  );
}
