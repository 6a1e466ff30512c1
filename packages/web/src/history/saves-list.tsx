import { useState } from "react";
import { client } from "../data/connection.ts";
import { say, sayError } from "../data/notices.ts";
import { messageOf, type Session } from "../data/session.ts";
import { useAnswer } from "../data/use-answer.ts";
import { Failure } from "../parts/failure.tsx";
import { shortTime } from "../parts/time.ts";

/** The named saves of the thread: points to come back to. */
export function SavesList({ session }: { readonly session: Session }) {
  const { thread } = session;
  const [name, setName] = useState("");
  const [refusal, setRefusal] = useState<string>();
  const { answer, failure, again } = useAnswer(() => client.listSessions({ thread }), [thread]);
  const save = async () => {
    try {
      const { session: saved, replaced } = await client.saveSession({
        thread_id: thread,
        ...(name === "" ? {} : { session_id: name }),
      });
      setName("");
      setRefusal(undefined);
      say(`Saved as ${saved.id}${replaced ? ", in the place of an earlier save" : ""}.`);
      again();
    } catch (error) {
      setRefusal(messageOf(error));
    }
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
      <form
        className="flex gap-2 px-4 pb-2"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <input
          className="field min-w-0 flex-1"
          aria-label="Name of the save"
          placeholder="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="button">
          Save this point
        </button>
      </form>
      <Failure text={refusal ?? failure} />
      <ul className="min-h-0 flex-1 overflow-y-auto" aria-label="Saves">
        {(answer?.sessions ?? [])
          .filter(({ thread_id }) => thread_id === thread)
          .map(({ id, title, created_at }) => (
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
