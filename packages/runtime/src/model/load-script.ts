import { readFile } from "node:fs/promises";
import { type Script, scriptProblem } from "./script.ts";

/** Reads the file that `RETAKE_SCRIPT` names. An invalid script is refused before anything begins. */
export async function loadScript(file: string): Promise<LoadedScript> {
  const refused = (code: ScriptRefusal["code"], why: string): ScriptRefusal => ({
    kind: "refused",
    code,
    message: `The script ${file} ${why}. No model was started; mend the file, or unset RETAKE_SCRIPT.`,
  });

  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return refused("script-unreadable", missing ? "does not exist" : `cannot be read (${messageOf(error)})`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refused("script-malformed", `is not JSON (${messageOf(error)})`);
  }
  const problem = scriptProblem(value);
  if (problem !== undefined) return refused("script-malformed", `has the wrong form: ${problem}`);
  return { kind: "script", script: value as Script };
}

export type LoadedScript = { readonly kind: "script"; readonly script: Script } | ScriptRefusal;

export interface ScriptRefusal {
  readonly kind: "refused";
  readonly code: "script-unreadable" | "script-malformed";
  readonly message: string;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
