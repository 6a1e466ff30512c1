import type { Message, Part } from "@retake/core";
import { fenced } from "./fence.ts";
import { charactersOf } from "./message-size.ts";

/**
 * Messages in a readable form. A long conversation is cut to its newest part, about `longest` characters. The omitted
 * part grows in steps of half of that and not with every message, so that the texts of two consecutive turns mostly
 * begin alike, and their difference is small.
 */
export function messagesAsMarkdown(messages: readonly Message[], longest: number): string {
  const from = firstShown(messages, longest);
  const note = `(Left out here: the first ${from} messages. The communication log has them all.)`;
  const shown = messages.slice(from).map(({ role, parts }) => {
    return [role === "user" ? "## User" : "## Assistant", ...parts.map(partAsMarkdown)].join("\n\n");
  });
  return [...(from > 0 ? [note] : []), ...shown].join("\n\n");
}

function firstShown(messages: readonly Message[], longest: number): number {
  const ends: number[] = [];
  let total = 0;
  for (const { parts } of messages) {
    total = parts.reduce<number>((sum, part) => sum + charactersOf(part), total);
    ends.push(total);
  }
  if (total <= longest) return 0;
  const half = longest / 2;
  const leftOut = Math.ceil((total - longest) / half) * half;
  // The last message is always shown, however long it is.
  return Math.min(ends.filter((end) => end < leftOut).length + 1, messages.length - 1);
}

function partAsMarkdown(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
      return `(image ${part.path})`;
    case "thinking":
      return part.redacted ? "(thinking that the provider hides)" : `(thinking)\n\n${part.text}`;
    case "tool-call":
      return `**${part.name}** \`${part.call_id}\`\n\n${fenced(JSON.stringify(part.input, null, 2))}`;
    case "tool-result":
      return `${part.is_error ? "Error" : "Result"} of **${part.name}** \`${part.call_id}\`\n\n${fenced(part.output)}`;
  }
}
