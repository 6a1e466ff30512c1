/**
 * A process that works without a pause: `node busy-process.ts <thread> <label> <seed> <commands>`, in a workspace and with
 * RETAKE_HOME set. What each command acknowledges is on its standard output, and behind it a line
 * with the command and its exit code.
 */
import { runCommand } from "../../packages/cli/src/run-command.ts";

const [, , thread = "", label = "", seed = "1", commands = "1"] = process.argv;
let state = Number(seed) >>> 0;

function below(limit: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

function next(number: number): string[] {
  const value = `${label}-${seed}-${number}`;
  switch (below(10)) {
    case 0:
    case 1:
    case 2:
      return ["run", `write ${label}.txt: ${value}`, "--yes"];
    case 3:
      return ["run", `run mkdir -p ${label} && echo ${value} > ${label}/${below(4)}.txt`, "--yes"];
    case 4:
      return ["insert", "--content", value];
    case 5:
      return ["edit", "1.0", "--content", value];
    case 6:
      return ["settings", "draft", value];
    case 7:
      return ["undo"];
    case 8:
      return ["undo", "--step"];
    default:
      return ["redo"];
  }
}

for (let number = 0; number < Number(commands); number += 1) {
  const args = next(number);
  const exit = await runCommand([...args, "--json", "--thread", thread]);
  process.stdout.write(`${JSON.stringify({ exit, args })}\n`);
}
