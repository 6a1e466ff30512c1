import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  activeTake,
  addPath,
  branch,
  changeSettings,
  changeThread,
  entries,
  insertEntry,
  isRefusal,
  liveTakes,
  recordsOf,
  renameTake,
  setting,
} from "@retake/core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { SharedWorkspace } from "../undo/testing/shared-workspace.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { exportRepository, exportThread, importFile } from "./exchange.ts";
import { portableThread } from "./portable-thread.ts";
import { projectToml, readProjectToml } from "./project-toml.ts";
import { BundlePlaces } from "./testing/bundle-place.ts";

const places = new BundlePlaces();
let here: Workspace;
let there: Workspace;
let thread: string;
let middle: string;

const ODD = { nulls: [null, { deep: null }], 'key "with" quotes': true, text: 'three """ quotes\r\n\tand \\ more"' };

beforeAll(async () => {
  const place = places.open("here");
  here = place.workspace;
  there = places.open("there").workspace;
  thread = await here.newThread("login");
  await place.say(thread, "write a.txt: one\\n");
  middle = here.store.read(thread, ({ state }) => state.head ?? "");
  await place.say(thread, "run mkdir -p d; printf two > d/b.txt; chmod 755 d/b.txt; ln -s a.txt link; rm a.txt");
  here.store.change(thread, (state, context) =>
    insertEntry(state, context, { entry: { id: "odd", role: "Critic", content: 'line 1\nline "2"\u0007', ...ODD } }),
  );
  here.store.change(thread, (state, context) =>
    changeSettings(state, context, {
      settings: {
        project_system_prompt: "Be\nbrief.",
        temperature: 0.5,
      },
    }),
  );
  here.store.change(thread, (state, context) =>
    addPath(state, context, { list: "context", member: { path: "a.txt", note: "n" } }),
  );
  const first = here.store.read(thread, ({ state }) => [...entries(state, activeTake(state))][0]?.id ?? "");
  await here.changeWithFiles(thread, (history, context) => branch(history, context, { entry: first, take: "second" }));
  here.store.change(thread, (state, context) => renameTake(state, context, { take: "second", name: "login_take_7" }));
});
afterAll(() => places.close());

const document = () => here.store.read(thread, ({ state }) => portableThread(state));

async function exported(format: "json" | "toml" | "markdown", at?: string): Promise<Buffer> {
  const done = await exportThread(here, thread, format, { at });
  if (isRefusal(done)) throw new Error(done.message);
  return done.bytes;
}

/** The parts that an import of every format keeps: all but turns and sent requests. */
function kept(workspace: Workspace, id: string) {
  return workspace.store.read(id, ({ state }) =>
    portableThread(state).takes.map(({ name, active, roles, settings, lists, entries: list }) => ({
      name,
      active,
      roles,
      lists,
      settings,
      entries: list.map(({ turn_id: _, ...entry }) => entry),
    })),
  );
}

/** A JSON export without what is true of the place alone: where the thread was made. */
function portable(bytes: Buffer) {
  const { about, takes, ...document } = JSON.parse(bytes.toString());
  const { pinned } = about;
  return { ...document, takes, about: { pinned } };
}

