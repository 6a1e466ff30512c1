import { type Built, build, type Context } from "../session/draft.ts";
import { spaceId, type TakeId, threadId } from "../session/record.ts";
import { refuse } from "../session/refusal.ts";
import { EMPTY_STATE, recordOf, type State } from "../session/state.ts";
import { activeId } from "../session/view.ts";
import { type Check, fields, flag, labelled, list, object, text } from "../values/check.ts";
import { foreignProblem } from "../values/foreign.ts";
import { asJson, type JsonObject } from "../values/json.ts";
import { idProblem, nameProblem, textProblem } from "../values/text.ts";
import { isoTime } from "../values/time.ts";

/** The facts of a thread as a whole (L3). Its readers are none of them: the sync server knows them. */
export interface ThreadFacts {
  readonly title: string;
  readonly tags: readonly string[];
  readonly pinned: boolean;
  readonly deleted: boolean;
}

/** Facts that are set when a thread is created and never change. */
export interface ThreadOrigin {
  readonly id: string;
  readonly workspace_root: string;
  readonly cwd: string;
  readonly retake_version: string;
  /** A private thread never leaves the machine (L8). */
  readonly private: boolean;
}

/** The name of a thread's first take. */
export const MAIN = "main";

const LONGEST_TITLE = 40;

/** The title of a thread, made from its first prompt. No title holds a control character. */
export function titleFrom(prompt: string): string {
  const characters = [...prompt.replace(/[\s\p{Cc}]+/gu, " ").trim()];
  return characters.length <= LONGEST_TITLE
    ? characters.join("")
    : `${characters.slice(0, LONGEST_TITLE - 1).join("")}…`;
}

/** The title of a thread before anything is said in it; where another thread has it, with a number. */
export const UNTITLED = "Thread";

const UNTITLED_PATTERN = /^Thread(?: \d+)?$/;

/** Whether nobody has named the thread yet. */
export function isUntitled(state: State): boolean {
  return UNTITLED_PATTERN.test(String(recordOf(state, "thread")?.["title"] ?? ""));
}

/** The first operation of a thread: writes its facts and its first take, which is empty. */
export function createThread(
  context: Context,
  input: {
    readonly origin: ThreadOrigin;
    readonly facts?: Partial<ThreadFacts>;
    readonly title: string;
    readonly take: TakeId;
    /** The name of the first take; `main` when absent. */
    readonly name?: string;
    readonly tree?: string;
    /** The device that creates it. */
    readonly device?: string;
  },
): Built {
  const { take: _, expected_version: __, ...rest } = context;
  const nothing = { ...EMPTY_STATE, device: input.device ?? "" };
  return build(nothing, rest, (draft) => {
    const { origin, title, take, name = MAIN } = input;
    const problem =
      labelled("The thread's origin", ORIGIN(origin)) ??
      labelled("The thread", FACTS_PATCH(input.facts ?? {})) ??
      labelled("The take's id", idProblem(take)) ??
      labelled("The title", nameProblem(title)) ??
      labelled("The take's name", nameProblem(name)) ??
      labelled("The tree", textProblem(input.tree ?? "", 256));
    if (problem) return refuse("invalid-input", `${problem}. No thread was made.`);
    draft.put("thread", {
      title,
      tags: [],
      pinned: false,
      deleted: false,
      ...(input.facts as JsonObject | undefined),
      ...asJson(origin),
      created_at: isoTime(context.at),
    });
    draft.graft(take, "empty", draft.base);
    draft.put(threadId("take", take), { id: take, name, deleted: false, since: draft.version });
    draft.put(activeId(draft.state), { take });
    if (input.tree) draft.put(spaceId(take, "workspace"), { tree: input.tree });
    return { kind: "thread-created", scope: "thread", take, description: "New thread" };
  });
}

/** Changes title, tags or pin, or deletes the thread; a deletion can be undone (D5). */
export function changeThread(state: State, context: Context, input: { readonly facts: Partial<ThreadFacts> }): Built {
  return build(state, context, (draft) => {
    const problem = labelled("The thread", FACTS_PATCH(input.facts));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    draft.update("thread", input.facts as JsonObject);
    return { kind: "thread-changed", scope: "thread", description: describeFacts(input.facts) };
  });
}

/** B4, P1: every change is saved anyway; this names the current point so that it can be found again. */
export function saveThread(
  state: State,
  context: Context,
  input: { readonly save: string; readonly name?: string },
): Built {
  return build(state, context, (draft) => {
    const problem = idProblem(input.save) ?? (input.name === undefined ? undefined : nameProblem(input.name));
    if (problem) return refuse("invalid-input", `The save's id or name ${problem}. Nothing was changed.`);
    const name = input.name ?? input.save;
    draft.put(threadId("save", input.save), {
      id: input.save,
      name,
      operation: draft.base.head,
      take: draft.take,
      created_at: isoTime(context.at),
    });
    return { kind: "thread-saved", scope: "thread", description: `Save as ${name}` };
  });
}

/** L10: records the state of git in the workspace. It is a note and no step of the user. */
export function noteGit(state: State, context: Context, input: { readonly git: JsonObject }): Built {
  return build(state, context, (draft) => {
    const problem = labelled("The git context", object(input.git) ?? foreignProblem(input.git));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    draft.put(threadId("git"), { ...draft.get(threadId("git")), ...input.git });
    return { kind: "git-noted", scope: "thread", description: "Note the git context" };
  });
}

const FACTS: Readonly<Record<keyof ThreadFacts, Check>> = {
  title: nameProblem,
  tags: list(nameProblem),
  pinned: flag,
  deleted: flag,
};

const ORIGIN = fields({
  id: idProblem,
  workspace_root: text(4096),
  cwd: text(4096),
  retake_version: text(64),
  private: flag,
});

const FACTS_PATCH = fields({}, FACTS, "closed");

function describeFacts(facts: Partial<ThreadFacts>): string {
  if (facts.deleted !== undefined) return facts.deleted ? "Delete the thread" : "Bring the thread back";
  if (facts.title !== undefined) return `Rename the thread to ${facts.title}`;
  return `Change ${Object.keys(facts).join(", ").replaceAll("_", " ")}`;
}
