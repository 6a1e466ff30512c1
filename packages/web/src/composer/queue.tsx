import { preview } from "@retake/core";
import { client } from "../data/connection.ts";
import { sayError } from "../data/notices.ts";
import { messageOf, type Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { Icon } from "../parts/icon.tsx";

/** Prompts that wait. Editing one takes it out of the queue and puts its text into the draft. */
export function Queue({ session, onEdit }: { readonly session: Session; readonly onEdit: (text: string) => void }) {
  const queue = useStore(session.store, (state) => state.queue);
  if (queue.length === 0) return null;
  const remove = async (turn: string, prompt?: string) => {
    try {
      await client.removeQueuedTurn(session.thread, turn);
      if (prompt !== undefined) onEdit(prompt);
    } catch (error) {
      sayError(messageOf(error));
    }
  };
  const isPaused = queue.some(({ status }) => status === "paused");
  const goOn = () => client.continueTurns(session.thread, {}).catch((error) => sayError(messageOf(error)));
  return (
    <ul className="queue" aria-label="Queued prompts">
      {isPaused && (
        <li>
          <button type="button" className="button" title="Retake ended before these prompts began" onClick={goOn}>
            <Icon name="send" className="size-3" /> Run paused prompts
          </button>
        </li>
      )}
      {queue.map(({ id, prompt }) => (
        <li key={id} className="chip">
          <button type="button" title="Edit: takes it out of the queue" onClick={() => void remove(id, prompt)}>
            {preview({ content: prompt }, 40)}
          </button>
          <button
            type="button"
            aria-label={`Remove from the queue: ${preview({ content: prompt }, 40)}`}
            onClick={() => void remove(id)}
          >
            <Icon name="close" className="size-3" />
          </button>
        </li>
      ))}
    </ul>
  );
}
