import { action as changeSettings } from "@retake/runtime/actions/change-settings";
import { action as getSettings } from "@retake/runtime/actions/get-settings";
import { act } from "./act.ts";
import type { Call } from "./command.ts";

/** Makes text that was typed outside a prompt the beginning of the next prompt. */
export async function keepDraft(call: Call, thread: string, typed: string): Promise<void> {
  const text = edited(typed);
  if (text === "") return;
  const { output } = call;
  const params = { id: thread };
  const { draft } = await act(call, getSettings, { params });
  const body = { draft: draft === "" ? text : `${draft}\n${text}`, typing: true };
  await act(call, changeSettings, { params, body });
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
