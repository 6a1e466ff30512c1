import { createInterface } from "node:readline";
import { visible, words } from "@retake/tui/text";
import { COMMANDS } from "./commands.ts";
import { type Candidate, type CompletionWorld, complete } from "./complete.ts";
import { LINE_END, PasteFilter } from "./paste-filter.ts";
import { PASTE_OFF, PASTE_ON } from "./paste-marks.ts";
import type { Terminal, World } from "./world.ts";

export interface LineQuestion {
  readonly prompt: string;
  /** The initial text of the line. */
  readonly draft: string;
  readonly history: readonly string[];
}

/** The typed line, or the key that stands for a command; `end` when there will be no more. */
export type Typed =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "undo" | "redo" | "clear" | "leave" | "end" };

/**
 * Asks for one line. The terminal is taken for that line alone: what runs between two lines, a tool that asks for
 * approval or an editor, has it to itself, and Ctrl+C reaches it as a signal.
 */
export function askLine(world: World, at: Terminal, { prompt, draft, history }: LineQuestion): Promise<Typed> {
  const { input: stdin, output: stdout } = at;
  const filter = new PasteFilter(stdin);
  stdin.pipe(filter);
  const terminal = createInterface({
    input: filter,
    output: stdout,
    terminal: true,
    prompt,
    historySize: 1000,
    history: history.map(inOneLine),
    completer: (line: string, done: (error: null, result: [string[], string]) => void) => {
      void completions(world, line).then(
        ([found, replaced]) => done(null, [found.map(({ word }) => word), replaced]),
        () => done(null, [[], line]),
      );
    },
  });
  stdout.write(PASTE_ON);
  return new Promise<Typed>((resolve) => {
    let typed: Typed = { kind: "end" };
    const finish = (what: Typed) => {
      typed = what;
      terminal.close();
    };
    terminal.once("close", () => {
      stdin.unpipe(filter);
      stdin.pause();
      stdin.setRawMode?.(false);
      stdout.write(typed.kind === "line" ? PASTE_OFF : `${PASTE_OFF}\n`);
      resolve(typed);
    });
    terminal.once("line", (line) => finish({ kind: "line", line: line.replaceAll(LINE_END, "\n") }));
    terminal.on("SIGINT", () => finish({ kind: terminal.line === "" ? "leave" : "clear" }));
    // An unchanged draft is not the user's text: the arrow keys go on through the history (F29).
    const isUntouched = () => terminal.line === "" || terminal.line === inOneLine(draft);
    // Without a listener the process would be stopped; where text is typed the key does nothing.
    terminal.on("SIGTSTP", () => isUntouched() && finish({ kind: "undo" }));
    filter.on("keypress", (_: string, key: { name?: string; ctrl?: boolean } | undefined) => {
      if (key?.ctrl && key.name === "y" && isUntouched()) finish({ kind: "redo" });
    });
    terminal.prompt();
    if (draft !== "") terminal.write(inOneLine(draft));
  });
}

function inOneLine(text: string): string {
  return visible(text.replace(/\r\n?/g, "\n")).replaceAll("\n", LINE_END);
}

/** The completions for the end of a line that begins with a slash, and the part of the line that they replace. */
export async function completions(world: CompletionWorld, line: string): Promise<[Candidate[], string]> {
  if (!line.startsWith("/")) return [[], line];
  const typed = words(line.slice(1));
  const open = /\s$/.test(line) || typed.length === 0;
  const last = open ? "" : (typed.at(-1) ?? "");
  const found = await complete(COMMANDS, open ? [...typed, ""] : typed, world);
  const first = typed.length + (open && typed.length > 0 ? 1 : 0) <= 1;
  const quoted = found.map(({ word, ...about }) => {
    const shown = visible(word);
    return { ...about, word: `${first ? "/" : ""}${/\s/.test(shown) ? JSON.stringify(shown) : shown} ` };
  });
  return [quoted, first ? `/${last}` : last];
}
