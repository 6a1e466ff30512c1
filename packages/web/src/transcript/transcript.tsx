import { liveText } from "@retake/client";
import { callSummary, type Row, rowsOf } from "@retake/client/screen";
import { preview } from "@retake/core";
import { useMemo } from "react";
import { VList } from "virtua";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { focusStore } from "../data/view-state.ts";

/** The conversation by turns. */
export function Transcript({ session }: { readonly session: Session }) {
  const { view, failure } = useStore(session.store);
  const rows = useMemo(
    () => (view ? rowsOf(view, (turn, fromEnd) => fromEnd >= 20 && turn.status !== "running") : []),
    [view],
  );
  if (failure)
    return (
      <p role="alert" className="error-box m-4">
        {failure}
      </p>
    );
  if (!view) return <p className="text-muted flex-1 p-6">Loading …</p>;
  return (
    <VList className="transcript" role="feed" aria-label="Conversation" tabIndex={0}>
      {rows.map((row) => (
        <RowView key={row.key} row={row} live={row.kind === "entry" ? liveText(view, row.entry.id) : ""} />
      ))}
    </VList>
  );
}

function RowView({ row, live }: { readonly row: Row; readonly live: string }) {
  if (row.kind === "turn")
    return <h3 className="turn-header">{`${row.name} · ${preview({ content: row.turn.prompt })}`}</h3>;
  if (row.kind === "call") return <p className="font-mono text-xs">{callSummary(row.call)}</p>;
  return (
    <article
      aria-label={row.entry.role}
      onFocus={() => {
        const { key, turn, entry, name } = row;
        focusStore.set({ row: key, kind: "entry", turn, entry: entry.id, name });
      }}
    >
      <p className="text-muted text-xs">{row.entry.role}</p>
      <p className="whitespace-pre-wrap">{row.entry.content + live}</p>
    </article>
  );
}
