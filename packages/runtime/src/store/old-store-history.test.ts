/** What 0.1.0 did with its history, this version does with the same store and the same bundles. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { activeTake, entries, switchTake } from "@retake/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { directories } from "../directories.ts";
import { importFile } from "../exchange/exchange.ts";
import { openRetake, type Retake } from "../open-retake.ts";

interface Outcome {
  readonly commands: readonly { readonly command: string; readonly exit_code: number }[];
  readonly take?: string;
  readonly entries: readonly unknown[];
  readonly files: Readonly<Record<string, string>>;
}

const fixture = join(import.meta.dirname, "fixtures", "0.1.0");
const expected = JSON.parse(gunzipSync(readFileSync(join(fixture, "expected.json.gz"))).toString()) as {
  readonly files: Readonly<Record<string, string>>;
  readonly threads: Readonly<
    Record<string, { readonly id: string; readonly after?: Readonly<Record<string, Outcome>> }>
  >;
  readonly bundles: Readonly<
    Record<string, { readonly thread: string; readonly after: Readonly<Record<string, Outcome>> }>
  >;
};

let folder: string;
let copies = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "retake-old-history-"));
  execFileSync("tar", ["-xzf", join(fixture, "store.tar.gz"), "-C", folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(Object.entries(expected.threads).filter(([, { after }]) => after))(
  "thread %s of a 0.1.0 store",
  (_, { id, after }) => {
    test.each(Object.entries(after ?? {}))("[S3] [W2] %s", async (label, outcome) => {
      const place = join(folder, `copy-${copies}`);
      copies += 1;
      cpSync(join(folder, "home"), join(place, "home"), { recursive: true });
      execFileSync("cp", ["-a", join(folder, "workspace"), join(place, "workspace")]);
      for (const store of ["data", join("data", "private")])
        moveTo(join(place, "home", store, "retake.db"), join(place, "workspace"));
      const got = await carryOut(place, id, outcome);
      if (!leavesTake(outcome)) expect(got).toEqual(outcome);
      else expectPresentRules(got, after?.[`${label} --on-conflict overwrite`] ?? outcome);
      rmSync(place, { recursive: true });
    });
  },
);

/** Undo with `--step` goes through the branches and switches that are the last steps of these threads. */
const THROUGH_TAKES = ["01a1e640-33fd-7000-a70c-1eeb397686ce", "01a1e640-7dde-7001-ae72-8092c8870737"];

/** Whether another take, or another point of it, becomes active, with all of its files. */
function leavesTake({ commands, take = "" }: Outcome): boolean {
  const whole = commands.some(({ command }) => /^(jump|switch)/.test(command));
  return whole || (commands.length === 1 && THROUGH_TAKES.includes(take));
}

/** Files that the user made or changed outside of Retake. */
const USERS = ["a.txt", "j-user.txt", "user.txt"];

/**
 * 0.1.0 refused to exchange the files of a take where another thread or the user had changed some since. Now the files of
 * other threads stay (F34), and what the user changed goes with the take that it was changed in. The conversation is
 * what 0.1.0 made of it when it was told to overwrite.
 */
function expectPresentRules(got: Outcome, overwritten: Outcome): void {
  expect(got.commands.map(({ exit_code }) => exit_code)).toEqual(got.commands.map(() => 0));
  expect([got.take, got.entries]).toEqual([overwritten.take, overwritten.entries]);
  const paths = new Set([...Object.keys(got.files), ...Object.keys(overwritten.files)]);
  for (const path of paths)
    if (!USERS.includes(path)) expect([overwritten.files[path], expected.files[path]], path).toContain(got.files[path]);
}

/** The store says where its workspace is: here. */
function moveTo(file: string, root: string): void {
  const database = new DatabaseSync(file);
  database.prepare("UPDATE workspaces SET root = ?").run(Buffer.from(root));
  database.prepare("UPDATE threads SET workspace_root = ?").run(root);
  database.prepare("UPDATE snapshots SET workspace_root = ?").run(root);
  database.close();
}

describe.each(Object.entries(expected.bundles))("bundle %s of 0.1.0", (name, { thread, after }) => {
  test.each(Object.entries(after))("[S3] [W2] %s", async (label, outcome) => {
    const place = join(folder, `bundle-${copies}`);
    copies += 1;
    mkdirSync(join(place, "workspace"), { recursive: true });
    const got = await carryOut(place, thread, outcome, readFileSync(join(fixture, `${name}.bundle`)));
    const { take: _, ...rest } = got;
    // 0.1.0 left the ignored file there that the jump had written. Its undo takes it away too (F31).
    expect(rest).toEqual(label === "jump early, undo" ? { ...outcome, files: {} } : outcome);
    rmSync(place, { recursive: true });
  });
});

async function carryOut(place: string, thread: string, { commands }: Outcome, bundle?: Uint8Array): Promise<Outcome> {
  const root = join(place, "workspace");
  const retake = openRetake({ directories: directories({ RETAKE_HOME: join(place, "home") }), root, version: "0" });
  try {
    if (bundle) expect(await importFile(retake, bundle)).toMatchObject({ kind: "imported" });
    const done: Outcome["commands"][number][] = [];
    for (const { command } of commands) done.push({ command, exit_code: await run(retake, thread, command) });
    return retake.read(thread, ({ state }) => ({
      commands: done,
      take: activeTake(state),
      entries: [...entries(state, activeTake(state))].map(({ id, role, content }) => ({ id, role, content })),
      files: filesIn(root),
    }));
  } finally {
    await retake.close();
  }
}

/** What the command line would end with: 3 where there are conflicts. */
async function run(retake: Retake, thread: string, command: string): Promise<number> {
  const [name, ...args] = command.split(" ");
  const options = command.includes("--on-conflict overwrite") ? { onConflict: "overwrite" as const } : {};
  const count = Number(args[0]) || 1;
  const done =
    name === "undo"
      ? await retake.undo(thread, { count, steps: args.includes("--step") }, options)
      : name === "redo"
        ? await retake.redo(thread, count, options)
        : name === "jump"
          ? await retake.jump(thread, args[0] ?? "", options)
          : await retake.changeWithFiles(
              thread,
              ({ state }, context) => switchTake(state, context, { take: args[0] ?? "" }),
              options,
            );
  if (done.kind === "conflicts") return 3;
  return done.kind === "done" || done.kind === "nothing" ? 0 : 1;
}

function filesIn(root: string, under = ""): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(join(root, under)).sort()) {
    const path = join(under, name);
    const stats = lstatSync(join(root, path));
    if (stats.isSymbolicLink()) files[path] = `link ${readlinkSync(join(root, path))}`;
    else if (stats.isDirectory()) Object.assign(files, { [`${path}/`]: "directory" }, filesIn(root, path));
    else {
      const hash = createHash("sha256")
        .update(readFileSync(join(root, path)))
        .digest("hex");
      files[path] = `${(stats.mode & 0o777).toString(8)} ${hash}`;
    }
  }
  return files;
}
