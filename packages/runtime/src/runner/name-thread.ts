/**
 * The model names a thread during its first turn, from the prompt alone: a small request beside those of the turn. The title is
 * part of the turn, so that undoing it brings the old one back. It is left out where it fails, where the user gave a title, and
 * where the configuration says so.
 */
import { inThread, isUntitled, type Message, recordOf, type State, titleFrom, titleThread } from "@retake/core";
import type { TurnParts } from "./turn.ts";
import type { TurnAccess } from "./turn-access.ts";

/** Makes the title; nothing happens where the thread should keep its own. Resolves when it is recorded or given up. */
export async function nameThread(access: TurnAccess, turn_id: string, signal: AbortSignal): Promise<void> {
  const { parts, request, take } = access;
  const { prompt, model, thread } = request;
  const { titles } = parts;
  if (!titles.byModel || !access.read((state) => hasDefaultTitle(state, prompt))) return;
  let text = "";
  const sent = { ...SETTINGS, messages: asking(prompt), tools: [], turn: 1, step: 1, purpose: "title" as const };
  for await (const part of model.stream({ ...sent, signal })) {
    if (part.kind === "text") text += part.text;
    if (part.kind === "failed") return;
    if (part.kind === "responded") parts.budget.add(part.usage);
  }
  const title = titleFrom(text.split("\n")[0]?.replace(/^["'#*\s]+|["'*.\s]+$/g, "") ?? "");
  if (title === "" || signal.aborted) return;
  parts.store.change(thread, ({ state }) => {
    const context = { ...parts.identity.context({ kind: "agent", name: model.name }), take };
    return titleThread(state, context, { turn_id, title: titles.free(title) });
  });
}

/** The title that a prompt gives a thread without one; undefined where the thread has one. */
export function titleByPrompt(state: State, prompt: string, { titles }: Pick<TurnParts, "titles">): string | undefined {
  return isUntitled(state) ? titles.free(titleFrom(prompt)) : undefined;
}

/** The user has not named it, and this is its first turn. */
function hasDefaultTitle(state: State, prompt: string): boolean {
  const title = String(recordOf(state, "thread")?.["title"] ?? "");
  return title.startsWith(titleFrom(prompt)) && inThread(state, "numbers")?.turns === 1;
}

const SETTINGS = {
  system:
    "You name conversations. Answer with a title for the task that the user describes: at most six words, in the user's language, no quotes, no full stop, nothing else.",
  temperature: 0,
  top_p: 1,
  // Models that always think write that first.
  max_tokens: 1024,
  thinking: "off",
  thinking_budget: 0,
} as const;

/** A task is clear from its beginning. */
const LONGEST_PROMPT = 2000;

function asking(prompt: string): readonly Message[] {
  const text = prompt.slice(0, LONGEST_PROMPT).toWellFormed();
  return [{ role: "user", parts: [{ type: "text", text }] }];
}
