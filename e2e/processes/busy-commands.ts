import type { ChildProcess } from "node:child_process";
import { randomOf } from "../testing/random-of.ts";
import type { Ran, RetakePlace } from "../testing/retake-place.ts";
import { type Acknowledged, acknowledged } from "./acknowledged.ts";

export interface Busy {
  readonly root: string;
  readonly thread: string;
  /** The name of its files. */
  readonly label: string;
  readonly seed: number;
}

/** Commands without a pause on one thread, each a process of its own, until `onStart` ends one of them by a signal. */
export async function busyCommands(
  place: RetakePlace,
  { root, thread, label, seed }: Busy,
  most: number,
  onStart: (child: ChildProcess, number: number) => void = () => {},
): Promise<Acknowledged> {
  const random = randomOf(seed);
  let stdout = "";
  const commands: Acknowledged["commands"][number][] = [];
  for (let number = 0; number < most; number += 1) {
    const args = nextCommand(random, label, `${label}-${seed}-${number}`);
    const ran = await place.spawnBeside([...args, "--thread", thread], {
      root,
      onStart: (child) => onStart(child, number),
    });
    stdout += `${ran.stdout}\n`;
    if (ran.status === null) break;
    commands.push({ args, exit: ran.status });
    if (/locked|SQLITE|Error/.test(ran.stderr) || /database is locked|SQLITE/.test(ran.stdout))
      throw new Error(broken(args, ran));
  }
  return { ...acknowledged(stdout), commands };
}

function nextCommand(random: () => number, label: string, value: string): string[] {
  const below = (limit: number) => Math.floor(random() * limit);
  switch (below(10)) {
    case 0:
    case 1:
    case 2:
      return ["run", `write ${label}.txt: ${value}`, "--approve", "all"];
    case 3:
      return ["run", `run mkdir -p ${label} && echo ${value} > ${label}/${below(4)}.txt`, "--approve", "all"];
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

function broken(args: readonly string[], { status, stdout, stderr }: Ran): string {
  return `retake ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`;
}
