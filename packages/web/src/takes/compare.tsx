import { useState } from "react";
import { useLocation } from "wouter";
import { client } from "../data/connection.ts";
import { startPlan } from "../data/plan.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { useAnswer } from "../data/use-answer.ts";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { Hunks } from "../review/hunks.tsx";

type Compared = Awaited<ReturnType<typeof client.compareTakes>>;
type Entry = Compared["entries"]["a"][number];

/** Two takes side by side: what they say after their common beginning, and how their files differ. */
export function Compare({ session, a, b }: { readonly session: Session; readonly a: string; readonly b: string }) {
  const { thread } = session;
  const version = useStore(session.store, ({ view }) => view?.state.version);
  const [shown, setShown] = useState<"conversation" | "files">("conversation");
  const [, go] = useLocation();
  const { answer, failure } = useAnswer(() => client.compareTakes(thread, a, b), [thread, a, b, version]);
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="compare">
      <div className="bar flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 text-sm">
          {answer ? `${answer.a.name} and ${answer.b.name}: ${answer.common} entries in common` : "Comparing …"}
        </p>
        <fieldset className="segmented" aria-label="What to compare">
          {(["conversation", "files"] as const).map((each) => (
            <button key={each} type="button" aria-pressed={each === shown} onClick={() => setShown(each)}>
              {each === "files" ? `Files (${answer?.files.length ?? 0})` : "Conversation"}
            </button>
          ))}
        </fieldset>
        <button type="button" className="button" onClick={() => go(`/t/${thread}`)}>
          Back
        </button>
      </div>
      <Failure text={failure} />
      {answer && shown === "conversation" && (
        <div className="grid min-h-0 flex-1 grid-cols-2 overflow-y-auto">
          <Column title={answer.a.name} entries={answer.entries.a} />
          <Column title={answer.b.name} entries={answer.entries.b} />
        </div>
      )}
      {answer && shown === "files" && <Files thread={thread} compared={answer} />}
    </div>
  );
}

function Column({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) {
  return (
    <section className="border-r border-line p-4" aria-label={title}>
      <h2 className="text-sm font-semibold">{title}</h2>
      {entries.length === 0 && <p className="text-muted text-sm">Nothing after the common beginning.</p>}
      {entries.map(({ id, role, content }) => (
        <article key={id} aria-label={role} className="py-2">
          <p className="text-muted text-xs">{role}</p>
          <p className="text-sm whitespace-pre-wrap">{content}</p>
        </article>
      ))}
    </section>
  );
}

/** Taking over brings the other take's version of a file into the active one. */
function Files({ thread, compared }: { readonly thread: string; readonly compared: Compared }) {
  const { a, b, files } = compared;
  const other = a.active ? b : b.active ? a : undefined;
  const takeOver = (path: string) =>
    other &&
    startPlan({
      title: `Take over ${path} from ${other.name}`,
      call: (options) => client.takeOver(thread, other.id, { paths: [path], ...options } as never),
    });
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {files.length === 0 && <p className="text-muted p-4 text-sm">Their files are the same.</p>}
      {files.map((file) => (
        <section key={file.path} aria-label={file.path}>
          <div className="flex items-center gap-2 px-4 py-2">
            <h3 className="min-w-0 flex-1 truncate font-mono text-xs font-semibold">{file.path}</h3>
            {other && (
              <button type="button" className="button" onClick={() => void takeOver(file.path)}>
                <Icon name="branch" /> {`Take over from ${other.name}`}
              </button>
            )}
          </div>
          <Hunks file={file} actions={{}} />
        </section>
      ))}
    </div>
  );
}
