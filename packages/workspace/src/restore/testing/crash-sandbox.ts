import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { FileState } from "../../model/model.ts";
import { type Call, distinctPoints, type Ended, runInjected, traceChanges } from "../../testing/strace.ts";
import { recoverRestores } from "../recover-restores.ts";
import { RestoreJournal } from "../restore-journal.ts";
import { composeTransitions } from "../transitions.ts";
import { listing, Sandbox } from "./sandbox.ts";

/** As `crash-scenario.ts` names it. */
const MARKER = "/retake-scenario-begins";

type Task = "restore" | "recover";

/**
 * A sandbox in which one turn is undone again and again from the same start. The turn modified, created, deleted and
 * renamed files, and changed a link, a mode and an empty directory.
 */
export class CrashSandbox {
  readonly directory = mkdtempSync(join(tmpdir(), "retake-crash-"));
  readonly #inside = join(this.directory, "sandbox");
  readonly #saved = join(this.directory, "saved");
  /** Node saves the compiled scenario here: compiling TypeScript is most of the time of so short a process. */
  readonly #environment = { ...process.env, NODE_COMPILE_CACHE: join(this.directory, "compiled") };
  readonly #before: Record<string, FileState>;
  readonly #after: Record<string, FileState>;

  constructor() {
    const sandbox = new Sandbox(this.#inside);
    const text = (name: string) => `${name}\n`.repeat(20);
    sandbox.write("untouched.txt", "untouched\n");
    utimesSync(sandbox.path("untouched.txt"), 1_000_000_000, 1_000_000_000);
    for (let index = 0; index < 7; index += 1) sandbox.write(`src/modified-${index}.txt`, text("before"));
    for (let index = 0; index < 4; index += 1)
      sandbox.write(`gone/deep/deleted-${index}.txt`, text(`deleted ${index}`));
    for (let index = 0; index < 3; index += 1) sandbox.write(`old/renamed-${index}.txt`, text(`renamed ${index}`));
    sandbox.link("link", "untouched.txt");
    sandbox.write("script.sh", "#!/bin/sh\n", 0o755);
    this.#before = listing(sandbox.capture());
    const before = sandbox.capture();
    for (let index = 0; index < 7; index += 1) sandbox.write(`src/modified-${index}.txt`, text("after"));
    for (let index = 0; index < 5; index += 1) sandbox.write(`new/deep/created-${index}.txt`, text(`created ${index}`));
    sandbox.remove("gone");
    execFileSync("mv", [join(sandbox.root, "old"), join(sandbox.root, "renamed")]);
    sandbox.remove("link");
    sandbox.link("link", "src");
    sandbox.write("script.sh", "#!/bin/sh\n", 0o644);
    execFileSync("mkdir", ["-m", "710", join(sandbox.root, "empty")]);
    const after = sandbox.capture();
    this.#after = listing(after);
    const changes = [...composeTransitions([{ before, after }], () => true)].map(([path, steps]) => {
      const step = steps.kind === "steps" ? steps.steps[0] : undefined;
      return { path, before: step?.target, after: step?.left };
    });
    writeFileSync(join(this.#inside, "changes.json"), JSON.stringify(changes));
    sandbox.close();
    this.save();
    // Fills the cache, because a traced process must not write to it.
    const [node = "", ...args] = this.#command("restore");
    execFileSync(node, args, { env: this.#environment });
    this.reset();
  }

  /** The points at which a task can be killed: every system call that changes something on disk. */
  async points(task: Task): Promise<Call[]> {
    this.reset();
    const calls = await this.trace(task);
    this.reset();
    return distinctPoints(calls);
  }

  /** The calls by which a task changes something on disk. */
  trace(task: Task, withPaths = false): Promise<Call[]> {
    return traceChanges(this.#command(task), MARKER, { env: this.#environment, withPaths });
  }

  /** Runs a task that is killed at a call, or whose call fails with `error`. */
  run(task: Task, call: Call, error?: string): Promise<Ended> {
    return runInjected(this.#command(task), call, {
      env: this.#environment,
      ...(error === undefined ? {} : { error }),
    });
  }

  #command(task: Task): string[] {
    return [process.execPath, join(import.meta.dirname, "crash-scenario.ts"), task, this.#inside];
  }

  /** From now on `reset` returns to the current state. */
  save(): void {
    rmSync(this.#saved, { recursive: true, force: true });
    execFileSync("cp", ["-a", this.#inside, this.#saved]);
  }

  reset(): void {
    rmSync(this.#inside, { recursive: true, force: true });
    execFileSync("cp", ["-a", this.#saved, this.#inside]);
  }

  /** Whether the files are as if the restore had not begun. */
  get untouched(): boolean {
    const sandbox = new Sandbox(this.#inside);
    const files = listing(sandbox.capture());
    sandbox.close();
    return JSON.stringify(files) === JSON.stringify(this.#after);
  }

  /** Recovers after a crash and checks the result. Returns whether the restore had not begun or has ended. */
  async checkRecovery(): Promise<"not-begun" | "ended"> {
    const sandbox = new Sandbox(this.#inside);
    try {
      await recoverRestores(sandbox.context);
      const outcome = sandbox.committed ? "ended" : "not-begun";
      expect(listing(sandbox.capture())).toEqual(sandbox.committed ? this.#before : this.#after);
      expect(statSync(sandbox.path("untouched.txt")).mtimeMs).toBe(1_000_000_000_000);
      const print = this.#fingerprint(sandbox.root);
      expect(print).not.toContain("retake-stage");
      expect(await recoverRestores(sandbox.context)).toEqual({ finished: [], stagesRemoved: 0 });
      expect(this.#fingerprint(sandbox.root)).toBe(print);
      expect(new RestoreJournal(sandbox.database).unfinished(sandbox.root)).toEqual([]);
      const left = readdirSync(join(this.#inside, "state")).filter(
        (name) => !/^(store\.sqlite|packs$|locks$)/.test(name),
      );
      expect(left).toEqual([]);
      return outcome;
    } finally {
      sandbox.close();
    }
  }

  dispose(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  #fingerprint(root: string): string {
    return execFileSync("find", [root, "-printf", "%p %y %i %m %T@ %C@\\n"], { encoding: "utf8" })
      .split("\n")
      .sort()
      .join("\n");
  }
}
