import { type Json, type JsonObject, localId, preview, recordAs } from "@retake/core";
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
  if (kind === "entry") return `${key} ${record["role"]} entry "${preview(recordAs("entry", record))}"`;
  if (kind === "setting") return `${key}: ${short(before?.["value"])} → ${short(after?.["value"])}`;
  if (kind === "turn") return `turn ${key} "${preview({ content: String(record["prompt"]) })}"`;
  if (kind === "take") return `take ${record["name"]}`;
  const word = WORDS[kind];
  if (word !== undefined) return word;
  return key === "" ? kind : `${kind} ${key}`;
}

/** The kinds of records whose names mean nothing to a person. */
const WORDS: Readonly<Record<string, string>> = {
  active: "which take is active",
  agent: "the state of the agent",
  discussion: "what was last sent to the model",
  git: "what git said of the workspace",
  group: "a step that can be taken back",
  numbers: "the number of the last turn",
  roles: "the list of roles",
  workspace: "the files of the take",
};

function short(value: Json | undefined): string {
  return value === undefined ? "default" : preview({ content: JSON.stringify(value) }, 40);
}
