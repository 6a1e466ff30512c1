import { kindOf, type TurnReceipt } from "@retake/core";
import { historySteps, operationJson, type RecordChange, whatOperationDid } from "@retake/runtime";
import { actorName } from "../actor-name.ts";
import type { Call, Command } from "../command.ts";
import { describeChange } from "../describe-change.ts";
import { findOperation } from "../find-operation.ts";
import { findTurn } from "../find-turn.ts";
import { ago } from "../output.ts";
import { patchLines } from "../patch-lines.ts";
import { stayingLines } from "../receipt-lines.ts";
import { uncoveredLines } from "../uncovered-lines.ts";

export const command: Command = {
  name: "show",
  summary: "What one operation or turn did; for a part of a turn, what the turn did up to it",
  usage: "<op|turn>",
  most: 1,
  async run(call) {
    const { workspace, thread, output } = call;
    const id = findShown(call, call.args[0]);
    const { operation, first, changes, files } = await whatOperationDid(workspace, thread, id);
    const { version, group } = operation;
    const receipt = receiptIn(changes);
    const told = {
      ...operationJson(operation, thread),
      version,
      group,
      changes,
      files,
      ...(receipt ? { receipt } : {}),
    };
    output.say(told, () => [
      output.style("bold", first.description),
      ...output.table([
        ["  operation", operation.id],
        ["  kind", operation.kind],
        ["  by", `${actorName(operation)}, ${ago(operation.created_at)}`],
        ...(operation.turn_id === undefined ? [] : [["  turn", operation.turn_id]]),
      ]),
      ...changes.map((change) => `  ${describeChange(output, change)}`),
      ...patchLines(output, files),
      ...(receipt
        ? indented(stayingLines(output, { effects: receipt.effects, uncovered: receipt.uncovered_changed }, STAYS))
        : []),
      ...(receipt && receipt.uncovered.length > 0 ? ["  Not covered when it ended:"] : []),
      ...uncoveredLines(output, receipt?.uncovered ?? []),
      output.style("dim", `  retake jump ${operation.id} · retake revert ${operation.id}`),
    ]);
  },
};

const STAYS = "cannot be taken back";

/** A turn, by its number, is shown at its end. */
function findShown(call: Call, name: string | undefined): string {
  const ofTurn = call.workspace.store.read(call.thread, (history) => {
    const turn = name === undefined ? undefined : findTurn(history.state, name);
    return turn === undefined
      ? undefined
      : [...historySteps(history)].find(({ operation }) => operation.turn_id === turn)?.operation.id;
  });
  return ofTurn ?? findOperation(call, name);
}

function indented(lines: Iterable<string>): string[] {
  return [...lines].map((line) => `  ${line}`);
}

function receiptIn(changes: readonly RecordChange[]): TurnReceipt | undefined {
  const turn = changes.find(({ record, after }) => kindOf(record) === "turn" && after?.["receipt"]);
  return turn?.after?.["receipt"] as unknown as TurnReceipt | undefined;
}