describe("documents", () => {
  test.each(["json", "toml"] as const)(
    "[D7] [S3] [D1] %s comes back as it was, takes and unknown keys too",
    async (format) => {
      const done = await importFile(there, await exported(format));
      expect(done).toMatchObject({ kind: "imported", format, threads: [expect.any(String)] });
      const id = "threads" in done ? (done.threads[0] ?? "") : "";
      expect(kept(there, id)).toEqual(kept(here, thread));
      const second = await importFile(there, await exported(format));
      expect(second).toMatchObject({ kind: "imported" });
      expect(new Set(there.threads().map(({ title }) => title)).size).toBe(there.threads().length);
    },
  );

  test.each(["json", "toml"] as const)(
    "[F6] [F7] an import of %s leaves out rules and files outside of the workspace, and says so",
    async (format) => {
      const text = (await exported(format)).toString();
      const rules = format === "json" ? ', "approval_rules": [{"tool":"*"}]' : '\napproval_rules = [{ tool = "*" }]';
      const hostile = text
        .replaceAll(/("?path"?(?::| =)) "a\.txt"/g, '$1 "../../.ssh/id_rsa"')
        .replaceAll(/("?temperature"?(?::| =) 0\.5)/g, `$1${rules}`);
      expect(hostile).not.toBe(text);
      const done = await importFile(there, Buffer.from(hostile));
      const left_out = [{ what: "rule" }, { what: "context", path: "../../.ssh/id_rsa" }];
      expect(done).toMatchObject({ kind: "imported", left_out: [...left_out, ...left_out] });
      const id = "threads" in done ? (done.threads[0] ?? "") : "";
      expect(kept(there, id).map(({ lists }) => lists["context"])).toEqual([[], []]);
    },
  );

  test("[D7] the project file is readable: long texts are written on several lines", async () => {
    const text = (await exported("toml")).toString();
    expect(text).toContain('content = """\nline 1\nline "2"\\u0007"""');
    expect(text).toContain('project_system_prompt = """\nBe\nbrief."""');
    expect(readProjectToml(projectToml(document()))).toMatchObject({ kind: "threads", threads: [{ title: "login" }] });
    expect((await exported("markdown")).toString()).toContain("# login\n\n## main\n\n### User");
  });

  test("[D7] reads the histories of older programs: roles, times, several discussions", async () => {
    const text = `[discussion]
disc_roles = ["User", "AI", "Architect"]
active = "b"
[discussion.discussions.a]
history = ["User: hello", "@2026-01-02T03:04:05 AI: two\\nlines", "Architect:\\nno", "Note: not a role"]
git_commit = "abc"
[discussion.discussions.a_take_1]
history = []
[discussion.discussions.b]
history = [{ role = "AI", content = "table", mine = 7 }]
`;
    const done = await importFile(there, Buffer.from(text));
    const [a = "", b = ""] = "threads" in done ? done.threads : [];
    const said = (id: string) =>
      there.store.read(id, ({ state }) => liveTakes(state).map((take) => [...entries(state, take.id)]));
    expect(said(a)[0]).toMatchObject([
      { role: "User", content: "hello" },
      { role: "AI", content: "two\nlines", ts: "2026-01-02T03:04:05" },
      { role: "Architect", content: "no" },
      { role: "User", content: "Note: not a role" },
    ]);
    // The group that is called like its discussion is the main one: a thread and its first take have names of their own.
    expect(there.store.read(a, ({ state }) => liveTakes(state).map(({ name }) => name))).toEqual([
      "main",
      "main_take_1",
    ]);
    expect(said(b)).toMatchObject([[{ role: "AI", content: "table", mine: 7 }]]);
  });

  test("[L12] any past state can be exported", async () => {
    const past = JSON.parse((await exported("json", middle)).toString()) as { takes: { entries: object[] }[] };
    expect(past.takes).toMatchObject([{ name: "main", entries: [{ role: "User" }, {}, {}, {}] }]);
  });

  test.each([
    ['{"format":"retake-thread","format_version":99}', "newer-version"],
    ['{"format":"retake-thread","format_version":1,"takes":[]}', "malformed"],
    ['{"format":"retake-thread","format_version":1,"takes":[{"name":"x","entries":[{"content":7}]}]}', "invalid-input"],
    ['{"half', "malformed"],
    ["format_version = 99\n[discussion.discussions.a]\n", "newer-version"],
    ["a = \n", "malformed"],
    ["just words", "malformed"],
    ["[discussion.discussions.a]\nhistory = [7]\n", "malformed"],
    ['[discussion.discussions.a]\n[discussion.discussions.a.settings]\ntemperature = "hot"\n', "invalid-input"],
  ])("[S3] what is newer or malformed is refused, and nothing has changed: %s", async (text, code) => {
    const before = there.store.everyThread();
    expect(await importFile(there, Buffer.from(text))).toMatchObject({
      code,
      message: expect.stringMatching(/[Nn]othing was changed|left as it is/),
    });
    expect(there.store.everyThread()).toEqual(before);
  });

  test("[F37] [D2] [S3] export, import elsewhere and export again gives the same JSON except for local facts", async () => {
    here.store.change(thread, (state, context) =>
      changeThread(state, context, { facts: { pinned: true, tags: ["web"] } }),
    );
    const main = here.store.read(thread, ({ state }) => liveTakes(state)[0]?.id ?? "");
    here.store.change(thread, (state, context) => renameTake(state, context, { take: main, name: "login_take_1" }));
    here.store.change(thread, (state, context) =>
      changeSettings(state, context, { settings: {}, roles: ["Critic", "AI", "User"] }),
    );
    const other = places.open("other").workspace;
    const first = portable(await exported("json"));
    expect(first.takes).toMatchObject([
      { turns: [{ number: 1 }, { number: 2 }], discussion: { sent_markdown: expect.stringContaining("mkdir") } },
      { turns: [{ number: 1 }], discussion: { sent_markdown: expect.any(String) }, roles: ["Critic", "AI", "User"] },
    ]);
    const done = await importFile(other, await exported("json"));
    const id = "threads" in done ? (done.threads[0] ?? "") : "";
    expect(portable(((await exportThread(other, id, "json")) as { bytes: Buffer }).bytes)).toEqual(first);
    expect(await other.undo(id, { count: 1 })).toMatchObject({ kind: "done", plan: { turns_undone: 1 } });
    expect(other.store.read(id, ({ state }) => setting(state, activeTake(state), "draft"))).toBe("write a.txt: one\\n");
  });

  test("[F37] [S3] turns of documents without numbers get unique ones", async () => {
    const turn = { prompt: "p", status: "finished" };
    const take = (name: string, turns: object[]) => ({ name, turns });
    const document = (takes: object[]) =>
      Buffer.from(JSON.stringify({ format: "retake-thread", format_version: 1, title: "old", takes }));
    const made = (id: string) => ({ ...turn, id, tree_after: "capture-7", group: "elsewhere" });
    const [a, b, c] = [made("a"), made("b"), made("c")] as const;
    const other = places.open("older").workspace;
    const done = await importFile(other, document([take("x", [a, { ...b, number: 5 }]), take("y", [a, c])]));
    const id = "threads" in done ? (done.threads[0] ?? "") : "";
    const numbers = other.store.read(id, ({ state }) =>
      liveTakes(state).map((each) => [...recordsOf(state, each.id, "turn")].map(([, { number }]) => number)),
    );
    expect(numbers).toEqual([
      [6, 5],
      [6, 7],
    ]);
    const wrong = document([take("x", [{ ...a, number: 1 }]), take("y", [{ ...b, number: 1 }])]);
    expect(await importFile(other, wrong)).toMatchObject({ kind: "unreadable", code: "malformed" });
  });
});

