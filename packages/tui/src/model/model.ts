/**
 * All that the terminal UI knows. The screens are pure functions of it, and `update` makes the next one of it and an event; what
 * is to be done in the world comes back as effects, as data. So everything but the terminal itself is tested without one.
 */
import type { RetakeEvent, SessionView } from "@retake/client";
import { type Decisions, type Draft, NO_DRAFT, type SyncSummary, type TakenBack } from "@retake/client/screen";
import type { Line } from "../draw/line.ts";
import type { FileChanges } from "../screens/row-lines.ts";
import type { CtrlZ } from "../text/undo-words.ts";
import { type Composer, EMPTY_COMPOSER } from "./composer.ts";

export interface Model {
  readonly size: { readonly columns: number; readonly rows: number };
  readonly now: number;
  /** The store or the server is there. */
  readonly isOpen: boolean;
  readonly thread: string | undefined;
  readonly title: string;
  readonly isPrivate: boolean;
  readonly view: SessionView | undefined;
  readonly connected: boolean;
  readonly status: Status;
  /** The changes of each turn in the files, as far as they were asked for. */
  readonly changes: ReadonlyMap<string, FileChanges | "asked">;
  readonly composer: Composer;
  /** The field before a command took it, and a draft that came meanwhile; it comes back after the command. */
  readonly aside: Composer | undefined;
  /** The field as the thread's draft filled it last: while nobody has touched it, a slash begins a command. */
  readonly given: Composer | undefined;
  /** The draft of the thread, and what is being saved of the field. */
  readonly draft: Draft;
  readonly prompts: Prompts;
  readonly completion: Completion | undefined;
  readonly state: "typing" | "moving";
  /** The row that has the focus. */
  readonly focus: string | undefined;
  /** The first line that is shown; undefined while the end is followed. */
  readonly anchor: Anchor | undefined;
  /** The entry that the screen is on its way to, or the beginning of the conversation. */
  readonly sought: Sought | undefined;
  /** Rows that the user opened or folded. */
  readonly toggled: ReadonlySet<string>;
  /** Facts about questions that are in no record. */
  readonly questions: ReadonlyMap<string, QuestionDetails>;
  /** The question that a key answers now: it was on the screen while nothing was typed. */
  readonly answerable: string | undefined;
  /** The question that another process asks: only there it can be answered. */
  readonly elsewhere: string | undefined;
  readonly questionScroll: number;
  /** Counts keys, so that a timer sees whether one came meanwhile. */
  readonly keys: number;
  /** Quick plans that wait for the one that is being carried out; undefined where there is none. */
  readonly quick: readonly PlanRequest[] | undefined;
  readonly queue: readonly QueuedPrompt[];
  /** Prompts that wait until the first one of a new thread is there; undefined where no thread begins. */
  readonly held: readonly HeldPrompt[] | undefined;
  readonly retry:
    | { readonly message: string; readonly at: number; readonly attempt: number; readonly attempts: number }
    | undefined;
  readonly progress: { readonly what: string; readonly files: number; readonly of: number | undefined } | undefined;
  readonly toast: Toast | undefined;
  readonly places: readonly Place[];
  /** The keys before, where keys come one after the other: `Ctrl+X`, `g`. */
  readonly chord: string;
  readonly lastKey: string;
  readonly mouse: boolean;
  readonly ctrlZ: CtrlZ;
  readonly selection: { readonly from: number; readonly to: number; readonly isDone: boolean } | undefined;
}

export interface Status {
  readonly root: string;
  readonly branch: string | undefined;
  readonly isDirty: boolean;
  readonly model: string;
  readonly confinement: string;
  readonly mode: string;
  readonly cost: number | undefined;
  readonly sync: SyncSummary;
}

export interface Anchor {
  readonly row: string;
  readonly line: number;
}

export interface Sought {
  readonly thread: string;
  readonly take: string;
  /** Undefined for the beginning. */
  readonly entry: string | undefined;
  /** The last step that was begun: the switch to its take, the window before it, the window that goes on from there. */
  readonly asked?: "take" | "before" | "after";
}

export interface Prompts {
  /** Newest first. */
  readonly lines: readonly string[];
  /** Which of them is in the field; undefined for what was typed. */
  readonly at: number | undefined;
  /** The text of the field before an earlier prompt came into it. */
  readonly typed: string;
  /** Words that are searched for, after Ctrl+R. */
  readonly search: string | undefined;
}

export interface Completion {
  /** The part of the text that a choice replaces. */
  readonly from: number;
  readonly to: number;
  readonly choices: readonly { readonly word: string; readonly about?: string }[];
  readonly selected: number;
  /** The user went to a choice: Enter takes it. */
  readonly isChosen: boolean;
}

export type QuestionDetails = Partial<Extract<RetakeEvent, { type: "approval-asked" }>>;

