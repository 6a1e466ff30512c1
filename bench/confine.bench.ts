/** The time that the confinement adds to a shell command, for each way to confine that this machine has. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { bash } from "../packages/runtime/src/tools/bash.ts";
import { Confiner } from "../packages/runtime/src/tools/confine/confiner.ts";
import type { Confined } from "../packages/runtime/src/tools/tool.ts";
import { type Row, report, sideBySide } from "./measure.ts";

const rounds = 41;
/** In milliseconds. */
const mostAdded = 60;
const root = realpathSync(mkdtempSync(join(homedir(), ".retake-bench-")));
const environment = { PATH: process.env["PATH"] ?? "" };

async function command(confined?: Confined): Promise<void> {
  const end = await bash.run(
    { command: "true" },
    {
      ...{ root, environment, overflow: join(root, "overflow"), signal: new AbortController().signal },
      report: () => {},
      ...(confined ? { confined } : {}),
    },
  );
  if (end.outcome !== "completed") throw new Error(end.content);
}

async function rowOf(kind: string): Promise<Row[]> {
  const confiner = new Confiner({ root, environment: { RETAKE_CONFINEMENT: kind }, own: [] });
  try {
    const by = await confiner.find();
    if (by.kind === "none") {
      console.log(`not measured: ${by.reason}`);
      return [];
    }
    const confined = { work: () => command(confiner.confine(by, [])) };
    const { ours, other } = await sideBySide(rounds, confined, { work: () => command() });
    const what = `added by ${kind} (${ours.toFixed(1)} with, ${other.toFixed(1)} without) / ${mostAdded} ms`;
    return [{ what, ours: ours - other, other: mostAdded, atMost: 1 }];
  } finally {
    confiner.close();
  }
}

try {
  const kinds = process.platform === "darwin" ? ["sandbox-exec"] : ["bwrap", "unshare"];
  const rows: Row[] = [];
  for (const kind of kinds) rows.push(...(await rowOf(kind)));
  report("confine: a shell command that does nothing", rows);
} finally {
  rmSync(root, { recursive: true, force: true });
}
