import { type Conflict, type PlanLine, planCounts, planLines, plural, resolutionsOf } from "@retake/client/screen";
import { useEffect, useRef } from "react";
import { applyPlan, changePlan, decideConflicts, leavePlan, type PlanState, type Scope } from "../data/plan.ts";
import { Icon } from "../parts/icon.tsx";
import { useReturnFocus } from "../parts/use-return-focus.ts";
import { ConflictSides } from "./conflict-sides.tsx";
import { conflictWords } from "./conflict-words.ts";

const GROUPS: readonly { readonly kind: PlanLine["kind"]; readonly title: string }[] = [
  { kind: "conflict", title: "In conflict: decide each" },
  { kind: "kept", title: "Stays as it is" },
  { kind: "restored", title: "Files restored" },
  { kind: "removed", title: "Files removed" },
  { kind: "merged", title: "Merged with later edits" },
  { kind: "stays", title: "Cannot be taken back" },
  { kind: "uncovered", title: "Not covered" },
];

const SCOPES: readonly { readonly id: Scope; readonly title: string }[] = [
  { id: "both", title: "Both" },
  { id: "conversation", title: "Conversation" },
  { id: "files", title: "Files" },
];

const USES = ["mine", "theirs", "merged"] as const;

/** A plan, before it is carried out. Enter does it, Escape leaves. */
export function PlanPanel({ state }: { readonly state: PlanState }) {
  const { request, options, plan, failure, applying } = state;
  const apply = useRef<HTMLButtonElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const ready = plan !== undefined;
  useReturnFocus();
  useEffect(() => {
    // A plan in conflict cannot be applied yet: a disabled button takes no focus.
    if (ready) (apply.current?.disabled ? heading : apply).current?.focus();
  }, [ready]);
  const lines = plan ? planLines(plan) : [];
  const conflicts = plan?.conflicts ?? [];
  const decided = plan ? resolutionsOf(plan, state.decisions).length : 0;
  const undecided = conflicts.length - decided;
  return (
    <section
      className="flex min-h-0 flex-1 flex-col"
      aria-labelledby="plan-title"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // One press leaves one thing: not the moment of the past that is shown beside the plan, too.
        event.preventDefault();
        event.stopPropagation();
        // In a result that is written by hand it leaves the field: with the plan the text would be gone.
        if (event.target instanceof HTMLTextAreaElement) heading.current?.focus();
        else leavePlan();
      }}
    >
      <header className="border-b border-line px-4 py-3">
        <p className="text-accent text-xs font-medium">Preview: nothing has changed yet</p>
        <h2 ref={heading} id="plan-title" className="text-base font-semibold wrap-anywhere" tabIndex={-1}>
          {request.title}
        </h2>
        <p className="text-muted text-sm" data-testid="plan-counts">
          {plan ? planCounts(plan) || undecidedCount(conflicts.length) : failure ? "" : "Looking …"}
        </p>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">
        {request.scopes && (
          <fieldset className="segmented mb-3" aria-label="What to take back">
            {SCOPES.map(({ id, title }) => (
              <button
                key={id}
                type="button"
                aria-pressed={(options.scope ?? "both") === id}
                onClick={() => void changePlan({ scope: id })}
              >
                {title}
              </button>
            ))}
          </fieldset>
        )}
        {request.prompts && (
          <label className="mb-3 flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={options.keep_prompt ?? false}
              onChange={(event) => void changePlan({ keep_prompt: event.target.checked })}
            />
            Keep the prompt in the conversation
          </label>
        )}
        {failure && (
          <p role="alert" className="error-box mb-3">
            {failure}
          </p>
        )}
        {plan && lines.length === 0 && (
          <p className="text-muted text-sm">No files change. Entries that go are struck out in the conversation.</p>
        )}
        {GROUPS.map((group) => (
          <PlanGroup key={group.kind} {...group} lines={lines} state={state} />
        ))}
      </div>
      <footer className="flex items-center gap-2 border-t border-line px-4 py-3">
        {failure && !plan && (
          <button type="button" className="button" onClick={() => void changePlan({})}>
            Try again
          </button>
        )}
        {undecided > 0 && <p className="text-muted flex-1 text-xs">{`${decided} of ${conflicts.length} decided`}</p>}
        <button type="button" className="button ml-auto flex-none" onClick={leavePlan}>
          Leave <kbd>Esc</kbd>
        </button>
        <button
          ref={apply}
          type="button"
          className="button primary min-w-0"
          disabled={!plan || applying || undecided > 0}
          onClick={() => void applyPlan()}
        >
          <span className="truncate">{applying ? "Working …" : request.title}</span> <kbd>⏎</kbd>
        </button>
      </footer>
    </section>
  );
}

/** In the place of the counts, which leave out what is in conflict. */
function undecidedCount(conflicts: number): string {
  return conflicts === 0 ? "No turns and no files" : plural(conflicts, "conflict");
}

/** The files and entries with the same fate; conflicts with their choices. */
function PlanGroup({
  kind,
  title,
  lines,
  state,
}: (typeof GROUPS)[number] & { readonly lines: readonly PlanLine[]; readonly state: PlanState }) {
  // Several commands may leave the same behind: that is said once.
  const named = lines
    .filter((line) => line.kind === kind)
    .map((line) => [`${line.subject} ${line.reason}`, line] as const);
  const group = [...new Map(named)];
  if (group.length === 0) return null;
  const conflicts = state.plan?.conflicts ?? [];
  return (
    <div className={`plan-group plan-${kind}`}>
      <h3>
        {(kind === "conflict" || kind === "stays") && <Icon name="warning" />}
        {title}
      </h3>
      {kind === "conflict" && group.length > 1 && (
        <div className="flex gap-1 pb-1">
          <button type="button" className="small-button strong" onClick={() => void decideConflicts(conflicts, "mine")}>
            All: keep mine
          </button>
          <button
            type="button"
            className="small-button strong"
            onClick={() => void decideConflicts(conflicts, "theirs")}
          >
            {conflictWords(state.request).chooseAll}
          </button>
        </div>
      )}
      <ul>
        {group.map(([key, { subject, reason }]) => (
          <li key={key}>
            <span className={kind === "stays" ? "text-sm" : "font-mono text-xs wrap-anywhere"}>{subject}</span>
            {reason && <span className="text-muted text-xs">{reason}</span>}
            {kind === "conflict" &&
              conflicts
                .filter(({ path, name }) => (name ?? path) === subject)
                .map((conflict) => <ConflictChoice key={conflict.path} conflict={conflict} state={state} />)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function ConflictChoice({ conflict, state }: { readonly conflict: Conflict; readonly state: PlanState }) {
  const { path, name = path, sides } = conflict;
  const use = state.decisions.get(path)?.use;
  const words = conflictWords(state.request);
  const titles = { mine: "Keep mine", theirs: words.choose, merged: "Both, with markers" };
  return (
    <>
      {use === undefined && state.changed.has(path) && (
        <p role="alert" className="text-warn text-xs">
          It changed after your decision. Look at it again, and decide.
        </p>
      )}
      <fieldset className="segmented self-start" aria-label={`${name}: which version`}>
        {USES.filter((id) => id !== "merged" || sides?.merged).map((id) => (
          <button key={id} type="button" aria-pressed={use === id} onClick={() => void decideConflicts([conflict], id)}>
            {titles[id]}
          </button>
        ))}
      </fieldset>
      <ConflictSides {...{ conflict, use, words }} onUse={(chosen) => void decideConflicts([conflict], chosen)} />
    </>
  );
}
