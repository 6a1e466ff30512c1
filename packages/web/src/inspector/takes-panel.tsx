import { useState } from "react";
import { useLocation } from "wouter";
import { deleteTake, switchTake } from "../commands/history-commands.ts";
import { renameTake } from "../commands/thread-commands.ts";
import { client } from "../data/connection.ts";
import { useAnswer } from "../data/use-answer.ts";
import { useVersion } from "../data/use-version.ts";
import { uncoverCentre } from "../data/view-state.ts";
import { Failure } from "../parts/failure.tsx";
import { NameForm } from "../parts/name-form.tsx";
import { PanelHeading } from "../parts/panel-heading.tsx";
import { type ListedTake, takeRows } from "../takes/take-rows.ts";
import { TakeTree } from "../takes/take-tree.tsx";
import type { PanelProps } from "./panel.ts";

/** The takes of the thread as a tree: where each leaves, which is active, and what can be done with each. */
export default function TakesPanel({ session }: PanelProps) {
  const { thread } = session;
  const version = useVersion(session);
  const [renaming, setRenaming] = useState<ListedTake>();
  const [, go] = useLocation();
  const { answer, failure } = useAnswer(() => client.listTakes(thread), [thread, version]);
  const takes = answer?.takes ?? [];
  const active = takes.find((take) => take.active);
  const compare = (a: string, b: string) => {
    uncoverCentre();
    go(`/t/${thread}/compare/${a}/${b}`);
  };
  return (
    <section className="panel" aria-labelledby="panel-takes" data-thread={thread}>
      <PanelHeading id="panel-takes" title="Takes" about="Lines of this thread, each with its own files." />
      <Failure text={failure} />
      <div className="px-4">
        <TakeTree rows={takeRows(takes)}>
          {(row) =>
            row.kind === "branch" ? (
              <span className="text-muted text-xs">{`${row.turn || "beginning"} of ${row.take.name}`}</span>
            ) : (
              <HeadRow
                take={row.take}
                onSwitch={() => void switchTake(thread, row.take.id, row.take.name)}
                onCompare={active && !row.take.active ? () => compare(active.id, row.take.id) : undefined}
                onRename={() => setRenaming(row.take)}
                onDelete={takes.length > 1 ? () => void deleteTake(thread, row.take.id, row.take.name) : undefined}
              />
            )
          }
        </TakeTree>
      </div>
      {renaming && (
        <NameForm
          title="Rename the take"
          value={renaming.name}
          onClose={() => setRenaming(undefined)}
          onName={(name) => renameTake(thread, renaming.id, name)}
        />
      )}
    </section>
  );
}

function HeadRow(props: {
  readonly take: ListedTake;
  readonly onSwitch: () => void;
  readonly onCompare: (() => void) | undefined;
  readonly onRename: () => void;
  readonly onDelete: (() => void) | undefined;
}) {
  const { take, onSwitch, onCompare, onRename, onDelete } = props;
  const { name, active, running, entries } = take;
  return (
    <>
      <div className="flex min-w-0 items-baseline gap-2">
        <p className={`truncate text-sm ${active ? "font-semibold" : ""}`}>{name}</p>
        <p className="text-muted shrink-0 text-xs">
          {[active ? "active" : "", running ? "running" : "", `${entries} entries`].filter(Boolean).join(" · ")}
        </p>
      </div>
      <div className="-ml-[7px] flex gap-1">
        {!active && (
          <button type="button" className="small-button" aria-label={`Switch to ${name}`} onClick={onSwitch}>
            Switch
          </button>
        )}
        {onCompare && (
          <button type="button" className="small-button" aria-label={`Compare with ${name}`} onClick={onCompare}>
            Compare
          </button>
        )}
        <button type="button" className="small-button" aria-label={`Rename ${name}`} onClick={onRename}>
          Rename
        </button>
        {onDelete && (
          <button type="button" className="small-button" aria-label={`Delete ${name}`} onClick={onDelete}>
            Delete
          </button>
        )}
      </div>
    </>
  );
}
