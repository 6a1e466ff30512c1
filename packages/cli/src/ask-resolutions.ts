import { CONFLICTS } from "@retake/client/screen";
import { askKey } from "./ask-key.ts";
import { CommandError, EXIT } from "./command.ts";
import type { ConflictBody } from "./conflict-options.ts";
import type { Conflicting } from "./file-lines.ts";
import { type Output, verbatim } from "./output.ts";
import { coloured } from "./patch-lines.ts";
import type { Terminal } from "./world.ts";

type Conflict = Conflicting["conflicts"][number];
type Resolutions = NonNullable<ConflictBody["resolutions"]>;

/** A screen's worth of what differs; the rest is in the files. */
const MOST_LINES = 40;

/** Shows both sides of each conflict and asks which one counts. `keep` receives typed text that answered nothing. */
export async function askResolutions(
  output: Output,
  terminal: Terminal,
  conflicts: readonly Conflict[],
  keep: (typed: string) => void,
): Promise<Resolutions> {
  const resolutions: Resolutions[number][] = [];
  for (const [index, conflict] of conflicts.entries()) {
    const { path, name, sides } = conflict;
    const both = sides?.merged ? "[b]oth with markers, " : "";
    const answer = await askKey(terminal, {
      show: () => {
        output.line();
        output.line(
          `${output.style("yellow", `${index + 1} of ${conflicts.length}`)}  ${name ?? path}: ${CONFLICTS[conflict.kind] ?? conflict.kind}`,
        );
        for (const line of sideLines(output, conflict)) output.line(line);
      },
      showChoices: () => output.write(`  Keep [m]ine, take [t]heirs, ${both}[q]uit and change nothing? `),
      keys: sides?.merged ? { ...KEYS, b: "merged" } : KEYS,
      keep,
    });
    output.line(WORDS[answer] ?? "");
    if (answer !== "mine" && answer !== "theirs" && answer !== "merged")
      throw new CommandError(EXIT.conflicts, "conflict", "Nothing was changed.");
    resolutions.push({ path, use: answer });
  }
  return resolutions;
}

const KEYS = { m: "mine", t: "theirs", q: "quit" } as const;
const WORDS: Readonly<Record<string, string>> = { mine: "mine", theirs: "theirs", merged: "both", quit: "quit" };

/** How yours would become theirs. */
function sideLines(output: Output, { sides }: Conflict) {
  if (!sides) return [];
  const lines = (sides.hunks ?? []).flatMap((hunk) => hunk.lines);
  if (lines.length === 0) return [`  mine:   ${sideText(sides.mine)}`, `  theirs: ${sideText(sides.theirs)}`];
  const shown =
    lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), `\\ … ${lines.length - MOST_LINES} more lines`] : lines;
  return [output.style("dim", "  - mine  + theirs"), ...verbatim(shown.map((line) => `  ${coloured(output, line)}`))];
}

function sideText(side: NonNullable<Conflict["sides"]>["mine"]): string {
  if (side === null) return "not there";
  if (side.kind === "record") return JSON.stringify(side.content ?? "");
  return side.size === undefined ? side.kind : `${side.kind}, ${side.size} bytes`;
}
