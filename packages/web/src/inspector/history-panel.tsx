import { useState } from "react";
import { HistoryList } from "../history/history-list.tsx";
import { SavesList } from "../history/saves-list.tsx";
import { SnapshotList } from "../history/snapshot-list.tsx";
import { PanelHeading } from "../parts/panel-heading.tsx";
import type { PanelProps } from "./panel.ts";

const LISTS = [
  { id: "steps", title: "Steps", List: HistoryList },
  { id: "snapshots", title: "Snapshots", List: SnapshotList },
  { id: "saves", title: "Saves", List: SavesList },
] as const;

/** Everything that happened, the snapshots of the files, and the named saves. */
export default function HistoryPanel({ session }: PanelProps) {
  const [shown, setShown] = useState<(typeof LISTS)[number]["id"]>("steps");
  const { List } = LISTS.find(({ id }) => id === shown) ?? LISTS[0];
  return (
    <section className="panel" aria-labelledby="panel-history" data-thread={session.thread}>
      <PanelHeading id="panel-history" title="History" about="Everything that happened. Go back to any point." />
      <fieldset className="segmented mx-4 mb-2" aria-label="What to list">
        {LISTS.map(({ id, title }) => (
          <button key={id} type="button" aria-pressed={id === shown} onClick={() => setShown(id)}>
            {title}
          </button>
        ))}
      </fieldset>
      <List session={session} />
    </section>
  );
}
