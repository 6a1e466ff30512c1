import { quoted } from "./sendable-text.ts";

/** One change that the projection made beyond copying, in words for the user. */
export interface Repair {
  readonly code: RepairCode;
  /** The entries concerned; none when it concerns the system prompt. */
  readonly entry_ids: readonly string[];
  readonly message: string;
}

export type RepairCode = keyof typeof WORDS;

/** `names` are filled into the message: a tool, a role, a new name. */
export function repair(code: RepairCode, entryIds: readonly string[], ...names: readonly string[]): Repair {
  const [first = "", second = ""] = names.map(quoted);
  return { code, entry_ids: entryIds, message: WORDS[code](first, second) };
}

const WORDS = {
  "opening-added": () => "The conversation begins with an answer, so a line that says so is put before it.",
  "continue-added": () => "The user says nothing after this answer, so a line that asks to continue is put there.",
  "answers-merged": () => "Answers that follow each other are sent as one.",
  "result-missing": (tool) => `The call of ${tool} has no result, so the model is told that none is known.`,
  "result-unfinished": (tool, status) => `The call of ${tool} is ${status}, so the model is told what is known of it.`,
  "result-moved": (tool) => `The result of ${tool} is sent directly after its call.`,
  "result-orphaned": (tool) => `The result of ${tool} answers no call, so it is sent as text.`,
  "result-duplicated": (tool) => `The call of ${tool} has a result already, so this one is sent as text.`,
  "calls-as-text": (role) => `The tool calls of ${role} are sent as text: only the AI makes calls.`,
  "call-id-changed": (tool, id) => `The call of ${tool} is sent with the id ${id}: its own is taken or not allowed.`,
  "tool-name-changed": (tool, name) => `The tool ${tool} is sent as ${name}: providers do not allow its name.`,
  "input-changed": (tool) => `The input of ${tool} is sent as an object that every provider can read.`,
  "role-labelled": (role) => `Providers do not know ${role}: the entry is sent as the user's, marked with its role.`,
  "thinking-of-another-model": () => "Thinking is left out: another model made it.",
  "thinking-outdated": () => "Thinking is left out: what it was made under, or the answer it led to, has changed.",
  "empty-dropped": () => "The entry says nothing, so it is not sent.",
  "text-mended": () => "Broken characters in the text are sent as replacement characters.",
} satisfies Record<string, (first: string, second: string) => string>;
