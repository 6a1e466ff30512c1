import { type Entry, preview } from "./entry.ts";
import type { TakeId } from "./record.ts";
import type { State } from "./state.ts";
import { entryById } from "./view.ts";

/** A call in a list: its tool, and the file, the command or the first text that it was given (F41). */
export function describeCall(
  state: State,
  take: TakeId,
  { id, tool_result: result }: Pick<Entry, "id" | "tool_result">,
): string {
  const name = result?.name ?? "Tool";
  // The id of a result begins with that of the answer that made the call.
  const answer = entryById(state, take, id.slice(0, Math.max(0, id.lastIndexOf("."))));
  const input = answer?.tool_calls?.find((call) => call.id === result?.call_id)?.input ?? {};
  const subject = [input["path"], input["command"], ...Object.values(input)].find((value) => typeof value === "string");
  return typeof subject === "string" && subject.trim() !== "" ? `${name} ${preview({ content: subject })}` : name;
}
