import { client } from "../data/connection.ts";
import { sayError } from "../data/notices.ts";
import { messageOf, type Session } from "../data/session.ts";

const EXAMPLES = [
  { prompt: "write notes.txt: first idea", about: "makes a file" },
  { prompt: "append notes.txt: and a second one", about: "changes it" },
  { prompt: "run mv notes.txt ideas.txt", about: "runs a command" },
];

/** A thread without entries: what one can do here, with three prompts to try. */
export function EmptyThread({ session }: { readonly session: Session }) {
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
            <button type="button" className="example" onClick={() => void send(prompt)}>
              <code>{prompt}</code>
              <span className="text-muted">{about}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="text-muted text-sm">
        <strong>Branch here</strong> at any entry makes a take: another line of the conversation, with files of its own.{" "}
        <strong>Changes</strong> shows what each turn did to your files.
      </p>
    </div>
  );
}
