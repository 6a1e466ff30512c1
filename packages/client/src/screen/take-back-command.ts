import type { TakenBack } from "./plan-lines.ts";

/** The command that takes back exactly the operation of an answer; undefined where there is none. */
export function takeBackCommand({
  taken_back_by: by,
  taken_back_with: body,
}: Pick<TakenBack, "taken_back_by" | "taken_back_with">): string | undefined {
  if (by === undefined) return undefined;
  if (by === "redo") return "retake redo";
  if (by === "jump") return `retake jump ${body?.op}`;
  const { turns, steps, scope, keep_prompt } = body ?? {};
  const count = turns ?? steps ?? 1;
  return [
    "retake undo",
    ...(count === 1 ? [] : [count]),
    ...(by === "undo-step" ? ["--step"] : []),
    ...(scope === undefined ? [] : ["--scope", scope]),
    ...(keep_prompt ? ["--keep-prompt"] : []),
  ].join(" ");
}
