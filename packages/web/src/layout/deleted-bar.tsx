import { recordOf } from "@retake/core";
import { attempt } from "../commands/way-back.ts";
import { client } from "../data/connection.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { readThreads } from "../data/threads.ts";
import { useAct } from "../parts/use-act.ts";

/** Says that the thread on the screen was deleted, here or by another screen, and brings it back. */
export function DeletedBar({ session: { thread, store } }: { readonly session: Session }) {
  const isDeleted = useStore(store, ({ view }) => view && recordOf(view.state, "thread")?.["deleted"] === true);
  const { act } = useAct();
  if (!isDeleted) return null;
  const bringBack = async () => {
    await attempt(thread, "The thread is back.", () => client.changeThread(thread, { deleted: false }));
    void readThreads();
  };
  return (
    <div role="status" className="bar bar-action">
      <p>This thread was deleted. It can still be read, and nothing of it is lost.</p>
      <button type="button" className="button" onClick={(event) => act(event, bringBack)}>
        Bring it back
      </button>
    </div>
  );
}
