import { conflictMessage, type FilesAnswer } from "@retake/runtime";
import { cut } from "@retake/tui/text";
import { type Call, CommandError, EXIT } from "./command.ts";

/** A screen's worth; `--json` names all. */
const MOST_NAMED = 20;
const MOST_OF_PATH = 500;

/** The outcome of the files, for a person. Names all files with an unexpected outcome. */
export function* fileLines({ output }: Pick<Call, "output">, { files }: Pick<FilesAnswer, "files">): Iterable<string> {
  const plain = files.filter(({ became }) => became === "restored" || became === "removed");
  const more = plain.length - MOST_NAMED;
  for (const { path, became } of more > 1 ? plain.slice(0, MOST_NAMED) : plain)
    yield `  ${output.style("dim", became.padEnd(WIDTH))} ${cutPath(path)}`;
  if (more > 1) yield output.style("dim", `  … and ${more} more; --json names them all`);
  for (const { path, became, reason } of files) {
    const about = became === "kept" ? `(${reason})` : ABOUT[became];
    if (about !== undefined) yield `  ${output.style("yellow", became.padEnd(WIDTH))} ${cutPath(path)} ${about}`;
  }

  function cutPath(path: string): string {
    return cut(path, Math.min(MOST_OF_PATH, Math.max(20, output.width - WIDTH - 3)));
  }
}

const WIDTH = "restored".length;

const ABOUT: Readonly<Partial<Record<FilesAnswer["files"][number]["became"], string>>> = {
  merged: "(with later edits)",
  markers: "(your version and the other one stand in it between markers: choose)",
  replaced: "(your version gave way; it comes back when this is taken back)",
  "put-away": "(your edits stay with the take that you made them in)",
};

/** The answer to a call that is refused because of conflicts. */
export type Conflicting = FilesAnswer & { readonly plan_id?: string | undefined };

export function conflictError(answer: Conflicting): CommandError {
  return new CommandError(
    EXIT.conflicts,
    "conflict",
    `${conflictMessage(answer)} Name a policy (--on-conflict keep, merge or overwrite), or decide each: --resolve <path>=mine, theirs or merged.`,
    answer,
  );
}
