import { actorWord, callSummary, plural, rowsOf } from "@retake/client/screen";
import { preview } from "@retake/core";
import { useEffect, useMemo, useState } from "react";
import { client } from "../data/connection.ts";
import { say, sayError } from "../data/notices.ts";
import { startPlan } from "../data/plan.ts";
import { messageOf } from "../data/session.ts";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { NameForm } from "../parts/name-form.tsx";
import { ReadCall, ReadText } from "../parts/read-rows.tsx";
import { shortTime } from "../parts/time.ts";
import { VirtualList } from "../parts/virtual-list.tsx";
import { backToNow, type Travel, travelTo } from "./travel.ts";

/** The conversation as it was, in the place of the one of now, with a slider through the steps. */
export default function TimeTravel({ travel }: { readonly travel: Travel }) {
  const { thread, op, steps, view, failure } = travel;
  const [naming, setNaming] = useState(false);
  const at = steps.findIndex(({ id }) => id === op);
  const step = steps[at];
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) backToNow();
    };
    addEventListener("keydown", leave);
    return () => removeEventListener("keydown", leave);
  }, []);
  const rows = useMemo(() => (view ? rowsOf(view, () => false) : []), [view]);
  const when = step ? shortTime(step.created_at) : "";
  const go = () =>
    startPlan(
      {
        title: `Go to ${when}`,
        call: (options) => client.jump(thread, { op, ...options } as never),
        done: () => backToNow(),
      },
      "always",
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="time-travel">
      <div className="bar bar-action" role="status">
        <Icon name="clock" />
        <p>{`As it was at ${when}. Nothing on disk has changed.`}</p>
        <button type="button" className="button" onClick={() => void go()}>
          Go here
        </button>
        {step?.turn_name !== undefined && (
          <button type="button" className="button" onClick={() => void branchAt(thread, step.turn_name as string)}>
            <Icon name="branch" /> Branch here
          </button>
        )}
        <button type="button" className="button" onClick={() => setNaming(true)}>
          <Icon name="file" /> Save its files
        </button>
        <button type="button" className="button" onClick={backToNow}>
          Back to now <kbd>Esc</kbd>
        </button>
      </div>
      {steps.length > 1 && (
        <div className="border-b border-line px-4 py-2">
          <input
            type="range"
            className="w-full"
            aria-label="Moment"
            aria-valuetext={step ? `${when}: ${step.description}` : ""}
            min={0}
            max={steps.length - 1}
            value={Math.max(at, 0)}
            onChange={(event) => void travelTo(thread, steps[Number(event.target.value)]?.id ?? op)}
          />
          <p className="text-muted truncate text-xs">
            {step ? `${at + 1} of ${steps.length} · ${actorWord(step.actor)} · ${step.description}` : ""}
          </p>
        </div>
      )}
      <Failure text={failure} />
      {naming && (
        <NameForm
          title="Write the files of this moment to a new or empty directory"
          label="Directory"
          value=""
          onClose={() => setNaming(false)}
          onName={(directory) => writeFiles(thread, op, directory)}
        />
      )}
      {view && rows.length === 0 ? (
        <p className="text-muted flex-1 p-6">The conversation was empty then.</p>
      ) : (
        <VirtualList
          className="transcript opacity-90"
          role="feed"
          label="Conversation as it was"
          isBusy={!view}
          tabIndex={0}
        >
          {rows.map((row) => (
            // biome-ignore lint/a11y/useSemanticElements: an article in a feed, inside a virtual row
            <div key={row.key} role="article" aria-label={row.name} className="row read-row">
              {row.kind === "turn" && (
                <h3 className="read-turn">{`${row.name} · ${preview({ content: row.turn.prompt })}`}</h3>
              )}
              {row.kind === "call" && <ReadCall summary={callSummary(row.call)} output={row.result?.content ?? ""} />}
              {row.kind === "entry" && <ReadText entry={row.entry} />}
            </div>
          ))}
        </VirtualList>
      )}
    </div>
  );
}

async function writeFiles(thread: string, at: string, named: string): Promise<boolean> {
  try {
    const { directory, files } = await client.materialize(thread, { at, directory: named });
    say(`Wrote ${plural(files, "file")} to ${directory}.`);
    return true;
  } catch (error) {
    sayError(messageOf(error));
    return false;
  }
}

async function branchAt(thread: string, turn: string): Promise<void> {
  try {
    await startPlan({
      title: `Branch at the end of ${turn}`,
      call: (options) => client.branch(thread, { entry: turn, ...options } as never) as never,
      done: () => backToNow(),
    });
  } catch (error) {
    sayError(messageOf(error));
  }
}
