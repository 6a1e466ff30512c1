/** The states before the killed command. Each start returns the real names of the words in `<…>` below. */
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { moveOldStore } from "../../packages/runtime/src/store/testing/move-old-store.ts";
import type { Answer, RetakePlace } from "../testing/retake-place.ts";

const FIXTURE = fileURLToPath(new URL("../../packages/runtime/src/store/fixtures/0.1.0/", import.meta.url));

/** Stands for the operation that the first turn ended with. */
export const FIRST_TURN = "<the first turn>";
export const FIRST_SNAPSHOT = "<the first snapshot>";
/** Stand for bundles: of another thread, of this one with a turn that this place has not, and of version 0.1.0. */
export const OTHER_BUNDLE = "<a bundle of another thread>";
export const NEWER_BUNDLE = "<a bundle with a turn from elsewhere>";
export const OLD_BUNDLE = "<a bundle of 0.1.0>";

export type Start = (place: RetakePlace) => Promise<ReadonlyMap<string, string>>;

/**
 * A thread with turns that wrote, changed, renamed and deleted files, two takes, and a file that the user has edited
 * since.
 */
export async function aThread(place: RetakePlace): Promise<Map<string, string>> {
  for (let number = 0; number < 4; number += 1) write(place, `src/file-${number}.txt`, `${number}\n`.repeat(9));
  await must(place, "run", "write notes.txt: first\\n", "--new", "--approve", "all");
  await must(
    place,
    ...["run", "--approve", "all"],
    "run sed -i 5s/.*/changed/ src/file-0.txt src/file-1.txt\ndelete src/file-2.txt\nrun mv src/file-3.txt moved.txt",
  );
  await must(place, "branch", "1.0");
  await must(place, "run", "write only-in-take.txt: take\\n", "--approve", "all");
  await must(place, "switch", "main");
  await must(place, "run", "write new/deep/made.txt: made\\n\nappend notes.txt: second\\n", "--approve", "all");
  write(place, "src/file-1.txt", `mine\n${"1\n".repeat(3)}changed\n${"1\n".repeat(4)}`);
  write(place, "by-hand.txt", "mine\n");
  const { operations } = await must(place, "history", "--all");
  const { snapshots } = await must(place, "snapshots");
  return new Map([
    [FIRST_TURN, (operations as Answer[]).findLast(({ kind }) => kind === "turn-finished")?.["id"]],
    [FIRST_SNAPSHOT, (snapshots as Answer[]).at(-1)?.["id"]],
  ]);
}

/** Bundles to import, one of them of a thread that two machines have gone on with: importing it merges their heads. */
export async function bundles(place: RetakePlace): Promise<Map<string, string>> {
  await aThread(place);
  const folder = `${place.folder}-bundles`;
  mkdirSync(folder);
  const [newer, other] = ["newer.bundle", "other.bundle"];
  await andBack(place, async () => {
    // Another machine: its changes are its own.
    rmSync(join(place.home, "data", "device"));
    await must(place, "run", "write elsewhere.txt: elsewhere\\n\nappend notes.txt: third\\n", "--approve", "all");
    await must(place, "export", "--format", "bundle", "--output", join(folder, newer));
    await must(place, "run", "write other.txt: one\\n", "--new", "--approve", "all");
    await must(
      place,
      "run",
      "append other.txt: two\\n\nrun head -c 200000 /dev/urandom > large.bin",
      "--approve",
      "all",
    );
    await must(place, "undo");
    await must(place, "export", "--format", "bundle", "--output", join(folder, other));
  });
  renameSync(folder, join(place.folder, "bundles"));
  await must(place, "run", "write here.txt: here\\n", "--approve", "all");
  return new Map([
    [NEWER_BUNDLE, join(place.folder, "bundles", newer)],
    [OTHER_BUNDLE, join(place.folder, "bundles", other)],
    [OLD_BUNDLE, join(FIXTURE, "takes.bundle")],
  ]);
}

/** A store of 0.1.0 with its workspace, which nothing has opened since. */
export async function oldStore({ folder, root }: RetakePlace): Promise<Map<string, string>> {
  rmSync(root, { recursive: true });
  execFileSync("tar", ["-xzf", join(FIXTURE, "store.tar.gz"), "-C", folder]);
  renameSync(join(folder, "workspace"), root);
  for (const part of ["data", "data/private"]) moveOldStore(join(folder, "home", part, "retake.db"), root);
  return new Map();
}

/** A small one: only the part with the private thread. */
export async function oldPrivateStore(place: RetakePlace): Promise<Map<string, string>> {
  await oldStore(place);
  const data = join(place.home, "data");
  renameSync(data, `${data}-old`);
  mkdirSync(data);
  renameSync(join(`${data}-old`, "private"), join(data, "private"));
  rmSync(`${data}-old`, { recursive: true });
  return new Map();
}

/** Does something in a place and puts all of it back as it was. */
async function andBack({ folder }: RetakePlace, use: () => Promise<void>): Promise<void> {
  const saved = `${folder}-before`;
  execFileSync("cp", ["-a", folder, saved]);
  await use();
  rmSync(folder, { recursive: true });
  renameSync(saved, folder);
}

export async function must(place: RetakePlace, ...args: string[]): Promise<Answer> {
  const { status, answer, stdout, stderr } = await place.call(args);
  if (status !== 0) throw new Error(`retake ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
  return answer;
}

function write({ root }: RetakePlace, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
