import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError, EXIT, wrongUsage } from "./command.ts";
import type { World } from "./world.ts";

/** Lets the user edit a text in the editor that `VISUAL` or `EDITOR` names. */
export function editText({ environment, directory, terminal }: World, text: string): Buffer {
  const editor = environment["VISUAL"] || environment["EDITOR"] || (terminal ? "vi" : undefined);
  if (editor === undefined)
    throw wrongUsage("Give the text with --content or - for the standard input, or set EDITOR. Nothing was changed.");
  const folder = mkdtempSync(join(tmpdir(), "retake-edit-"));
  try {
    const file = join(folder, "entry.md");
    writeFileSync(file, text, { mode: 0o600 });
    // By a shell, because EDITOR may hold arguments: `code --wait`.
    const { status, error } = spawnSync("/bin/sh", ["-c", `${editor} "$1"`, "retake", file], {
      stdio: "inherit",
      cwd: directory,
      env: environment,
    });
    if (status !== 0)
      throw new CommandError(
        EXIT.failed,
        "editor-failed",
        `The editor '${editor}' ended with ${error?.message ?? status}. Nothing was changed.`,
      );
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
