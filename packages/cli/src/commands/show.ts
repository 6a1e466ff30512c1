import { operationJson, whatOperationDid } from "@retake/runtime";
import { actorName } from "../actor-name.ts";
import type { Command } from "../command.ts";
import { describeChange } from "../describe-change.ts";
import { findOperation } from "../find-operation.ts";
import { ago } from "../output.ts";

export const command: Command = {
  name: "show",
  summary: "What one operation did; for a part of a turn, what the turn did up to it",
  usage: "<op>",
  most: 1,
  async run(call) {
    const { retake, thread, output } = call;
    const id = findOperation(call, call.args[0]);
    const { operation, first, changes, files } = whatOperationDid(retake, thread, id);
    const { version, group } = operation;
    output.say({ ...operationJson(operation, thread), version, group, changes, files }, () => [
      output.style("bold", first.description),
      ...output.table([
        ["  operation", operation.id],
        ["  kind", operation.kind],
        ["  by", `${actorName(operation)}, ${ago(operation.created_at)}`],
        ...(operation.turn_id === undefined ? [] : [["  turn", operation.turn_id]]),
      ]),
      ...changes.map((change) => `  ${describeChange(output, change)}`),
      ...files.map(({ path, status }) => `  ${status.padEnd(8)} ${path}`),
      output.style("dim", `  retake jump ${operation.id} · retake revert ${operation.id}`),
    ]);
  },
};
