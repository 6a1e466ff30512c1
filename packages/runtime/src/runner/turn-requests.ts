import { join } from "node:path";
import { isObject, type Json, type JsonObject } from "@retake/core";
import { CommsLog } from "./comms-log.ts";

/** A request to a model as the communication log has it, with the answer. */
export interface LoggedRequest {
  readonly step: number;
  readonly attempt: number;
  readonly at: string;
  readonly model: string;
  readonly system: string;
  readonly tools: readonly JsonObject[];
  readonly messages: readonly JsonObject[];
  readonly settings: JsonObject;
  readonly response: JsonObject | null;
}

/**
 * The requests of one turn, in order, and how many lines of the log are unreadable. Secrets were removed when the log was
 * written. A request is written as a difference from those before it, so the log is read from its beginning.
 */
export async function readTurnRequests(
  state: string,
  thread: string,
  turn: string,
): Promise<{ readonly requests: readonly LoggedRequest[]; readonly unreadable: number }> {
  const requests: LoggedRequest[] = [];
  let unreadable = 0;
  for await (const read of new CommsLog(join(state, "comms"), {}).read(thread)) {
    if (read.kind === "unreadable") unreadable += 1;
    else if (read.line["turn_id"] === turn) note(requests, read.line);
  }
  return { requests, unreadable };
}

function note(requests: LoggedRequest[], line: JsonObject): void {
  const { kind, request, response } = line;
  const [step, attempt] = [Number(line["step"]), Number(line["attempt"] ?? 0)];
  if (kind === "request" && isObject(request)) {
    const { system, tools, messages, ...settings } = request;
    requests.push({
      step,
      attempt,
      at: String(line["at"]),
      model: String(line["model"]),
      system: String(system ?? ""),
      tools: objects(tools),
      messages: objects(messages),
      settings,
      response: null,
    });
  }
  const index = requests.findLastIndex((each) => each.step === step && each.attempt === attempt);
  const asked = requests[index];
  if (kind === "response" && asked && isObject(response)) requests[index] = { ...asked, response };
}

function objects(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
