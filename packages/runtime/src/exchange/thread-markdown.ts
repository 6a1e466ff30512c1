import type { JsonObject } from "@retake/core";
import { fenced } from "../model/fence.ts";
import type { PortableThread } from "./portable-thread.ts";

/** A thread for people, in Markdown. It is not read back. */
export function threadMarkdown({ title, takes }: PortableThread): string {
  const sections = takes.map(({ name, active, entries }) => {
    const heading = takes.length === 1 ? [] : [`## ${name}${active ? " (active)" : ""}`];
    return [...heading, ...entries.map(entryMarkdown)].join("\n\n");
  });
  return `${[`# ${title}`, ...sections].join("\n\n")}\n`;
}

function entryMarkdown(entry: JsonObject): string {
  const { role, content, ts, tool_calls: calls, tool_result: result } = entry;
  const outcome = result as JsonObject | undefined;
  const head = outcome ? `**${outcome["name"]}** ${outcome["status"]}` : `### ${role}${ts ? ` · ${ts}` : ""}`;
  const text = String(content ?? "");
  const asked = Array.isArray(calls) ? (calls as JsonObject[]) : [];
  return [
    head,
    ...(text.trim() === "" ? [] : [outcome ? fenced(text) : text]),
    ...asked.map(({ name, input }) => `→ **${name}**\n\n${fenced(JSON.stringify(input, null, 2))}`),
  ].join("\n\n");
}
