import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { amount } from "../../../../testing/budget.ts";
import { treeId } from "../model/tree-id.ts";
import { temporaryWorkspaces } from "../testing/temporary-workspace.ts";
import { CaptureLog } from "./capture-log.ts";

const temporary = temporaryWorkspaces();
const script = fileURLToPath(new URL("../testing/capture-forever.ts", import.meta.url));
const kills = amount("kills", 5, 40);

/** Lets the process commit some captures, then kills it in the middle of the next one. */
function killAfter(lines: number, args: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    createInterface(child.stdout).on("line", (line) => {
      said.push(line);
      if (said.length === lines) child.kill("SIGKILL");
    });
    child.on("close", () => resolve(said));
  });
}

test("[X9] after a kill at any moment, every committed capture is whole, and captures continue", async () => {
  const place = temporary();
  for (let kill = 0; kill < kills; kill += 1) {
    const said = await killAfter(1 + (kill % 4), [place.root, place.store, String(kill)]);
    expect(existsSync(place.root)).toBe(true);
    const workspace = place.open();
    for (const line of said) {
      const [id = "", tree = ""] = line.split(" ");
      expect(treeId(workspace.files(id))).toBe(tree);
    }
    const last = new CaptureLog(workspace.database).latest(1) ?? "";
    for (const [path, state] of workspace.files(last).entries()) {
      if (state.kind !== "directory") workspace.objects.read(state.hash, path);
    }
    const next = await workspace.capture();
    for (const [path, state] of workspace.files(next.id).entries()) {
      if (state.kind !== "directory") workspace.objects.read(state.hash, path);
    }
    await place.close(workspace);
  }
});
