import type { ToolCall } from "@retake/core";

/** The message to the model about a call whose input is not even an object; undefined for any other. Nothing runs. */
export function invalidInput(call: ToolCall | undefined): string | undefined {
  const wrong = call?.["invalid_input"];
  if (typeof wrong !== "string") return undefined;
  const begin = JSON.stringify(wrong.slice(0, 200).toWellFormed());
  return `The input of this call is not a JSON object, so nothing was run. It began: ${begin}`;
}
