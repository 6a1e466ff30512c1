import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RestoreRequest } from "./plan-restore.ts";
import { listing, Sandbox } from "./testing/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.dispose());

/** The captures before and after a turn. */
function turn(work: () => void) {
  const before = sandbox.capture();
  work();
  return { before, after: sandbox.capture() };
}

/** Makes a dry run, then the real one, which must do the same. */
async function restore(request: RestoreRequest) {
  const before = listing(sandbox.capture());
  const foreseen = sandbox.dryRun(request);
  expect(listing(sandbox.capture())).toEqual(before);
  const result = await sandbox.restore(request);
  expect(withoutStamps(result.plan)).toEqual(withoutStamps(foreseen));
  return result;
}

function withoutStamps({ actions, ...plan }: Awaited<ReturnType<Sandbox["restore"]>>["plan"]) {
  return { ...plan, actions: actions.map(({ path, before, after, how }) => ({ path, before, after, how })) };
}

describe("taking back a turn", () => {
  test("[U1] restores files that it modified, created, deleted and renamed", async () => {
    sandbox.write("kept.txt", "kept\n");
    sandbox.write("modified.txt", "one\n");
    sandbox.write("deleted/deep/file.txt", "deleted\n", 0o750);
    sandbox.write("old-name.txt", "renamed\n");
    sandbox.link("link", "kept.txt");
    mkdirSync(sandbox.path("empty"), { mode: 0o711 });
    const transition = turn(() => {
      sandbox.write("modified.txt", "two\n", 0o755);
      sandbox.write("created/deep/file.txt", "created\n");
      sandbox.remove("deleted");
      renameSync(sandbox.path("old-name.txt"), sandbox.path("new-name.txt"));
      sandbox.remove("link");
      sandbox.link("link", "modified.txt");
      rmdirSync(sandbox.path("empty"));
    });
    const untouched = statSync(sandbox.path("kept.txt")).mtimeMs;
    const result = await restore({ transitions: [transition] });
    expect(result).toMatchObject({ kind: "restored", committed: "committed", displaced: [], blocked: [] });
    expect(listing(sandbox.capture())).toEqual(listing(transition.before));
    expect(statSync(sandbox.path("kept.txt")).mtimeMs).toBe(untouched);
    expect(readdirSync(sandbox.root).filter((name) => name.startsWith(".retake"))).toEqual([]);
  });

  test("[U1] turns directories back into files and links, and vice versa", async () => {
    sandbox.write("was-file", "file\n");
    sandbox.write("was-directory/a", "a\n");
    sandbox.write("was-directory/b/c", "c\n");
    sandbox.link("was-link", "was-file");
    mkdirSync(sandbox.path("was-empty"));
    const transition = turn(() => {
      for (const path of ["was-file", "was-directory", "was-link", "was-empty"]) sandbox.remove(path);
      sandbox.write("was-file/inside/x", "x\n");
      sandbox.write("was-directory", "now a file\n");
      mkdirSync(sandbox.path("was-link"));
      sandbox.link("was-empty", "was-file");
    });
    await restore({ transitions: [transition] });
    expect(listing(sandbox.capture())).toEqual(listing(transition.before));
  });

  test("[X2] can itself be undone", async () => {
    sandbox.write("a", "1\n");
    const transition = turn(() => {
      sandbox.write("a", "2\n");
      sandbox.write("d/b", "new\n");
    });
    sandbox.write("a", "2\nmine\n");
    const undone = await restore({ transitions: [transition], onConflict: "overwrite" });
    expect(sandbox.read("a")).toBe("1\n");
    await restore({ transitions: [{ changes: undone.plan.changes }] });
    expect(sandbox.read("a")).toBe("2\nmine\n");
    expect(sandbox.read("d/b")).toBe("new\n");
  });

  test("[U2] takes several turns back together, newest first", async () => {
    sandbox.write("a", "0\n");
    const turns = [1, 2, 3].map((number) =>
      turn(() => {
        sandbox.write("a", `${number}\n`);
        sandbox.write(`new-${number}`, "");
      }),
    );
    await restore({ transitions: turns.slice(1).reverse() });
    expect(readdirSync(sandbox.root).sort()).toEqual(["a", "new-1"]);
    expect(sandbox.read("a")).toBe("1\n");
  });

  test("[X3] takes one turn in the middle back alone, and keeps later work", async () => {
    sandbox.write("a", "1\n2\n3\n4\n5\n");
    const first = turn(() => sandbox.write("a", "one\n2\n3\n4\n5\n"));
    turn(() => sandbox.write("a", "one\n2\n3\n4\nfive\n"));
    const result = await restore({ transitions: [first] });
    expect(result.plan.actions).toMatchObject([{ path: "a", how: "merged" }]);
    expect(sandbox.read("a")).toBe("1\n2\n3\n4\nfive\n");
  });

  test("[X3] keeps what happened between two turns that are taken back", async () => {
    sandbox.write("a", "1\n2\n3\n4\n5\n");
    const first = turn(() => sandbox.write("a", "one\n2\n3\n4\n5\n"));
    sandbox.write("a", "one\n2\nuser\n4\n5\n");
    const second = turn(() => sandbox.write("a", "one\n2\nuser\n4\nfive\n"));
    await restore({ transitions: [second, first] });
    expect(sandbox.read("a")).toBe("1\n2\nuser\n4\n5\n");
  });

  test("[X3] takes one file or one directory back alone", async () => {
    sandbox.write("d/x", "1\n");
    const transition = turn(() => {
      sandbox.write("a", "new\n");
      sandbox.write("d/x", "2\n");
      sandbox.write("d/y", "new\n");
      sandbox.write("dd", "new\n");
    });
    await restore({ transitions: [transition], paths: ["d"] });
    expect(readdirSync(sandbox.root).sort()).toEqual(["a", "d", "dd"]);
    expect([sandbox.read("d/x"), readdirSync(sandbox.path("d"))]).toEqual(["1\n", ["x"]]);
  });

  test("[X3] takes one hunk back alone, and keeps the user's later edits", async () => {
    sandbox.write("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    const transition = turn(() => sandbox.write("a", "one\n2\n3\n4\n5\n6\n7\n8\nnine\n"));
    sandbox.write("a", "one\n2\n3\n4\nuser\n6\n7\n8\nnine\n");
    await restore({ transitions: [transition], hunks: new Map([["a", [1]]]) });
    expect(sandbox.read("a")).toBe("one\n2\n3\n4\nuser\n6\n7\n8\n9\n");
    const request = { transitions: [transition], hunks: new Map([["a", [7]]]) };
    await expect(sandbox.restore(request)).rejects.toMatchObject({ code: "unknown-hunk" });
  });

  test("leaves a directory that the user put something into, and one that existed before", async () => {
    mkdirSync(sandbox.path("empty"), { mode: 0o700 });
    const transition = turn(() => {
      sandbox.write("empty/agent", "x");
      sandbox.write("new/agent", "x");
    });
    sandbox.write("new/user", "mine");
    const result = await restore({ transitions: [transition] });
    expect(result.plan.conflicts).toEqual([]);
    expect(readdirSync(sandbox.path("new"))).toEqual(["user"]);
    expect(readdirSync(sandbox.path("empty"))).toEqual([]);
    expect(statSync(sandbox.path("empty")).mode & 0o777).toBe(0o700);
  });

  test("[X2] undoing the undo restores an empty directory of the user", async () => {
    sandbox.write("d/a", "1\n");
    const transition = turn(() => sandbox.remove("d"));
    mkdirSync(sandbox.path("d"), { mode: 0o711 });
    const made = listing(sandbox.capture());
    const undone = await restore({ transitions: [transition] });
    expect(undone.plan.changes.map(({ path }) => path)).toEqual(["d", "d/a"]);
    await restore({ transitions: [{ changes: undone.plan.changes }] });
    expect(listing(sandbox.capture())).toEqual(made);
  });

  test("changes nothing when all files are as they should be, and still commits", async () => {
    sandbox.write("a", "1\n");
    const transition = turn(() => sandbox.write("a", "2\n"));
    sandbox.write("a", "1\n");
    const result = await restore({ transitions: [transition] });
    expect(result).toMatchObject({ kind: "restored", committed: "committed", plan: { outcome: "nothing-to-do" } });
  });
});

describe("later changes of the user", () => {
  test("[U4] [X1] are merged when they do not overlap", async () => {
    sandbox.write("a", "1\n2\n3\n");
    const transition = turn(() => sandbox.write("a", "1\n2\nthree\n"));
    sandbox.write("a", "user\n2\nthree\n", 0o600);
    const result = await restore({ transitions: [transition] });
    expect(result.plan).toMatchObject({ outcome: "restore", conflicts: [], actions: [{ path: "a", how: "merged" }] });
    expect(sandbox.read("a")).toBe("user\n2\n3\n");
    expect(statSync(sandbox.path("a")).mode & 0o777).toBe(0o600);
  });

  /** For each kind of conflict: what the agent and then the user did with `path`. */
  const conflicts: Record<string, { path: string; setup(): void; agent(): void; user(): void; merged?: string }> = {
    overlap: {
      path: "a",
      setup: () => sandbox.write("a", "1\n"),
      agent: () => sandbox.write("a", "2\n"),
      user: () => sandbox.write("a", "3\n"),
      merged: "<<<<<<< on disk\n3\n=======\n1\n>>>>>>> restored\n",
    },
    binary: {
      path: "a",
      setup: () => sandbox.write("a", "\0 1"),
      agent: () => sandbox.write("a", "\0 2"),
      user: () => sandbox.write("a", "\0 3"),
    },
    "deleted-by-user": {
      path: "a",
      setup: () => sandbox.write("a", "1\n"),
      agent: () => sandbox.write("a", "2\n"),
      user: () => sandbox.remove("a"),
    },
    "created-by-user": {
      path: "a",
      setup: () => sandbox.write("a", "1\n"),
      agent: () => sandbox.remove("a"),
      user: () => sandbox.write("a", "3\n"),
      merged: "<<<<<<< on disk\n3\n=======\n1\n>>>>>>> restored\n",
    },
    type: {
      path: "a",
      setup: () => sandbox.write("a", "1\n"),
      agent: () => sandbox.write("a", "2\n"),
      user: () => {
        sandbox.remove("a");
        sandbox.link("a", "elsewhere");
      },
    },
  };

  for (const [kind, { path, setup, agent, user, merged }] of Object.entries(conflicts)) {
    test(`[X1] conflict as '${kind}', and each policy does what it says`, async () => {
      setup();
      sandbox.write("other", "1\n");
      const transition = turn(() => {
        agent();
        sandbox.write("other", "2\n");
      });
      user();
      const edited = listing(sandbox.capture());

      const aborted = await restore({ transitions: [transition] });
      expect(aborted).toMatchObject({ kind: "refused", plan: { outcome: "refused", conflicts: [{ path, kind }] } });
      expect(listing(sandbox.capture())).toEqual(edited);

      const kept = await restore({ transitions: [transition], onConflict: "keep" });
      expect(kept.plan.kept).toEqual([{ path, reason: kind }]);
      expect(listing(sandbox.capture())[path]).toEqual(edited[path]);
      expect(sandbox.read("other")).toBe("1\n");
      await restore({ transitions: [{ changes: kept.plan.changes }] });
      expect(listing(sandbox.capture())).toEqual(edited);

      const marked = await restore({ transitions: [transition], onConflict: "merge" });
      expect(marked.plan.conflicts).toMatchObject([{ path, kind }]);
      if (merged) expect(sandbox.read(path)).toBe(merged);
      else expect(listing(sandbox.capture())[path]).toEqual(edited[path]);
      await restore({ transitions: [{ changes: marked.plan.changes }] });
      expect(listing(sandbox.capture())).toEqual(edited);

      const overwritten = await restore({ transitions: [transition], onConflict: "overwrite" });
      expect(overwritten.plan.conflicts).toMatchObject([{ path, kind }]);
      expect(listing(sandbox.capture())).toEqual(listing(transition.before));
      await restore({ transitions: [{ changes: overwritten.plan.changes }] });
      expect(listing(sandbox.capture())).toEqual(edited);
    });
  }

  test("[X1] are not lost when the agent had created the edited file", async () => {
    const transition = turn(() => sandbox.write("new/a", "agent\n"));
    sandbox.write("new/a", "agent\nuser\n");
    const result = await restore({ transitions: [transition] });
    expect(result.plan.conflicts).toMatchObject([{ path: "new/a", kind: "overlap" }]);
    await restore({ transitions: [transition], onConflict: "merge" });
    expect(sandbox.read("new/a")).toBe("agent\nuser\n");
  });

  test("[X1] stay when a directory would have to be removed, under every policy", async () => {
    sandbox.write("a", "file\n");
    const transition = turn(() => {
      sandbox.remove("a");
      sandbox.write("a/agent", "x");
    });
    sandbox.write("a/user/deep", "mine");
    for (const onConflict of ["abort", "keep", "merge", "overwrite"] as const) {
      const result = await restore({ transitions: [transition], onConflict });
      expect(result.plan.conflicts).toMatchObject([{ path: "a", kind: "type" }]);
      expect(sandbox.read("a/user/deep")).toBe("mine");
    }
  });

  test("[X1] stay when a file is in the place of a directory", async () => {
    sandbox.write("d/a", "1\n");
    const transition = turn(() => sandbox.remove("d"));
    sandbox.write("d", "mine\n");
    for (const onConflict of ["abort", "keep", "overwrite"] as const) {
      const result = await restore({ transitions: [transition], onConflict });
      expect(result.plan.conflicts).toMatchObject([{ path: "d/a", kind: "type" }]);
      expect(sandbox.read("d")).toBe("mine\n");
    }
  });

  test("[X5] [F34] another thread's later change is merged, and reported when it cannot be", async () => {
    sandbox.write("a", "1\n2\n3\n");
    sandbox.write("b", "1\n");
    const transition = turn(() => {
      sandbox.write("a", "one\n2\n3\n");
      sandbox.write("b", "2\n");
    });
    sandbox.write("a", "one\n2\nthree\n");
    sandbox.write("b", "3\n");
    const request = { transitions: [transition], writtenByOther: () => true };
    const result = await restore(request);
    expect(result).toMatchObject({ kind: "refused", plan: { conflicts: [{ path: "b", kind: "other-thread" }] } });
    await restore({ ...request, onConflict: "keep" });
    expect([sandbox.read("a"), sandbox.read("b")]).toEqual(["1\n2\nthree\n", "3\n"]);
  });

  test("[X5] when whole trees are exchanged, another thread's files stay", async () => {
    sandbox.write("a", "1\n");
    const transition = turn(() => sandbox.write("a", "2\n"));
    const result = await restore({ transitions: [transition], isOthers: () => true });
    expect(result).toMatchObject({ plan: { kept: [{ path: "a", reason: "another-threads" }], conflicts: [] } });
    expect(sandbox.read("a")).toBe("2\n");
  });

  test("[X1] a chmod does not conflict with an edit that is taken back", async () => {
    sandbox.write("a", "1\n", 0o644);
    const transition = turn(() => sandbox.write("a", "2\n"));
    chmodSync(sandbox.path("a"), 0o755);
    await restore({ transitions: [transition] });
    expect([sandbox.read("a"), statSync(sandbox.path("a")).mode & 0o777]).toEqual(["1\n", 0o755]);
  });
});

describe("ignore rules", () => {
  const uncovered = { kind: "uncovered", reason: "ignored" } as const;

  test("[U4] a file that one side did not capture is neither written nor deleted", async () => {
    sandbox.write("was-ignored", "1\n");
    sandbox.write("dir/was-ignored", "1\n");
    const tree = sandbox.capture();
    const changes = [
      { path: "was-ignored", before: uncovered, ...optional("after", tree.get("was-ignored")) },
      { path: "became-ignored", ...optional("before", tree.get("was-ignored")), after: uncovered },
      { path: "dir", before: uncovered },
      { path: "dir/was-ignored", ...optional("after", tree.get("dir/was-ignored")) },
    ];
    const result = await restore({ transitions: [{ changes }], onConflict: "overwrite" });
    expect(result.plan.actions).toEqual([]);
    expect(result.plan.kept.map(({ reason }) => reason)).toEqual(Array(4).fill("uncovered"));
    expect(sandbox.read("dir/was-ignored")).toBe("1\n");
    expect(existsSync(sandbox.path("became-ignored"))).toBe(false);
  });

  test("[U4] a file that the agent created and the user ignored later is not deleted", async () => {
    const transition = turn(() => {
      sandbox.write("secret.env", "x\n");
      sandbox.write("other", "x\n");
    });
    const result = await restore({ transitions: [transition], ignoredNow: (path) => path === "secret.env" });
    expect(result.plan.kept).toEqual([{ path: "secret.env", reason: "ignore-rules-changed" }]);
    expect(readdirSync(sandbox.root)).toEqual(["secret.env"]);
  });
});

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [key in Name]?: Value };
}
