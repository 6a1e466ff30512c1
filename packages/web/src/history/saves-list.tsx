import { client } from "../data/connection.ts";
import { say, sayError } from "../data/notices.ts";
import { messageOf, type Session } from "../data/session.ts";
import { useAnswer } from "../data/use-answer.ts";
import { Failure } from "../parts/failure.tsx";
import { shortTime } from "../parts/time.ts";
import { NameForm } from "./name-form.tsx";

/** The named saves of the thread: points to come back to. */
export function SavesList({ session }: { readonly session: Session }) {
  const { thread } = session;
  const { answer, failure, again } = useAnswer(() => client.listSessions({ thread }), [thread]);
  const save = async (name: string) => {
    const { session: saved, replaced } = await client.saveSession({
      thread_id: thread,
      ...(name === "" ? {} : { session_id: name }),
    });
    say(`Saved as ${saved.id}${replaced ? ", in the place of an earlier save" : ""}.`);
    again();
  };
  const resume = async (id: string) => {
    try {
      await client.resumeSession(id);
      say(`Went on from ${id}.`);
    } catch (error) {
      sayError(messageOf(error));
    }
  };
  return (
    <>
      <NameForm label="Name of the save" placeholder="Name" button="Save this point" onName={save} />
      <Failure text={failure} />
      <ul className="min-h-0 flex-1 overflow-y-auto" aria-label="Saves">
        {(answer?.sessions ?? []).map(({ id, title, created_at }) => (
          <li key={id} className="flex items-center gap-2 border-b border-line px-4 py-2 text-sm">
            <div className="min-w-0 flex-1">
              <p className="truncate">{id}</p>
              <p className="text-muted text-xs">{`${title} · ${shortTime(created_at)}`}</p>
            </div>
            <button type="button" className="button" onClick={() => void resume(id)}>
              Go on from here
            </button>
          </li>
        ))}
        {answer?.sessions.length === 0 && <li className="text-muted px-4 py-2 text-sm">There is none yet.</li>}
      </ul>
    </>
  );
}
