import { action as getOperation } from "@retake/runtime/actions/get-operation";
import { act } from "../act.ts";
import { actorName } from "../actor-name.ts";
import type { Command } from "../command.ts";
import { describeChange } from "../describe-change.ts";
import { find } from "../find.ts";
import { verbatim } from "../output.ts";
import { patchLines } from "../patch-lines.ts";
import { stayingLines } from "../receipt-lines.ts";
import { typedName } from "../typed-name.ts";
import { uncoveredLines } from "../uncovered-lines.ts";

export const command: Command = {
  name: "show",
  group: "history",
  summary: "Show what one turn, call or operation changed",
  usage: "<turn|call|operation>",
  most: 1,
  places: ["point"],
  examples: [
    ["retake show 2", "what turn 2 did, with its diff"],
    ["retake show 2.1.1", "what one call of it did"],
    ["retake show 2 --json", "the same for a program"],
  ],
  async run(call) {
    const { thread, output } = call;
    const point = find.point(call, call.args[0]);
    const shown = await act(call, getOperation, { params: { id: thread, op: point.operation } });
    const { receipt } = shown;
    const result = shown.kind.startsWith("tool-")
      ? shown.changes.find(({ name }) => name !== undefined)?.name
      : undefined;
    const name = typedName((point.turn ? shown.turn_name : undefined) ?? result ?? shown.name);
    output.say(shown, () => [
      output.style("bold", shown.about),
      ...output.facts([
        ["  operation", `${shown.name}  ${shown.id}`],
        ["  kind", shown.kind],
        ["  by", `${actorName(shown.actor)}, ${output.ago(Date.parse(shown.created_at))}`],
        ...(shown.turn_id === undefined ? [] : [["  turn", shown.turn_name ?? ""]]),
        ...(result === undefined ? [] : [["  call", result]]),
      ]),
      ...shown.changes.map((change) => `  ${describeChange(output, change)}`),
      ...verbatim(patchLines(output, shown.files)),
      ...(receipt ? indented(stayingLines(output, { ...receipt, uncovered: receipt.uncovered_changed }, STAYS)) : []),
      ...(receipt && receipt.uncovered.length > 0 ? ["  Not covered when it ended:"] : []),
      ...uncoveredLines(output, receipt?.uncovered ?? []),
      output.hint(`${result === undefined ? "" : `retake log ${name} · `}retake jump ${name} · retake revert ${name}`),
    ]);
  },
};

const STAYS = "cannot be taken back";

function indented(lines: Iterable<string>): string[] {
  return [...lines].map((line) => `  ${line}`);
}