export interface QueuedPrompt {
  readonly turn: string;
  readonly prompt: string;
  /** Its process ended before it began: it waits for the user. */
  readonly isPaused?: true;
}

export interface TurnOptions {
  readonly model?: string;
  readonly approve?: "undoable" | "ask" | "all";
  readonly questions?: boolean;
}

export interface HeldPrompt {
  readonly prompt: string;
  readonly options: TurnOptions;
}

export interface Toast {
  readonly text: string;
  readonly tone: "plain" | "warning" | "error";
  /** It is true only while this turn runs. */
  readonly turn?: string;
}

/** A list, a plan or a text that covers the conversation. The last of several is shown; Escape goes back to the one before. */
export type Place = ListPlace | PlanPlace | TextPlace | AskPlace;

export interface ListPlace {
  readonly kind: "list";
  readonly name: ListName;
  readonly title: string;
  /** The subject of the list, where there are several: the points of a review, the words of a search. */
  readonly about: Readonly<Record<string, string>>;
  /** Undefined until they are there. */
  readonly items: readonly ListItem[] | undefined;
  readonly selected: number;
  readonly detail: Detail | undefined;
  readonly scroll: number;
  /** The hunk of the detail that has the focus. */
  readonly hunk: number;
}

export type ListName =
  | "turns"
  | "history"
  | "takes"
  | "review"
  | "compare"
  | "search"
  | "settings"
  | "context"
  | "threads";

export interface ListItem {
  readonly key: string;
  readonly line: Line;
  readonly right?: Line;
  /** Data that its keys need. */
  readonly data: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Its details, where they come with the list. */
  readonly detail?: Omit<Detail, "key">;
}

export interface Detail {
  readonly key: string;
  /** Not wrapped yet. */
  readonly lines: readonly Line[];
  readonly hunks: readonly { readonly at: number; readonly edits: readonly number[] }[];
}

/** A change that can be planned before it is carried out. */
export interface PlanRequest {
  readonly title: string;
  readonly route: "undo" | "redo" | "revert" | "jump" | "switchTake" | "deleteTake" | "branch";
  /** The names in the path after the thread. */
  readonly path: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
  /** It is done at once where its plan holds no surprise. */
  readonly isQuick: boolean;
  /** Whether it can be of the conversation or the files alone. */
  readonly hasScope: boolean;
}

export interface PlanPlace {
  readonly kind: "plan";
  readonly request: PlanRequest;
  /** Undefined until the dry run has answered. */
  readonly plan: TakenBack | undefined;
  readonly decisions: Decisions;
  /** Texts of files in conflict that were written by hand, by path. They are kept when another version is chosen. */
  readonly texts: ReadonlyMap<string, string>;
  readonly selected: number;
  readonly scroll: number;
}

export interface TextPlace {
  readonly kind: "text";
  readonly title: string;
  readonly lines: readonly Line[];
  readonly isRunning: boolean;
  /** It shows a shell command of the user, which a key ends. */
  readonly isShell: boolean;
  readonly scroll: number;
  /** The text that Tab puts into the prompt. */
  readonly quoted?: string;
  /** The prompt was typed on while this is shown: its field is below. */
  readonly isTypedOn?: true;
}

/** One line that is asked for: a name, a value, words. */
export interface AskPlace {
  readonly kind: "ask";
  readonly title: string;
  readonly hint: string;
  readonly field: Composer;
  readonly asked: AskedFor;
}

export type AskedFor =
  | { readonly what: "promote" | "rename"; readonly take: string }
  | { readonly what: "setting"; readonly field: string; readonly isNumber: boolean }
  | { readonly what: "search" | "context" };

const EMPTY_STATUS: Status = {
  root: "",
  branch: undefined,
  isDirty: false,
  model: "",
  confinement: "",
  mode: "",
  cost: undefined,
  sync: { state: "off", pending: 0 },
};

export function initialModel({
  root,
  prompts,
  ...given
}: Pick<Model, "size" | "now" | "mouse" | "ctrlZ"> & {
  readonly root: string;
  readonly prompts: readonly string[];
}): Model {
  return {
    ...given,
    isOpen: false,
    thread: undefined,
    title: "",
    isPrivate: false,
    view: undefined,
    connected: true,
    status: { ...EMPTY_STATUS, root },
    changes: new Map(),
    composer: EMPTY_COMPOSER,
    aside: undefined,
    given: undefined,
    draft: NO_DRAFT,
    prompts: { lines: prompts, at: undefined, typed: "", search: undefined },
    completion: undefined,
    state: "typing",
    focus: undefined,
    anchor: undefined,
    sought: undefined,
    toggled: new Set(),
    questions: new Map(),
    answerable: undefined,
    elsewhere: undefined,
    questionScroll: 0,
    keys: 0,
    quick: undefined,
    queue: [],
    held: undefined,
    retry: undefined,
    progress: undefined,
    toast: undefined,
    places: [],
    chord: "",
    lastKey: "",
    selection: undefined,
  };
}
