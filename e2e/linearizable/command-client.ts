import { spawn } from "node:child_process";
import { MAIN } from "../../testing/main.ts";
import type { Answer, RetakePlace } from "../testing/retake-place.ts";
import type { Answered, Asked, RecordedCall } from "./recorded-call.ts";

/** The command line as one more client: each command is a process of its own, on the same store. */
export async function workByCommands(
  { place, thread, record }: { place: RetakePlace; thread: string; record: (call: RecordedCall) => void },
  requests: number,
  random: () => number,
): Promise<void> {
  for (let number = 0; number < requests; number += 1) {
    const content = `command-${number}`;
    const [kind, ...args] = COMMANDS[Math.floor(random() * COMMANDS.length)] as (typeof COMMANDS)[number];
    const text = kind === "insert" || kind === "draft" ? [content] : [];
    const invoked = performance.now();
    const said = await run(place, [...args, ...text, "--thread", thread]);
    const returned = performance.now();
    const asked: Asked =
      kind === "insert"
        ? { kind, entry: said["entry"]?.id ?? "", content }
        : kind === "draft"
          ? { kind, text: content }
          : { kind };
    record({ client: "command", asked, invoked, returned, answer: answered(said) });
  }
}

/** Which request each is, and its words, which the text follows. */
const COMMANDS = [
  ["insert", "insert", "--content"],
  ["draft", "settings", "draft"],
  ["undo", "undo", "--step"],
  ["read-entries", "entries"],
] as const;

function answered(said: Answer): Answered {
  if (said["error"]) return { kind: "refused", ...(said["error"] as { code: string; message: string }) };
  const { version, entries, op_id: operation } = said;
  if (entries === undefined) return { kind: "changed", version, operation };
  const list = (entries as { id: string; content: string }[]).map(({ id, content }) => [id, content] as const);
  return { kind: "entries", entries: list };
}

function run(place: RetakePlace, args: readonly string[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args, "--json"], { cwd: place.root, env: place.environment });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
      });
    child.on("error", reject);
    child.on("close", () => {
      const line = output.trimEnd().split("\n").at(-1) ?? "";
      try {
        resolve(JSON.parse(line) as Answer);
      } catch {
        reject(new Error(`retake ${args.join(" ")} said ${output}`));
      }
    });
  });
}
