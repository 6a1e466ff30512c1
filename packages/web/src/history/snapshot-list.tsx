import { plural } from "@retake/client/screen";
import { client } from "../data/connection.ts";
import { say } from "../data/notices.ts";
import { startPlan } from "../data/plan.ts";
import type { Session } from "../data/session.ts";
import { useAnswer } from "../data/use-answer.ts";
import { useVersion } from "../data/use-version.ts";
import { Failure } from "../parts/failure.tsx";
import { shortTime } from "../parts/time.ts";
import { NameForm } from "./name-form.tsx";
import { SNAPSHOT_KINDS } from "./snapshot-kinds.ts";

/** The labelled points of the workspace's files. */
export function SnapshotList({ session }: { readonly session: Session }) {
  const { thread } = session;
  const version = useVersion(session);
  const { answer, failure, again } = useAnswer(() => client.listSnapshots({ thread, limit: 100 }), [thread, version]);
  const take = async (label: string) => {
    const { snapshot } = await client.takeSnapshot({ thread_id: thread, ...(label === "" ? {} : { label }) });
    say(`Snapshot ${snapshot.label || snapshot.id} covers ${plural(snapshot.files, "file")}.`);
    again();
  };
  return (
    <>
      <NameForm label="Label of the snapshot" placeholder="Label" button="Take a snapshot" onName={take} />
      <Failure text={failure} />
      <ul className="min-h-0 flex-1 overflow-y-auto" aria-label="Snapshots">
        {(answer?.snapshots ?? []).map(({ id, label, kind, created_at, files }) => (
          <li key={id} className="flex items-center gap-2 border-b border-line px-4 py-2 text-sm">
            <div className="min-w-0 flex-1">
              <p className="truncate">{label || SNAPSHOT_KINDS[kind]}</p>
              <p className="text-muted text-xs">{`${SNAPSHOT_KINDS[kind]} · ${shortTime(created_at)} · ${plural(files, "file")}`}</p>
            </div>
            <button
              type="button"
              className="button"
              onClick={() =>
                void startPlan(
                  {
                    title: `Restore ${label || SNAPSHOT_KINDS[kind]}`,
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