describe("a git repository", () => {
  test("[D7] has a commit for each turn, with its files, links and modes", async () => {
    const directory = join(here.root, "..", "repository");
    const op = here.store.read(thread, (history) => {
      for (let at = history.state.head; at !== null; ) {
        const operation = history.operation(at);
        if (operation?.kind === "turn-finished") return operation.id;
        at = operation?.parents[0] ?? null;
      }
      return "";
    });
    expect(await exportRepository(here, thread, directory, op)).toEqual({ directory, commits: 3 });
    const git = (...args: string[]) => execFileSync("git", ["-C", directory, ...args], { encoding: "utf8" });
    expect(git("log", "--reverse", "--format=%an: %s").split("\n")).toEqual([
      "Retake: Before the first turn",
      "scripted/default: write a.txt: one\\n",
      expect.stringContaining("scripted/default: run mkdir -p d"),
      "",
    ]);
    expect(git("ls-tree", "-r", "HEAD").replace(/[0-9a-f]{40}\t/g, "")).toBe("100755 blob d/b.txt\n120000 blob link\n");
    expect(git("show", "HEAD~1:a.txt")).toBe("one\n");
    expect(git("status", "--porcelain")).toBe("");
    expect(await exportRepository(here, thread, directory)).toMatchObject({ code: "already-exists" });
  });

  test("[D7] leaves a repository alone that the environment names", async () => {
    const own = join(here.root, "..", "own");
    mkdirSync(own);
    const git = (...args: string[]) => execFileSync("git", ["-C", own, ...args], { encoding: "utf8" });
    git("init", "-q");
    writeFileSync(join(own, "a.txt"), "committed\n");
    git("add", ".");
    git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first");
    writeFileSync(join(own, "a.txt"), "not committed\n");
    const refs = git("show-ref");
    const variables = [
      { GIT_DIR: join(own, ".git"), GIT_WORK_TREE: own, GIT_INDEX_FILE: join(own, ".git", "index") },
      { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.worktree", GIT_CONFIG_VALUE_0: own },
    ];
    for (const [index, named] of variables.entries()) {
      for (const [name, value] of Object.entries(named)) vi.stubEnv(name, value);
      const directory = join(here.root, "..", `beside-${index}`);
      const exported = await exportRepository(here, thread, directory);
      vi.unstubAllEnvs();
      expect(exported).toMatchObject({ directory });
      expect(readFileSync(join(own, "a.txt"), "utf8")).toBe("not committed\n");
      expect(git("show-ref")).toBe(refs);
      expect(execFileSync("git", ["-C", directory, "status", "--porcelain"], { encoding: "utf8" })).toBe("");
    }
  });

  test("[F42] leaves what the user changed by hand out of the model's commits", async () => {
    const shared = new SharedWorkspace();
    try {
      shared.write("hand.txt", "base\n");
      const own = await shared.workspace.newThread("hands");
      await shared.turn(own, "write a.txt: 1");
      shared.write("hand.txt", "edited\n");
      shared.write("mine.txt", "mine\n");
      await shared.turn(own, "write b.txt: 2");
      await shared.turn(own, "answer in words");
      const directory = join(here.root, "..", "hands");
      expect(await exportRepository(shared.workspace, own, directory)).toEqual({ directory, commits: 5 });
      const log = execFileSync("git", ["-C", directory, "log", "--reverse", "--format=%an: %s", "--name-only"], {
        encoding: "utf8",
      });
      expect(log.split("\n").filter((line) => line !== "")).toEqual([
        ...["Retake: Before the first turn", "hand.txt"],
        ...["scripted/default: write a.txt: 1", "a.txt"],
        ...["You: Files changed between turns", "hand.txt", "mine.txt"],
        ...["scripted/default: write b.txt: 2", "b.txt"],
        "scripted/default: answer in words",
      ]);
    } finally {
      await shared.remove();
    }
  });
});
