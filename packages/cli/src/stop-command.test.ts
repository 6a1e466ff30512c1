/** Turns in processes of their own, ended by `retake stop` in another one. */
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ended, ServedSession } from "./testing/served-session.ts";
import { CTRL_D, ENTER, removeTerminals, Terminal } from "./testing/terminal.ts";
import { TestWorld } from "./testing/test-world.ts";

const sessions: ServedSession[] = [];

function begin(): ServedSession {
  const session = new ServedSession();
  sessions.push(session);
  return session;
}

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.end();
  removeTerminals();
});

/** Begins a turn that goes on until it is ended, and waits until its tool runs. */
async function longTurn(session: ServedSession, file: string, ...options: string[]) {
  const child = session.begin("run", "--approve", "all", ...options, `run touch ${file}; sleep 600`);
  const turn = ended(child);
  await until(() => existsSync(join(session.root, file)));
  return { child, turn };
}

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds).toBe(true);
}

function registered(session: ServedSession): string[] {
  const folder = join(session.home, "state", "turns");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((each) =>
    each.isFile() && !each.name.endsWith(".part") ? [each.name] : [],
  );
}

describe("[F67] retake stop", () => {
  test("is named where a turn that runs keeps an undo from being done", async () => {
    const session = begin();
    const { turn } = await longTurn(session, "started", "--new");
    const undone = await ended(session.begin("undo"));
    expect(undone.stderr).toMatch(/Nothing was changed.*retake stop/);
    await ended(session.begin("stop"));
    await turn;
  });

  test("ends the turn of another process, keeps what it did, and undo takes it back", async () => {
    const session = begin();
    const { turn } = await longTurn(session, "began");
    const { turns } = await session.json("stop");
    expect(turns).toMatchObject([{ name: "#1", status: "interrupted", prompt: "run touch began; sleep 600" }]);
    const { status, stderr } = await turn;
    expect(status).toBe(1);
    expect(stderr).toContain("The turn did not finish: interrupted");
    expect(registered(session)).toEqual([]);
    await session.text("undo");
    expect(session.read("began")).toBeUndefined();
  });

  test("says that nothing runs, and changes nothing", async () => {
    const session = begin();
    expect(await session.text("stop")).toBe("No turn runs or waits in this workspace.\n");
    await session.thread("notes", "echo one > a.txt");
    const before = await session.json("history", "--all");
    expect(await session.json("stop")).toEqual({ turns: [] });
    expect(await session.json("history", "--all")).toEqual(before);
    expect((await session.call("stop", "everything")).status).toBe(2);
    expect((await session.call("stop", "--thread", "nobody")).status).toBe(4);
  });

  test("does not let a turn begin that waits in another process for the one that is ended", async () => {
    const session = begin();
    await session.thread("other", "echo one > a.txt");
    const { turn } = await longTurn(session, "first", "--new");
    await session.serve();
    const client = session.client();
    await client.startTurn("other", { prompt: "write second: 2", approve: "all" });
    await until(() => registered(session).length === 2);
    const text = await session.text("stop");
    expect(text).toContain("✓ Ended turn #1 of run touch first");
    expect(text).toContain("✓ A turn of other that waited was not begun.");
    expect((await turn).status).toBe(1);
    expect((await client.listTurns("other")).turns).toMatchObject([{ name: "#1" }, { status: "not-started" }]);
    expect(session.read("second")).toBeUndefined();
  });

  test("does not let a run begin that waits in another process, without a server", async () => {
    const session = begin();
    await session.thread("other", "echo one > a.txt");
    const { turn } = await longTurn(session, "first", "--new");
    const late = ended(session.begin("run", "--approve", "all", "--thread", "other", "write second: 2"));
    await until(() => registered(session).length === 2);
    await session.text("stop");
    expect((await turn).status).toBe(1);
    // Where the machine is slow, it has given up waiting before it was stopped.
    const stderr = expect.stringMatching(/interrupted before it began|Another Retake is working/);
    expect(await late).toMatchObject({ status: 1, stderr });
    expect(session.read("second")).toBeUndefined();
    expect(registered(session)).toEqual([]);
  });

  test("ends a turn that a server runs, and those that wait for it, and the server goes on", async () => {
    const session = begin();
    await session.thread("notes");
    await session.serve();
    const client = session.client();
    const thread = await session.current();
    await client.startTurn(thread, { prompt: "run touch began; sleep 600", approve: "all" });
    await client.startTurn(thread, { prompt: "write later: 2", approve: "all" });
    await until(() => existsSync(join(session.root, "began")));
    const { turns } = await session.json("stop");
    expect(turns).toMatchObject([{ status: "interrupted" }, { status: "not-started" }]);
    expect((await client.listTurns(thread)).turns).toMatchObject([
      { status: "interrupted" },
      { status: "not-started", prompt: "write later: 2" },
    ]);
    expect(session.read("later")).toBeUndefined();
  });

  test("by its route ends the turn of a command line that has no server", async () => {
    const session = begin();
    const { turn } = await longTurn(session, "began");
    await session.serve();
    const { turns } = await session.client().stopTurns({});
    expect(turns).toMatchObject([{ name: "#1", status: "interrupted" }]);
    expect((await turn).status).toBe(1);
  });

  test("with --thread leaves the turns of other threads alone", async () => {
    const session = begin();
    await session.thread("other", "echo one > a.txt");
    const { turn } = await longTurn(session, "began", "--new");
    expect(await session.json("stop", "--thread", "other")).toEqual({ turns: [] });
    expect(registered(session)).toHaveLength(1);
    expect((await session.json("stop"))["turns"]).toHaveLength(1);
    await turn;
  });

  test("ends a turn that waits for an answer to a question", async () => {
    const terminal = new Terminal();
    await terminal.shows("› ");
    terminal.type(`/approvals ask${ENTER}`);
    await terminal.shows("› ");
    terminal.type(`write a.txt: one${ENTER}`);
    await terminal.shows("Run it? [y]es, [n]o, [a]lways:");
    const environment = { ...process.env, RETAKE_HOME: terminal.home };
    const stopped = await new TestWorld({ environment, directory: terminal.work }).run("stop");
    expect(stopped).toMatchObject({ status: 0, stdout: expect.stringContaining("✓ Ended turn #1") });
    await terminal.shows("interrupted");
    await terminal.shows("› ");
    terminal.type(CTRL_D);
    await terminal.ended();
  });

  test("ends the turn of a killed process, whose number another process has by now", async () => {
    const session = begin();
    const { child } = await longTurn(session, "began");
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
    const [name = ""] = registered(session);
    const folder = join(session.home, "state", "turns");
    const file = join(folder, readdirSync(folder)[0] ?? "", name);
    writeFileSync(file, JSON.stringify({ turn: name, thread: "T-1", pid: process.pid, start: "1" }));
    expect(await session.json("stop")).toEqual({ turns: [] });
    expect(registered(session)).toEqual([]);
    expect(await session.text("status")).toMatch(/Agent +waiting for a prompt/);
  });
});
