import type { client } from "../data/connection.ts";
import type { Turn } from "../data/session.ts";
import { SNAPSHOT_KINDS } from "../history/snapshot-kinds.ts";
import { Icon } from "../parts/icon.tsx";
import { type DiffSource, SOURCES } from "./diff-source.ts";

type Snapshot = Awaited<ReturnType<typeof client.listSnapshots>>["snapshots"][number];

/** Chooses what is reviewed. */
export function SourceChooser({
  source,
  turns,
  snapshots,
  onChange,
}: {
  readonly source: DiffSource;
  readonly turns: readonly Turn[];
  readonly snapshots: readonly Snapshot[];
  readonly onChange: (source: DiffSource) => void;
}) {
  const last = turns.at(-1)?.name ?? "";
  const start: Readonly<Record<DiffSource["kind"], DiffSource>> = {
    turn: { kind: "turn", turn: last },
    call: { kind: "turn", turn: last },
    range: { kind: "range", from: turns[0]?.name ?? "", to: last },
    take: { kind: "take" },
    snapshot: { kind: "snapshot", snapshot: snapshots[0]?.id ?? "" },
    working: { kind: "working" },
  };
  const turnSelect = (label: string, value: string, choose: (name: string) => void) => (
    <select className="field" aria-label={label} value={value} onChange={(event) => choose(event.target.value)}>
      {turns.map(({ id, name = id, prompt }) => (
        <option key={id} value={name}>{`${name} ${prompt.slice(0, 40)}`}</option>
      ))}
    </select>
  );
  return (
    <div className="flex flex-wrap gap-2 px-4 pb-2">
      <select
        className="field"
        aria-label="What to review"
        value={source.kind === "call" ? "turn" : source.kind}
        onChange={(event) => onChange(start[event.target.value as DiffSource["kind"]])}
      >
        {SOURCES.map(({ kind, title }) => (
          <option key={kind} value={kind}>
            {title}
          </option>
        ))}
      </select>
      {(source.kind === "turn" || source.kind === "call") &&
        turnSelect("Turn", source.turn, (turn) => onChange({ kind: "turn", turn }))}
      {source.kind === "call" && (
        <button type="button" className="button" onClick={() => onChange({ kind: "turn", turn: source.turn })}>
          {`Only call ${source.call}`} <Icon name="close" />
          <span className="sr-only">: show the whole turn</span>
        </button>
      )}
      {source.kind === "range" && (
        <>
          {turnSelect("First turn", source.from, (from) => onChange({ ...source, from }))}
          {turnSelect("Last turn", source.to, (to) => onChange({ ...source, to }))}
        </>
      )}
      {source.kind === "snapshot" && (
        <select
          className="field"
          aria-label="Snapshot"
          value={source.snapshot}
          onChange={(event) => onChange({ kind: "snapshot", snapshot: event.target.value })}
        >
          {snapshots.map(({ id, label, kind }) => (
            <option key={id} value={id}>{`${label || SNAPSHOT_KINDS[kind]} (${id.slice(0, 8)})`}</option>
          ))}
        </select>
      )}
    </div>
  );
}
