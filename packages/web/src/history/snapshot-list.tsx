import { plural } from "@retake/client/screen";
import { useState } from "react";
import { client } from "../data/connection.ts";
import { say, sayError } from "../data/notices.ts";
import { startPlan } from "../data/plan.ts";
import { messageOf, type Session } from "../data/session.ts";
import { useAnswer } from "../data/use-answer.ts";
import { useVersion } from "../data/use-version.ts";
import { Failure } from "../parts/failure.tsx";
import { shortTime } from "../parts/time.ts";
import { SNAPSHOT_KINDS } from "./snapshot-kinds.ts";

/** The labelled points of the workspace's files. */
export function SnapshotList({ session }: { readonly session: Session }) {
  const { thread } = session;
  const version = useVersion(session);
  const [label, setLabel] = useState("");
  const { answer, failure, again } = useAnswer(() => client.listSnapshots({ thread, limit: 100 }), [thread, version]);
  const take = async () => {
    try {
      const { snapshot } = await client.takeSnapshot({ thread_id: thread, ...(label === "" ? {} : { label }) });
      setLabel("");
      say(`Snapshot ${snapshot.label || snapshot.id} covers ${snapshot.files} files.`);
      again();
    } catch (error) {
      sayError(messageOf(error));
    }
  };
  return (
    <>
      <form
        className="flex gap-2 px-4 pb-2"
        onSubmit={(event) => {
          event.preventDefault();
          void take();
        }}
      >
        <input
          className="field min-w-0 flex-1"
          aria-label="Label of the snapshot"
          placeholder="Label"
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <button type="submit" className="button">
          Take a snapshot
        </button>
      </form>
      <Failure text={failure} />
      <ul className="min-h-0 flex-1 overflow-y-auto" aria-label="Snapshots">
        {(answer?.snapshots ?? []).map(({ id, label: named, kind, created_at, files }) => (
          <li key={id} className="flex items-center gap-2 border-b border-line px-4 py-2 text-sm">
            <div className="min-w-0 flex-1">
              <p className="truncate">{named || SNAPSHOT_KINDS[kind]}</p>
              <p className="text-muted text-xs">{`${SNAPSHOT_KINDS[kind]} · ${shortTime(created_at)} · ${plural(files, "file")}`}</p>
            </div>
            <button
              type="button"
              className="button"
              onClick={() =>
                void startPlan(
                  {
                    title: `Restore ${named || SNAPSHOT_KINDS[kind]}`,
                    call: (options) => client.restoreSnapshot(id, options as never),
                  },
                  "always",
                )
              }
            >
              Restore
            </button>
          </li>
        ))}
        {answer?.snapshots.length === 0 && <li className="text-muted px-4 py-2 text-sm">There is none yet.</li>}
      </ul>
    </>
  );
}
