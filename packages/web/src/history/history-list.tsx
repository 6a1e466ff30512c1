import { actorWord, operationWord } from "@retake/client/screen";
import { useState } from "react";
import { client } from "../data/connection.ts";
import { startPlan } from "../data/plan.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { useAnswer } from "../data/use-answer.ts";
import { useVersion } from "../data/use-version.ts";
import { Failure } from "../parts/failure.tsx";
import { shortTime } from "../parts/time.ts";
import { type Step, travelStore, travelTo } from "../travel/travel.ts";

const PAGE = 200;

/** The steps of the take, or every operation of all takes, with filters. */
export function HistoryList({ session }: { readonly session: Session }) {
  const { thread } = session;
  const version = useVersion(session);
  const shown = useStore(travelStore);
  const [all, setAll] = useState(false);
  const [limit, setLimit] = useState(PAGE);
  const [words, setWords] = useState("");
  const [kind, setKind] = useState("");
  const [actor, setActor] = useState("");
  const { answer, failure } = useAnswer(
    () => client.getHistory(thread, { limit, files: true, ...(all ? { all } : {}) }),
    [thread, version, all, limit],
  );
  const operations = answer?.operations ?? [];
  const kinds = [...new Set(operations.map((each) => operationWord(each.kind)))].sort();
  const actors = [...new Set(operations.map((each) => actorWord(each.actor)))].sort();
  const wanted = operations.filter(
    (each) =>
      (kind === "" || operationWord(each.kind) === kind) &&
      (actor === "" || actorWord(each.actor) === actor) &&
      each.description.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pb-2">
        <input
          className="field basis-full"
          type="search"
          aria-label="Filter steps"
          placeholder="Filter"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <Choice label="Kind" any="Any kind" value={kind} values={kinds} onChange={setKind} />
        <Choice label="By" any="By anyone" value={actor} values={actors} onChange={setActor} />
        <label className="flex basis-full items-center gap-2 text-xs">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} />
          Every operation of all takes
        </label>
      </div>
      <Failure text={failure} />
      <ol className="min-h-0 flex-1 overflow-y-auto" aria-label="Steps">
        {wanted.map((step) => (
          <StepRow
            key={step.id}
            thread={thread}
            step={step}
            head={answer?.head ?? null}
            shown={shown?.op === step.id}
          />
        ))}
        {wanted.length === 0 && answer && <li className="text-muted px-4 py-2 text-sm">Nothing matches.</li>}
        {answer?.cursor !== undefined && (
          <li className="px-4 py-2">
            <button type="button" className="button" onClick={() => setLimit(limit + PAGE)}>
              Show earlier steps
            </button>
          </li>
        )}
      </ol>
    </>
  );
}

function StepRow(props: {
  readonly thread: string;
  readonly step: Step;
  readonly head: string | null;
  readonly shown: boolean;
}) {
  const { thread, step, head, shown } = props;
  const { id, name, description, actor, created_at, turn_name, undone, files = 0 } = step;
  const isTurn = step.kind.startsWith("turn-") && turn_name !== undefined;
  const called = isTurn ? turn_name : name;
  const point = isTurn ? turn_name : id;
  const jump = () =>
    startPlan(
      { title: `Go to ${called}`, call: (options) => client.jump(thread, { op: id, ...options } as never) },
      "always",
    );
  const revert = () =>
    startPlan({
      title: `Take back only ${called}`,
      takesBack: true,
      call: (options) => client.revert(thread, { ...(isTurn ? { turn: turn_name } : { op: id }), ...options } as never),
    });
  return (
    <li className={`step ${shown ? "shown" : ""} ${isTurn ? "turn" : ""}`} data-op={id}>
      <p className={undone ? "text-muted line-through" : ""}>
        <span className="text-muted font-mono text-xs">{called}</span> {description}
      </p>
      <p className="text-muted text-xs">
        {[
          actorWord(actor),
          shortTime(created_at),
          ...(files > 0 ? [files === 1 ? "1 file" : `${files} files`] : []),
          ...(undone ? ["undone, can be brought back"] : []),
          ...(id === head ? ["now"] : []),
        ].join(" · ")}
      </p>
      <div className="step-actions">
        <button type="button" className="small-button" onClick={() => void travelTo(thread, id)}>
          Show as it was
        </button>
        {id !== head && (
          <button type="button" className="small-button" onClick={() => void jump()}>
            Go here
          </button>
        )}
        {!undone && step.kind !== "thread-created" && (
          <button type="button" className="small-button" onClick={() => void revert()}>
            Take back only this
          </button>
        )}
        {isTurn && !undone && (
          <button
            type="button"
            className="small-button"
            onClick={() =>
              void startPlan({
                title: `Branch at the end of ${point}`,
                call: (options) => client.branch(thread, { entry: point, ...options } as never) as never,
              })
            }
          >
            Branch here
          </button>
        )}
      </div>
    </li>
  );
}

function Choice(props: {
  readonly label: string;
  readonly any: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly onChange: (value: string) => void;
}) {
  const { label, any, value, values, onChange } = props;
  return (
    <select className="field" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{any}</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}
