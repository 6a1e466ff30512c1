import type { Message, Part } from "@retake/core";

/**
 * The scripted model's answer to a request for a summary: the prompts, and what was done. It understands nothing, so it
 * invents nothing.
 */
export function summarise(messages: readonly Message[]): string {
  const parts = messages.flatMap((message): readonly Part[] => message.parts);
  const last = parts.findLastIndex((part) => part.type === "text");
  const lines = parts.slice(0, last).flatMap((part, index) => {
    if (part.type === "text" && part.attached !== true && isUsers(messages, part))
      return [`- Asked: ${shortened(part.text)}`];
    if (part.type !== "tool-call") return [];
    const result = parts.slice(index).find((each) => each.type === "tool-result" && each.call_id === part.call_id);
    const failed = result?.type !== "tool-result" || result.is_error;
    return [`  ${part.name} ${shortened(Object.values(part.input).join(" "))}${failed ? " (failed)" : ""}`];
  });
  return lines.length === 0 ? "- Nothing was asked." : lines.join("\n");
}

function isUsers(messages: readonly Message[], part: Part): boolean {
  return messages.some(({ role, parts }) => role === "user" && (parts as readonly Part[]).includes(part));
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 100 ? line : `${line.slice(0, 99).toWellFormed()}…`;
}
