// Attached: which libraries of the server Inlens sees by itself, and why not the others.
import type { Attached, CollectorRow } from "../api";
import { count } from "../format";
import { useLive } from "../live";
import { Empty } from "../parts/text";
import { PageFrame } from "./page";

export function AttachedPage() {
  const live = useLive<Attached>("attached");
  return (
    <PageFrame title="Attached" about="Libraries of the server whose work is seen without touching it." live={live}>
      {(data) => (data.items.length > 0 ? <Collectors rows={data.items} /> : <NothingAttached />)}
    </PageFrame>
  );
}

function NothingAttached() {
  return (
    <Empty>
      Statements and calls are those that the server marks itself. Start it with <code>inlens run -- program …</code> to
      see SQLite, PostgreSQL, MariaDB and libcurl without touching it.
    </Empty>
  );
}

const kStates: Record<CollectorRow["state"], string> = {
  on: "✓ on",
  off: "– off",
  notFound: "– not found",
  impossible: "✕ impossible",
};

function Collectors({ rows }: { rows: CollectorRow[] }) {
  const on = rows.filter((row) => row.state === "on").length;
  return (
    <>
      <p class="sum">
        {count(on)} of {count(rows.length)} on
      </p>
      <table class="plain attached" aria-label="Collectors">
        <thead>
          <tr>
            <th scope="col">Collector</th>
            <th scope="col">State</th>
            <th scope="col">Detail</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              <td class={`state ${row.state}`}>{kStates[row.state]}</td>
              <td class="quiet">{row.detail}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
