import { client } from "../data/connection.ts";
import { sayError } from "../data/notices.ts";
import { messageOf, type Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { useAct } from "../parts/use-act.ts";

export const EXAMPLES = [
  { prompt: "write notes.txt: first idea", about: "makes a file" },
  { prompt: "append notes.txt: and a second one", about: "changes it" },
  { prompt: "run mv notes.txt ideas.txt", about: "runs a command" },
];

/** A thread without entries: what one can do here, with three prompts to try. */
export function EmptyThread({ session }: { readonly session: Session }) {
  const { busy, act } = useAct();
  // The prompt waits until its turn begins, and this screen with it.
  const waits = useStore(session.store, ({ queue }) => queue.length > 0);
  const send = (prompt: string) =>
    client.startTurn(session.thread, { prompt }).catch((error) => sayError(messageOf(error)));
  return (
    <div className="empty">
      <h2>Everything here can be taken back</h2>
      <p className="text-muted">
        Ask for something below, or try one of these. Then press <strong>Undo</strong>: the conversation and your files
        go back together, and your own edits stay.
      </p>
      <ul>
        {EXAMPLES.map(({ prompt, about }) => (
          <li key={prompt}>
            <button
              type="button"
              className="example"
              disabled={busy || waits}
              onClick={(event) => act(event, () => send(prompt))}
            >
              <code>{prompt}</code>
              <span className="text-muted">{about}</span>
            </button>
          </li>
        ))}
      </ul>
      <FirstWords />
    </div>
  );
}

/** The three things to know. */
export function FirstWords() {
  return (
    <p className="text-muted text-sm">
      <strong>Undo</strong> is beside every turn. <strong>New take</strong> tries something else from any entry on, with
      files of its own: both stay. <strong>Changes</strong> shows what each turn did to your files, and takes back any
      part of it.
    </p>
  );
}
