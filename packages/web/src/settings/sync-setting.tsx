import { plural, syncHead } from "@retake/client/screen";
import { useState } from "react";
import { client } from "../data/connection.ts";
import { say, sayError } from "../data/notices.ts";
import { messageOf } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { syncState } from "../data/sync.ts";
import { useAnswer } from "../data/use-answer.ts";
import { duration } from "../parts/time.ts";

/** Of the threads that are not synced. */
const MOST_THREADS = 20;

/** The state of sync with its reasons, and the links that others read this thread by. */
export function SyncSetting({ thread }: { readonly thread: string }) {
  const summary = useStore(syncState);
  const { answer: status, failure, again } = useAnswer(() => client.getSync(), [summary]);
  return (
    <div className="flex flex-col gap-2 border-t border-line px-4 py-3" data-testid="sync">
      <h3 className="text-sm font-medium">Sync</h3>
      {failure !== undefined && <p className="text-bad text-sm">{failure}</p>}
      {status?.state === "off" && (
        <p className="text-muted text-xs">
          Everything stays on this machine. To have your threads on several: <code>retake sync login</code>
        </p>
      )}
      {status && status.state !== "off" && (
        <>
          <p className="text-sm">
            {status.state === "linking"
              ? "This machine waits to be linked."
              : `${syncHead(status.state, status.problem !== undefined)} ${status.url}`}
            {status.synced_at !== undefined && ` · ${duration(Date.now() - status.synced_at)} ago`}
          </p>
          {status.problem && <p className="text-warn text-sm">{status.problem.message}</p>}
          {status.threads.slice(0, MOST_THREADS).map(({ thread_id, title, pending, error, next_try }) => (
            <p key={thread_id} className="text-muted text-xs">
              {title}
              {pending > 0 && `: ${pending} to send`}
              {error && `. ${error.message}`}
              {next_try !== undefined && ` Next try in ${duration(next_try - Date.now())}.`}
            </p>
          ))}
          {status.threads.length > MOST_THREADS && (
            <p className="text-muted text-xs">and {plural(status.threads.length - MOST_THREADS, "more thread")}</p>
          )}
          {status.removed.some(({ thread_id }) => thread_id === thread) ? (
            <p className="text-muted text-xs">
              This thread was removed from the server. It stays on this machine, and is not synced any more.
            </p>
          ) : (
            status.state !== "linking" && <Sharing thread={thread} onRemoved={again} />
          )}
        </>
      )}
    </div>
  );
}

function Sharing({ thread, onRemoved }: { readonly thread: string; readonly onRemoved: () => void }) {
  const [busy, setBusy] = useState(false);
  const { answer, again } = useAnswer(() => client.listShares(), [thread]);
  const shares = answer?.shares.filter((each) => each.thread_id === thread) ?? [];
  const link = shares.find(({ readers }) => readers === "link")?.link;
  const doing = async (task: () => Promise<string>) => {
    setBusy(true);
    try {
      say(await task());
    } catch (error) {
      sayError(messageOf(error));
    }
    setBusy(false);
    again();
  };
  return (
    <>
      <div className="flex flex-wrap gap-1">
        <button
          type="button"
          className="button"
          disabled={busy}
          onClick={() =>
            void doing(async () => ((await client.syncNow()).state === "synced" ? "Synced." : "Not all is synced yet."))
          }
        >
          Sync now
        </button>
        <button
          type="button"
          className="button"
          disabled={busy}
          onClick={() =>
            void doing(async () => `Shared ${(await client.shareThread(thread, {})).share.title} as it is now.`)
          }
        >
          {link === undefined ? "Share by a link" : "Share as it is now"}
        </button>
        {shares.length > 0 && (
          <button
            type="button"
            className="button"
            disabled={busy}
            onClick={() => void doing(() => client.unshareThread(thread).then(() => "Not shared any more."))}
          >
            End sharing
          </button>
        )}
      </div>
      {link !== undefined && (
        <input
          className="field"
          readOnly
          aria-label="Link to this thread"
          value={link}
          onFocus={(event) => event.target.select()}
        />
      )}
      <Removal
        busy={busy}
        remove={() => void doing(() => client.removeFromSync(thread).then(removed)).then(onRemoved)}
      />
      <p className="text-muted text-xs">
        Everybody with the link reads the conversation as it is now, with the output of commands. The key is in the
        link; the server cannot read it.
      </p>
    </>
  );
}

function removed({ retention_days }: { readonly retention_days: number }): string {
  return `Removed from the server, which deletes its copy after ${retention_days} days.`;
}

/** Asks before a thread leaves the server: nothing brings it back there. */
function Removal({ busy, remove }: { readonly busy: boolean; readonly remove: () => void }) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <button type="button" className="button self-start" aria-expanded={asks} onClick={() => setAsks(!asks)}>
        Remove from the server
      </button>
      {asks && (
        <fieldset>
          <legend className="text-warn text-xs">
            It is removed for all machines and for good, with its links. It stays on the machines that have it, and is
            not synced between them any more.
          </legend>
          <button type="button" className="button" disabled={busy} onClick={remove}>
            Remove for good
          </button>
        </fieldset>
      )}
    </>
  );
}
