import { activeTake, changeSetting, setting } from "@retake/core";
import type { Call } from "./command.ts";

/** Makes text that was typed outside a prompt the beginning of the next prompt. */
export function keepDraft({ runtime, output }: Call, thread: string, typed: string): void {
  const text = edited(typed);
  if (text === "") return;
  runtime.store.change(thread, (state, context) => {
    const before = setting(state, activeTake(state), "draft");
    const value = before === "" ? text : `${before}\n${text}`;
    return changeSetting(state, context, { field: "draft", value, typing: true });
  });
  if (!output.json) output.line(output.style("dim", `  Kept as the draft of your next prompt: ${text}`));
}

/** The text that keys make: a backspace takes a character back, and keys without a character make none. */
function edited(typed: string): string {
  const characters: string[] = [];
  for (const character of typed.replace(KEYS_WITHOUT_TEXT, "")) {
    if (character === "\b" || character === "\u007f") characters.pop();
    else if (character === "\n" || !/\p{Cc}/u.test(character)) characters.push(character);
  }
  return characters.join("").trim();
}

/** Arrows and the like. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with an escape
const KEYS_WITHOUT_TEXT = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O.)/g;
