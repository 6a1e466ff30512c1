import { afterEach, beforeEach, expect, test } from "vitest";
import type { Resolution } from "./decide-path.ts";
import { listing, Sandbox } from "./testing/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.dispose());

/** A turn changed `a`, `b` and `c`; the user changed `a` and `b` in the same line since. */
function clash() {
  for (const path of ["a", "b", "c"]) sandbox.write(path, "before\n");
  const before = sandbox.capture();
  for (const path of ["a", "b", "c"]) sandbox.write(path, "turn\n");
  const transition = { before, after: sandbox.capture() };
  for (const path of ["a", "b"]) sandbox.write(path, "user\n", 0o640);
  return transition;
}

const MARKED = "<<<<<<< on disk\nuser\n=======\nbefore\n>>>>>>> restored\n";

test.each([
  ["keep", "user\n"],
  ["overwrite", "before\n"],
  ["merge", MARKED],
  [Buffer.from("both\n"), "both\n"],
] as const)("[X1] a conflict that is resolved with %s does not stop the restore", async (resolution, content) => {
  const transitions = [clash()];
  const resolutions = new Map<string, Resolution>([
    ["a", resolution],
    ["b", "keep"],
  ]);
  const { plan } = await sandbox.restore({ transitions, resolutions });
  expect(plan).toMatchObject({ outcome: "restore", conflicts: [{ path: "a" }, { path: "b" }] });
  expect([sandbox.read("a"), sandbox.read("b"), sandbox.read("c")]).toEqual([content, "user\n", "before\n"]);
  await sandbox.restore({ transitions: [{ changes: plan.changes }] });
  expect([sandbox.read("a"), sandbox.read("b"), sandbox.read("c")]).toEqual(["user\n", "user\n", "turn\n"]);
});

test("[X1] a conflict without a resolution stops the restore, and the plan shows what else would be done (F33)", async () => {
  const transitions = [clash()];
  const before = listing(sandbox.capture());
  const request = { transitions, resolutions: new Map<string, Resolution>([["a", "overwrite"]]) };
  const result = await sandbox.restore(request);
  expect(result).toMatchObject({
    kind: "refused",
    plan: {
      outcome: "refused",
      actions: [
        { path: "a", how: "overwritten" },
        { path: "c", how: "restored" },
      ],
      kept: [{ path: "b", reason: "overlap" }],
      changes: [],
    },
  });
  expect(listing(sandbox.capture())).toEqual(before);
});

test("[X1] a resolution goes before the policy", async () => {
  const transitions = [clash()];
  const resolutions = new Map<string, Resolution>([["a", "keep"]]);
  await sandbox.restore({ transitions, onConflict: "overwrite", resolutions });
  expect([sandbox.read("a"), sandbox.read("b")]).toEqual(["user\n", "before\n"]);
});

test("[X1] a resolution for a path without a conflict is refused, and nothing is changed", async () => {
  const transitions = [clash()];
  const before = listing(sandbox.capture());
  for (const path of ["c", "nowhere"]) {
    const resolutions = new Map<string, Resolution>([[path, "keep"]]);
    const request = { transitions, onConflict: "keep", resolutions } as const;
    await expect(sandbox.restore(request)).rejects.toMatchObject({ code: "no-conflict", path });
    expect(() => sandbox.dryRun(request)).toThrow("has no conflict");
  }
  expect(listing(sandbox.capture())).toEqual(before);
});

test("[X1] a merge that cannot be written leaves the conflict unresolved", async () => {
  sandbox.write("a", "before\n");
  const before = sandbox.capture();
  sandbox.write("a", "turn\n");
  const transition = { before, after: sandbox.capture() };
  sandbox.remove("a");
  const resolutions = new Map<string, Resolution>([["a", "merge"]]);
  const result = await sandbox.restore({ transitions: [transition], resolutions });
  expect(result).toMatchObject({ kind: "refused", plan: { conflicts: [{ path: "a", kind: "deleted-by-user" }] } });
});

test("[X1] with detail, a conflict comes with the contents of its sides", () => {
  const [conflict] = sandbox.dryRun({ transitions: [clash()], detail: true }).conflicts;
  const text = (state: { readonly hash?: string } | undefined) =>
    conflict?.contents?.get(state?.hash ?? "")?.toString();
  const { left, target, disk, marked } = conflict as unknown as Record<string, { hash?: string }>;
  expect([text(left), text(target), text(disk), text(marked)]).toEqual(["turn\n", "before\n", "user\n", MARKED]);
});
