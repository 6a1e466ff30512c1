import { fileCount, type TurnRow as Row } from "@retake/client/screen";
import { preview } from "@retake/core";
import { branchAt, takeBack, tryAgain, tryWith, undoToBefore } from "../commands/history-commands.ts";
import { interrupt } from "../commands/thread-commands.ts";
import { showTab } from "../data/view-state.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { ModelMenu } from "../parts/model-menu.tsx";
import { duration, shortTime } from "../parts/time.ts";
import { useRows } from "./row-context.ts";

/** The header of a turn: what it was, what it changed, and how to take it back. */
export function TurnRow({ row, isNewest }: { readonly row: Row; readonly isNewest: boolean }) {
  const { session, running, toggleFold } = useRows();
  const { turn, name, folded } = row;
  const runs = running === turn.id;
  const { files_changed: files = [], omitted = 0 } = turn.receipt ?? {};
  const took = turn.ended_at === undefined ? undefined : Date.parse(turn.ended_at) - Date.parse(turn.started_at);
  const failed = turn.status !== "finished" && turn.status !== "running";
  const failure = failed ? (turn["failure"] as { readonly message?: string } | undefined)?.message : undefined;
  return (
    <>
      <div className={`turn-row ${folded ? "folded" : ""}`}>
        <button
          type="button"
          className="turn-fold"
          aria-expanded={!folded}
          aria-label={`${folded ? "Open" : "Fold"} turn ${name}`}
          onClick={() => toggleFold(turn.id, !folded)}
        >
          <Icon name="chevron" className={folded ? "" : "rotate-90"} />
          <span className="turn-name">{name}</span>
        </button>
        {folded && <span className="min-w-0 flex-1 truncate">{preview({ content: turn.prompt }, 90)}</span>}
        <span className="turn-facts">
          <time dateTime={turn.started_at}>{shortTime(turn.started_at)}</time>
          {runs ? (
            <span className="text-accent">working …</span>
          ) : (
            took !== undefined && took > 1000 && <span>{duration(took)}</span>
          )}
          {failed && <span className="badge bad">{turn.status}</span>}
          {files.length > 0 && (
            <button type="button" className="fact-button" onClick={() => showTab("changes")}>
              {fileCount(files, omitted)}
            </button>
          )}
        </span>
        <span className="turn-actions">
          {runs ? (
            <button type="button" className="small-button" onClick={() => void interrupt(session.thread, turn.id)}>
              <Icon name="stop" /> Stop
            </button>
          ) : (
            <>
              {failed && isNewest && (
                <>
                  <button
                    type="button"
                    className="small-button"
                    title="Take this turn back and ask again"
                    onClick={() => void tryAgain(session.thread)}
                  >
                    <Icon name="redo" /> Try again
                  </button>
                  <ModelMenu label="Another model" onChoose={(model) => void tryWith(session.thread, model)} />
                </>
              )}
              <button
                type="button"
                className="small-button"
                title={
                  isNewest ? "Undo this turn: its entries and its files" : "Undo this turn and everything after it"
                }
                aria-label={`Undo to before ${name}`}
                onClick={() => void undoToBefore(session.thread, name, isNewest)}
              >
                <Icon name="undo" /> <span>{isNewest ? "Undo" : "Undo to before this"}</span>
              </button>
              <Menu
                label={`More for turn ${name}`}
                items={[
                  {
                    label: "Take back only this turn",
                    icon: "undo",
                    action: "take-back",
                    run: () => void takeBack(session.thread, { kind: "turn", name }),
                  },
                  {
                    label: "Branch here",
                    icon: "branch",
                    action: "branch",
                    run: () => void branchAt(session.thread, name),
                  },
                  { label: "Review its changes", icon: "file", action: "show-changes", run: () => showTab("changes") },
                ]}
              />
            </>
          )}
        </span>
      </div>
      {failure !== undefined && !folded && <p className="turn-failure">{failure}</p>}
    </>
  );
}
