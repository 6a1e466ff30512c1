/** Commands in the prompt: the same words as on the command line. */
import { entryById } from "@retake/core";
import { navigate } from "wouter/use-browser-location";
import { say } from "../data/notices.ts";
import type { Session } from "../data/session.ts";
import { focusStore, showTab } from "../data/view-state.ts";
import { branchAt, redo, tryAgain, tryNow, undoTurns } from "./history-commands.ts";
import { overlay } from "./overlay.ts";
import { clear, compress, newThread, renameThread, reset, truncate } from "./thread-commands.ts";

interface SlashCommand {
  readonly name: string;
  readonly about: string;
  readonly run: (session: Session, words: string) => unknown;
}

/** The commands that need no thread on the screen. */
export const PAGE_COMMANDS: readonly (Omit<SlashCommand, "run"> & { readonly run: () => unknown })[] = [
  { name: "new", about: "a new thread", run: openNew },
  { name: "keys", about: "the keys of this page", run: () => overlay.set("keys") },
];

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: "undo",
    about: "take back the last turn, or the last N",
    run: ({ thread }, words) => undoTurns(thread, countIn(words), "always"),
  },
  { name: "redo", about: "bring back what was undone", run: ({ thread }) => redo(thread) },
  {
    name: "retry",
    about: "take the last turn back and ask again",
    run: ({ thread, store }, words) => {
      const waiting = store.value.retry?.turn_id;
      return words === "" && waiting !== undefined
        ? tryNow(thread, waiting)
        : tryAgain(thread, words === "" ? undefined : words);
    },
  },
  { name: "branch", about: "a new take from the focused or last entry", run: branchHere },
  { name: "takes", about: "the takes of this thread", run: () => showTab("takes") },
  { name: "history", about: "everything that happened", run: () => showTab("history") },
  { name: "changes", about: "what changed in your files", run: () => showTab("changes") },
  { name: "settings", about: "model, prompts and parameters", run: () => showTab("settings") },
  { name: "context", about: "files that are always sent", run: () => showTab("context") },
  { name: "find", about: "find in this thread", run: () => overlay.set("find") },
  {
    name: "truncate",
    about: "keep the last N pairs of prompt and answer",
    run: ({ thread }, words) => truncate(thread, countIn(words)),
  },
  { name: "compress", about: "a summary in the place of the older turns", run: ({ thread }) => compress(thread) },
  { name: "clear", about: "remove all entries of this take", run: ({ thread }) => clear(thread) },
  { name: "reset", about: "clear conversation, settings and lists", run: ({ thread }) => reset(thread) },
  { name: "rename", about: "another title for this thread", run: ({ thread }, words) => renameThread(thread, words) },
  ...PAGE_COMMANDS,
];

/** Runs `/undo 2`. Words that are no command are said to be none. */
export async function runSlash(session: Session, text: string): Promise<void> {
  const [, name = "", words = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = SLASH_COMMANDS.find((each) => each.name === name);
  if (!command) throw new Error(`There is no command /${name}. Type / to see all.`);
  await command.run(session, words.trim());
}

function countIn(words: string): number {
  const count = Number(/^\d{1,6}$/.exec(words)?.[0] ?? 1);
  return Number.isSafeInteger(count) ? count : 1;
}

async function branchHere(session: Session): Promise<void> {
  const { view } = session.store.value;
  const focused = focusStore.value?.entry;
  const last = view?.state.spaces
    .get(view.take)
    ?.order.at((view.state.spaces.get(view.take)?.order.size ?? 0) - 1)?.[1];
  const entry = view && focused && entryById(view.state, view.take, focused) ? focused : last;
  if (entry === undefined) say("There is no entry to branch at yet.");
  else await branchAt(session.thread, entry);
}

async function openNew(): Promise<void> {
  const address = await newThread();
  if (address) navigate(address);
}
