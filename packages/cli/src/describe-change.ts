import { type Entry, type Json, type JsonObject, localId, preview } from "@retake/core";
import type { ActionAnswer } from "@retake/runtime/actions";
import type { Output } from "./output.ts";

type RecordChange = ActionAnswer<"getOperation">["changes"][number];

/** One line for a person. */
export function describeChange(output: Output, { record, name, status, ...change }: RecordChange): string {
  const { before, after } = change as { readonly before?: JsonObject; readonly after?: JsonObject };
  const local = localId(record);
  const [kind = "", ...key] = local.split(":");
  return `${output.style(COLOURS[status], status.padEnd(8))} ${describeRecord(kind, name ?? key.join(":"), before, after)}`;
}

const COLOURS = { added: "green", changed: "yellow", removed: "red" } as const;

function describeRecord(kind: string, key: string, before: JsonObject | undefined, after: JsonObject | undefined) {
  const record = after ?? before ?? {};
  if (kind === "entry") return `${key} ${record["role"]} entry "${preview(record as unknown as Entry)}"`;
  if (kind === "setting") return `${key}: ${short(before?.["value"])} → ${short(after?.["value"])}`;
  if (kind === "turn") return `turn ${key} "${preview({ content: String(record["prompt"]) })}"`;
  if (kind === "take") return `take ${record["name"]}`;
  if (kind === "active") return "which take is active";
  return key === "" ? kind : `${kind} ${key}`;
}

function short(value: Json | undefined): string {
  return value === undefined ? "default" : preview({ content: JSON.stringify(value) }, 40);
}
