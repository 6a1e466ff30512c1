import { spawnSync } from "node:child_process";
import type { Call } from "./command.ts";
import type { Output } from "./output.ts";

/** The first of these that exists, if PAGER is not set. */
const PAGERS = ["less", "more"];
/** The shell's answer for a program that is not there. */
const NO_PROGRAM = 127;

/** Prints a long text: at a terminal through a pager, elsewhere as it is. */
export function paged(
  { output, world: { environment } }: Pick<Call, "output" | "world">,
  print: (page: Output) => void,
): void {
  if (!output.isTerminal) return void print(output);
  let text = "";
  print(
    output.into((content) => {
      text += content;
    }),
  );
  const own = environment["PAGER"];
  for (const pager of own === undefined ? PAGERS : [own]) {
    if (pager === "" || pager === "cat") break;
    // By a shell, because PAGER may hold arguments. R keeps colours; F ends at once where a screen has room for all.
    const env = { ...environment, LESS: environment["LESS"] ?? "FRX" };
    const { status } = spawnSync("/bin/sh", ["-c", pager], { input: text, stdio: ["pipe", "inherit", "inherit"], env });
    if (status !== NO_PROGRAM) return;
  }
  print(output);
}
