import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { type ApprovalRule, decideApproval } from "@retake/core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bash } from "../bash.ts";
import type { ToolEnd, ToolRun } from "../tool.ts";
import { describeConfinement } from "./confinement.ts";
import { Confiner } from "./confiner.ts";
import { findConfinement } from "./find-confinement.ts";
import { sandboxProfile } from "./sandbox-exec.ts";
import { escapes } from "./testing/escapes.ts";

/** Beside the home directory's own files, because a confined command has a `/tmp` of its own. */
const folder = realpathSync(mkdtempSync(join(homedir(), ".retake-confine-")));
const [home, outside, own] = [join(folder, "home"), join(folder, "outside"), join(folder, "own")];
const template = join(folder, "template");
const socket = join(folder, "listening");
const key = join(home, ".ssh", "id_test");
const before = process.env["HOME"];
const connections: string[] = [];
const listeners = ["127.0.0.1", socket, `\0${socket}`].map((at) => ({
  at,
  server: createServer((each) => {
    connections.push(at);
    each.destroy();
  }),
}));
const sleeper = spawn("sleep", ["600"], { env: { MARK: "PRIVATE" }, stdio: "ignore" });
let port = 0;

beforeAll(async () => {
  for (const directory of [outside, own, join(home, ".ssh")]) mkdirSync(directory, { recursive: true });
  writeFileSync(join(outside, "victim"), "safe\n");
  writeFileSync(join(own, "store"), "PRIVATE\n");
  writeFileSync(key, "PRIVATE\n");
  for (const name of [".bashrc", ".profile"]) writeFileSync(join(home, name), "");
  // Without the examples of hooks, because each test has a copy, and compares every file of it.
  const bare = join(folder, "bare");
  mkdirSync(join(bare, "hooks"), { recursive: true });
  const init = (...args: string[]) => execFileSync("git", ["init", "-q", `--template=${bare}`, ...args]);
  init("--bare", join(outside, "repository.git"));
  for (const directory of [template, join(template, "sub")]) init(directory);
  process.env["HOME"] = home;
  for (const { at, server } of listeners)
    await new Promise<void>((done) => (at === "127.0.0.1" ? server.listen(0, at, done) : server.listen(at, done)));
  const address = listeners[0]?.server.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterAll(() => {
  process.env["HOME"] = before;
  sleeper.kill("SIGKILL");
  for (const { server } of listeners) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every name, mode, time and content below a directory. */
function fingerprint(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const { mode, uid, mtimeMs, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
      const content = entryIsFile(path) ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
      return JSON.stringify([path, mode, uid, mtimeMs, ino, content]);
    });
}

function entryIsFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

let number = 0;
function newWorkspace(): string {
  number += 1;
  const root = join(folder, `work ${number}`);
  cpSync(template, root, { recursive: true });
  return root;
}

function targets() {
  return { outside, key, own, port, socket, pid: sleeper.pid ?? 0 };
}

async function run(command: string, root: string, kind: string, more: Partial<ToolRun> = {}): Promise<ToolEnd> {
  const confiner = new Confiner({ root, environment: { RETAKE_CONFINEMENT: kind }, own: [own] });
  try {
    const by = await confiner.find();
    if (by.kind === "none") throw new Error(by.reason);
    return await bash.run(
      { command, timeout_ms: 20_000 },
      {
        ...{ root, signal: new AbortController().signal, report: () => {}, overflow: join(folder, "overflow") },
        environment: { PATH: process.env["PATH"] ?? "", HOME: home },
        confined: confiner.confine(by, ["sub"]),
        ...more,
      },
    );
  } finally {
    confiner.close();
  }
}

const KINDS = ["bwrap", "unshare", "sandbox-exec"];
const found = await Promise.all(KINDS.map((kind) => findConfinement({ RETAKE_CONFINEMENT: kind })));
const ways = found.flatMap(({ kind }) => (kind === "none" ? [] : [kind]));
const skipped = KINDS.filter((kind) => !ways.some((way) => way === kind));
const escapeNames = Object.keys(escapes({ outside, key, own, port, socket, pid: 0 }));

describe.each(ways)("[X13] [F8] confined by %s", (kind) => {
  test("a command works in the workspace, with a temporary directory and a loopback of its own", async () => {
    const root = newWorkspace();
    const command = [
      "pwd; git status >/dev/null && echo git; echo one > made; mkdir -p deep/er; echo two > deep/er/made",
      'echo tmp > "$TMPDIR/t"; cat /tmp/t; echo shm > /dev/shm/s; cat /dev/shm/s; echo null > /dev/null',
      `perl -e 'use IO::Socket::INET; my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die; IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $s->sockport) or die; print "loopback\\n"'`,
      "echo to-error >&2; exit 3",
    ].join("\n");
    const end = await run(command, root, kind);
    expect(end.content).toBe(`${root}\ngit\ntmp\nshm\nloopback\nto-error\n(Exit code 3.)`);
    expect(end).toMatchObject({ outcome: "failed", details: { exit_code: 3, confined: kind } });
    expect(readFileSync(join(root, "deep/er/made"), "utf8")).toBe("two\n");
  });

  test.each(escapeNames)("[F8] no escape by %s", async (name) => {
    const root = newWorkspace();
    const command = escapes(targets())[name] ?? "";
    const safe = () =>
      [outside, own, home, join(root, ".git"), join(root, "sub", ".git")].flatMap((each) => fingerprintAt(each, root));
    const was = safe();
    connections.length = 0;
    const end = await run(command, root, kind);
    expect(safe()).toEqual(was);
    expect(connections).toEqual([]);
    expect(end.content).not.toMatch(/PRIVATE|^connected|device \/dev/m);
    expect(sleeper.exitCode).toBeNull();
    expect(readdirSync(folder)).not.toContain("victim-of-tmp");
  });

  test("[X13] a command runs where TMPDIR names no directory", async () => {
    vi.stubEnv("TMPDIR", join(folder, "gone"));
    const ran = await run("echo ran", newWorkspace(), kind);
    vi.unstubAllEnvs();
    expect(ran).toMatchObject({ outcome: "completed", content: "ran" });
  });

  test("[X13] a command runs where a socket that is to be hidden goes while its confinement is made", async () => {
    const root = newWorkspace();
    const confiner = new Confiner({ root, environment: { RETAKE_CONFINEMENT: kind }, own: [own] });
    const by = await confiner.find();
    if (by.kind === "none") throw new Error(by.reason);
    const { place } = confiner.confine(by, []);
    const gone = ["first", "second"].map((name) => ({ path: join(folder, "gone", name), directory: false }));
    const confined = { by, place: { ...place, hidden: [...place.hidden, ...gone] } };
    expect(await run("echo ran", root, kind, { confined })).toMatchObject({ outcome: "completed", content: "ran" });
    confiner.close();
  });

  test("[X13] a command that the confinement stopped is recognised by facts, and one that only says so is not", async () => {
    const root = newWorkspace();
    const stopped = async (command: string) => (await run(command, root, kind)).details?.["stopped"];
    expect(await stopped("bash -c 'exec 3<>/dev/tcp/1.1.1.1/80' >/dev/null 2>&1; exit 1")).toBe("it has no network");
    expect(await stopped(`bash -c 'echo > /dev/tcp/127.0.0.1/${port}' 2>/dev/null; exit 1`)).toBe(
      "it does not reach the ports of this machine",
    );
    expect(await stopped(`echo x > ${outside}/new`)).toBe(`it may not write ${outside}/new`);
    expect(await stopped(`echo x > ${relative(root, outside)}/new`)).toBe(`it may not write ${outside}/new`);
    expect(await stopped(`LC_ALL=C.UTF-8 mkdir ${outside}/new`)).toBe(`it may not write ${outside}/new`);
    expect(await stopped(`node -e 'fs.mkdirSync("${outside}/new")'`)).toBe(`it may not write ${outside}/new`);
    expect(await stopped("git config a.b c")).toBe(`it may not write ${root}/.git/config`);
    expect(await stopped(`cat ${key}`)).toBe(`it does not see ${key}`);
    expect(await stopped("echo 'a: Read-only file system'; exit 1")).toBeUndefined();
    expect(await stopped("echo '/nowhere/at/all: no such file'; exit 1")).toBeUndefined();
    expect(await stopped(`cat ${key} 2>&1; true`)).toBeUndefined();
  });

  test("[X13] a command that was stopped can be run outside, with a question that says so", async () => {
    const root = newWorkspace();
    const by = await findConfinement({ RETAKE_CONFINEMENT: kind });
    const command = `echo x > ${outside}/new`;
    const place = { root, confinement: async () => by, stopped: () => "it may not write there" };
    const facts = await bash.examine({ command: "make install", outside: true }, place);
    const decide = (rules: ApprovalRule[], questions = true) =>
      decideApproval(bash, facts, { mode: "undoable", rules, questions });
    expect(decide([])).toMatchObject({
      ...{ decision: "ask", outside: true },
      notices: expect.arrayContaining([
        {
          kind: "irreversible",
          what: "runs outside of the confinement: confined it was stopped: it may not write there",
        },
      ]),
    });
    expect(decide([{ tool: "bash", decision: "allow" }]).decision).toBe("ask");
    expect((await run(command, root, kind)).content).toContain("The confinement stopped it: it may not write");
  });

  test.runIf(existsSync("/dev/shm"))("[X13] a socket in /dev that another process listens at is not seen", async () => {
    const devices = mkdtempSync("/dev/shm/retake-confine-");
    const server = createServer().listen(join(devices, "socket"));
    try {
      await once(server, "listening");
      const end = await run(`ls ${devices} || echo hidden`, newWorkspace(), kind);
      expect(end.content).toMatch(/hidden$/);
    } finally {
      server.close();
      rmSync(devices, { recursive: true });
    }
  });

  test("[F13] what a command leaves behind ends with it and is counted", async () => {
    const root = newWorkspace();
    const end = await run("(setsid sleep 300 >/dev/null 2>&1 &) ; sleep 301 & sleep 0.2; echo done", root, kind);
    expect(end.content).toBe("done\n(Background processes ended with it: 2.)");
  });

  test("[AG51] a command that is stopped while its confinement is made does not run to its end", async () => {
    const root = newWorkspace();
    const controller = new AbortController();
    const end = await run("sleep 1; echo late > late", root, kind, {
      // Read when the command is started.
      get signal() {
        setImmediate(() => controller.abort());
        return controller.signal;
      },
    });
    expect(end.outcome).toBe("interrupted");
    expect(existsSync(join(root, "late"))).toBe(false);
  });

  test("a command that is stopped is asked first, so that it can put away what it has open", async () => {
    const root = newWorkspace();
    const controller = new AbortController();
    const command = "trap 'echo cleaned > cleaned; exit 1' TERM; echo ready; sleep 300 & wait";
    const end = await run(command, root, kind, {
      signal: controller.signal,
      report: ({ text }) => void (text?.includes("ready") && controller.abort()),
    });
    expect(end.outcome).toBe("interrupted");
    expect(readFileSync(join(root, "cleaned"), "utf8")).toBe("cleaned\n");
  });
});

/** The nested repository may be moved inside of the workspace; its files stay as they are. */
function fingerprintAt(directory: string, root: string): string[] {
  const nested = join(root, "sub", ".git");
  if (directory !== nested || statSync(nested, { throwIfNoEntry: false })) return fingerprint(directory);
  return fingerprint(join(root, "elsewhere", ".git")).map((line) => line.replace("/elsewhere/", "/sub/"));
}

test("[X13] [F8] the escapes are tried on every way to confine that this machine has, and there is one", () => {
  console.log(`confined by: ${ways.join(", ")}; skipped, because this machine has none: ${skipped.join(", ")}`);
  expect(ways.length).toBeGreaterThan(0);
  expect(escapeNames.length).toBeGreaterThanOrEqual(70);
});

describe("[X13] [F8] not confined", () => {
  const none = { kind: "none", reason: "RETAKE_CONFINEMENT=none" } as const;
  test.each(escapeNames)(
    "%s is asked about, denied without questions, and runs only where all is approved",
    async (name) => {
      const command = escapes({ ...targets(), outside: "/nowhere" })[name] ?? "";
      const facts = await bash.examine({ command }, { root: folder, confinement: async () => none });
      const decide = (mode: "undoable" | "ask" | "all") =>
        decideApproval(bash, facts, { mode, rules: [], questions: true });
      expect([decide("undoable").decision, decide("ask").decision, decide("all").decision]).toEqual([
        "ask",
        "ask",
        "allow",
      ]);
      expect(decide("all")).toMatchObject({
        outside: true,
        notices: expect.arrayContaining([expect.objectContaining({ kind: "unconfined" })]),
      });
    },
  );

  test("the reason is said", async () => {
    expect(await findConfinement({ RETAKE_CONFINEMENT: "none" })).toEqual(none);
    expect(describeConfinement(none)).toBe("not confined: RETAKE_CONFINEMENT=none");
  });
});

test("[X13] the profile for sandbox-exec denies after it allows, and quotes names", () => {
  const place = {
    root: '/w/a "b"',
    temporary: realpathSync(folder),
    readOnly: ['/w/a "b"/.git'],
    hiddenAround: [],
    shown: [],
  };
  const profile = sandboxProfile({ ...place, hidden: [{ path: "/h/.ssh", directory: true }] }).split("\n");
  const at = (text: string) => profile.findIndex((line) => line.includes(text));
  expect(at('(allow file-read* file-write* (subpath "/w/a \\"b\\"")')).toBeGreaterThan(at("(deny file-write*)"));
  expect(profile.findLastIndex((line) => line.includes('(subpath "/w/a \\"b\\"/.git")'))).toBeGreaterThan(
    at("(allow file-read*"),
  );
  expect(
    profile.findLastIndex((line) => line.includes('(deny file-read* file-write* (subpath "/h/.ssh"))')),
  ).toBeGreaterThan(at("(allow file-read*"));
});
