import { isObject, type Json, type JsonObject } from "@retake/core";
import { completed, defineTool } from "./define-tool.ts";

/** The model's plan. It is kept as the call's result, so that undo takes it back with the conversation. */
export const todo = defineTool({
  name: "todo",
  description: "Keeps the list of what is to do. Give the whole list each time; it replaces the last one.",
  input: {
    type: "object",
    properties: {
      items: {
        type: "array",
        maxItems: 200,
        items: {
          type: "object",
          properties: {
            text: { type: "string", minLength: 1, maxLength: 1000 },
            status: { type: "string", enum: ["pending", "in_progress", "done"] },
          },
          required: ["text", "status"],
          additionalProperties: false,
        },
      },
    },
    required: ["items"],
    additionalProperties: false,
  },
  examine: async () => ({ writes: false, paths: [], irreversible: [] }),
  async run(input) {
    const items = itemsIn(input);
    const done = items.filter(({ status }) => status === "done").length;
    const lines = items.map(({ text, status }) => `${marks[status]} ${text}`);
    const summary = items.length === 0 ? "The list is empty." : `${done} of ${items.length} done.`;
    return completed([...lines, summary].join("\n"), { items: items.map((item) => ({ ...item })) });
  },
});

type Status = "pending" | "in_progress" | "done";

const marks: Readonly<Record<Status, string>> = { pending: "[ ]", in_progress: "[>]", done: "[x]" };

function itemsIn(input: JsonObject): { text: string; status: Status }[] {
  const items: readonly Json[] = Array.isArray(input["items"]) ? input["items"] : [];
  return items.flatMap((item) => {
    if (!isObject(item)) return [];
    const { text, status } = item;
    return typeof text === "string" && isStatus(status) ? [{ text, status }] : [];
  });
}

function isStatus(value: Json | undefined): value is Status {
  return typeof value === "string" && Object.hasOwn(marks, value);
}
