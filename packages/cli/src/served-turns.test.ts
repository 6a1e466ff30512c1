/** Real commands beside a real server, and the same commands without one. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ran } from "./testing/cli-session.ts";
import { ended, ServedSession } from "./testing/served-session.ts";
import { CTRL_C, CTRL_D, ENTER, removeTerminals, Terminal } from "./testing/terminal.ts";

/** Waits until a command has printed it. */
function shows(child: ChildProcess, text: string): Promise<void> {
  let seen = "";
  return new Promise((resolve) => {
    child.stdout?.on("data", (part) => {
      seen += part;
      if (seen.includes(text)) resolve();
    });
  });
}

/**
 * A proxy between the server's socket and its clients. Cuts off the first request of each named kind, in the middle of
 * the named part of its answer.
 */
async function cutting(session: ServedSession, requests: readonly (readonly [request: string, answer: string])[]) {
  const left = [...requests];
  const made: string[] = [];
  const file = join(session.home, "state", "server.json");
  const at = JSON.parse(readFileSync(file, "utf8")) as { socket: string };
  const proxy = createServer((client) => {
    const server = connect(at.socket);
    let cut: string | undefined;
    client.on("data", (part) => {
      const named = left.findIndex(([request]) => part.includes(request));
      if (named >= 0) cut = left.splice(named, 1)[0]?.[1];
      server.write(part);
    });
    server.on("data", (part) => {
      const where = cut === undefined ? -1 : part.indexOf(cut);
      if (where < 0) return client.write(part);
      made.push(String(cut));
      client.write(part.subarray(0, where + 2));
      return client.destroy();
    });
    for (const [one, other] of [[client, server] as const, [server, client] as const])
      one.on("error", () => {}).on("close", () => other.destroy());
  });
  const socket = join(session.home, "state", "cut.sock");
  proxy.listen(socket);
  await once(proxy, "listening");
  writeFileSync(file, JSON.stringify({ ...at, socket }));
  const close = () => {
    proxy.close();
    writeFileSync(file, JSON.stringify(at));
  };
  return { made, close };
}

/** Ids are never the same twice, and into how many commits a text is gathered is a matter of time. */
function masked({ status, stdout, stderr }: Ran): Ran {
  const mask = (text: string) =>
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID")
      .replaceAll(/"plan_id":"[0-9a-f]{32}"/g, "PLAN")
      .replaceAll(/"version":\d+/g, "VERSION");
  return { status, stdout: mask(stdout), stderr: mask(stderr) };
}

/** Its command prints nothing, because the output of a tool may or may not arrive while it runs. */
const SCRIPT = {
  turns: [
    {
      steps: [
        {
          thinking: "Hm.",
          text: "Many words, which come in pieces, one behind the other.\nThen:",
          tool_calls: [
            { name: "write", input: { path: "a.txt", content: "one\n" } },
            { name: "bash", input: { command: "echo more >> a.txt; git push 2>/dev/null; exit 3" } },
            { name: "read", input: { path: "none.txt" } },
          ],
        },
        { text: "Done." },
      ],
    },
    { steps: [{ text: "Not all of it", error: "invalid-key" }] },
  ],
};

describe("a turn through the server and one without", () => {
  const folder = mkdtempSync(join(tmpdir(), "retake-script-"));
  const env = { RETAKE_SCRIPT: join(folder, "script.json") };
  let both: readonly [ServedSession, ServedSession];
  beforeAll(async () => {
    writeFileSync(env.RETAKE_SCRIPT, JSON.stringify(SCRIPT));
    both = [new ServedSession(env), new ServedSession(env)];
    await both[0].serve();
  });
  afterAll(async () => {
    for (const session of both) await session.end();
    rmSync(folder, { recursive: true });
  });

  /** In order: each goes on from where the one before left the sessions. */
  for (const [what, args, status, edit] of [
    ["text, thinking, tools, one that fails, effects that stay", ["run", "--approve", "all", "go"], 0],
    ["[P3] a retry whose files were changed since, which changes nothing", ["retry", "--json"], 3, "mine\n"],
    ["a model that fails", ["run", "--json", "again"], 1],
    ["tools that are denied, since nobody can answer", ["run", "--approve", "ask", "and again"], 5],
    ["a new thread, as events", ["run", "--new", "--private", "--approve", "all", "--json", "go"], 0],
    ["a turn taken back with its files, and tried again", ["retry", "--approve", "all", "--json"], 0],
  ] as const) {
    test(`look the same: ${what}`, async () => {
      for (const session of both) if (edit !== undefined) session.write("a.txt", edit);
      const [through, alone] = await Promise.all(both.map((session) => session.ran(...args)));
      expect(masked(through as Ran)).toEqual(masked(alone as Ran));
      expect(through).toMatchObject({ status });
      expect(both[0].read("a.txt")).toBe(both[1].read("a.txt"));
    });
  }
});

describe("a turn of the command line where a server runs", () => {
  let session: ServedSession;
  beforeAll(async () => {
    session = new ServedSession();
    await session.serve();
  });
  afterAll(() => session.end());

  test("runs in the server, unless the command's surroundings are others", async () => {
    const parent = async (child: ChildProcess) => {
      const { stdout } = await ended(child);
      return [Number(/parent (\d+)/.exec(stdout.split("```")[1] ?? "")?.[1]), child.pid];
    };
    const run = (env: Record<string, string>) =>
      parent(session.spawnWith({ env }, "run", "--approve", "all", "run echo parent $PPID"));
    expect((await run({ SHLVL: "7", TERM_SESSION_ID: "another" }))[0]).toBe(session.pid);
    const [here, own] = await run({ RETAKE_MODEL: "scripted/default" });
    expect(here).toBe(own);
  });

  test("is made once and shown whole, where connections are lost at the answer and in the middle", async () => {
    const cut = await cutting(session, [
      ["POST /v1/threads/", "turn_id"],
      ["/stream HTTP", '"text"'],
    ]);
    const { status, stdout } = await session.ran("run", "--new", "--json", "hello");
    expect(cut.made).toEqual(["turn_id", '"text"']);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; text?: string });
    expect(status).toBe(0);
    const said = events.flatMap(({ type, text }) => (type === "text" ? [text] : []));
    expect(said.join("")).toBe((await session.contents(await session.current())).at(-1));
    expect(said.length).toBeGreaterThan(10);
    expect(events.filter(({ type }) => type === "turn-started" || type === "turn-finished")).toHaveLength(2);
    expect((await session.client().listTurns(await session.current())).turns).toHaveLength(1);
    cut.close();
  });

  test("ends by Ctrl+C, and with the command that began it", async () => {
    for (const [signal, status] of [["SIGINT", 1] as const, ["SIGTERM", 143] as const]) {
      const child = session.begin("run", "--approve", "all", "run echo begun; sleep 600");
      const result = ended(child);
      await shows(child, "  begun");
      child.kill(signal);
      expect(await result).toMatchObject({ status });
      const { turns } = await session.client().listTurns(await session.current());
      expect(turns.at(-1)).toMatchObject({ status: "interrupted" });
    }
  });
});

/** At the same time: each waits for long, and has a server of its own. */
describe.concurrent("a turn in a server", () => {
  test("[L9] that is killed is said to be lost, and what to do; the next command ends the turn", async ({
    expect,
    onTestFinished,
  }) => {
    const session = new ServedSession();
    onTestFinished(() => session.end());
    await session.serve();
    const child = session.begin("run", "--approve", "all", "run echo begun > a.txt; echo begun; sleep 600");
    const result = ended(child);
    await shows(child, "  begun");
    const late = session.ran("run", "hello");
    expect(await late).toMatchObject({ status: 1, stderr: expect.stringContaining("Another Retake is working") });
    process.kill(session.pid, "SIGKILL");
    const { status, stderr } = await result;
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/process \d+\) is gone.*are kept.*retake undo takes it back/),
    });
    expect(session.read("a.txt")).toBe("begun\n");
    expect(await session.text("undo")).toContain("1 turn");
    expect(session.read("a.txt")).toBeUndefined();
  });

  test("[U3] asks at the terminal and all other clients; where it was not answered, the question goes away", async ({
    expect,
    onTestFinished,
  }) => {
    const { session, client, terminal } = await askingTerminal(onTestFinished);
    const asked = async (prompt: string) => {
      await terminal.shows("› ");
      terminal.type(`${prompt}${ENTER}`);
      await terminal.shows("Run it? [y]es, [n]o, [a]lways:");
      const thread = await session.current();
      const turn = (await client.listTurns(thread)).turns.at(-1);
      return { thread, turn: turn?.id as string, call: turn?.approvals[0]?.call_id as string };
    };
    await asked("write a.txt: one");
    terminal.type(`y${ENTER}`);
    await terminal.shows("Wrote `a.txt`.");

    const second = await asked("write b.txt: two");
    await client.decideApproval(second.thread, second.turn, second.call, { decision: "allow" });
    await terminal.shows("Another client answered: allow.");
    await terminal.shows("Wrote `b.txt`.");

    const third = await asked("write c.txt: three");
    await client.interruptTurn(third.thread, third.turn);
    await terminal.shows("The turn has ended.");
    await terminal.shows("The turn did not finish: interrupted");

    const fourth = await asked("write d.txt: four");
    terminal.type(CTRL_C);
    await terminal.shows("The turn did not finish: interrupted");
    expect((await client.listTurns(fourth.thread)).turns.at(-1)).toMatchObject({ status: "interrupted" });
    await terminal.shows("› ");
    terminal.type(CTRL_D);
    expect(await terminal.ended()).toBe(0);
    expect(["a", "b", "c", "d"].map((name) => session.read(`${name}.txt`))).toEqual([
      "one",
      "two",
      undefined,
      undefined,
    ]);
  });
});

describe("a question to several clients", () => {
  test("[F1] of several answers to one question at once the first counts, and none answers the next question", async ({
    expect,
    onTestFinished,
  }) => {
    const { session, client, terminal } = await askingTerminal(onTestFinished);
    await terminal.shows("› ");
    terminal.type(`\u001b[200~write a.txt: one\nwrite b.txt: two\u001b[201~${ENTER}`);
    await terminal.shows("1 of 2: write");
    await terminal.shows("Run it? [y]es, [n]o, [a]lways:");
    const thread = await session.current();
    const turn = (await client.listTurns(thread)).turns.at(-1);
    const [first, second] = (turn?.approvals ?? []).map(({ call_id }) => call_id);
    const decide = (decision: "allow" | "deny") =>
      client.decideApproval(thread, turn?.id ?? "", first ?? "", { decision });
    terminal.type("y");
    const answers = await Promise.allSettled([decide("deny"), decide("allow"), decide("deny")]);
    expect(answers.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(1);
    await terminal.shows("2 of 2: write");
    await terminal.shows("Run it? [y]es, [n]o, [a]lways:");
    const open = (await client.listTurns(thread)).turns.at(-1)?.approvals.map(({ call_id }) => call_id);
    expect(open).toEqual([second]);
    expect(session.read("b.txt")).toBeUndefined();
    terminal.type("n");
    await terminal.shows("› ");
    expect(session.read("b.txt")).toBeUndefined();
    terminal.type(CTRL_C);
    await terminal.shows("› ");
    terminal.type(CTRL_D);
    expect(await terminal.ended()).toBe(0);
  });
});

/** A server, and a prompt at a terminal that asks before every tool. */
async function askingTerminal(onTestFinished: (end: () => Promise<void> | void) => void) {
  const session = new ServedSession({ NO_COLOR: "1" });
  onTestFinished(() => session.end());
  await session.serve();
  const terminal = new Terminal(join(session.home, ".."));
  onTestFinished(removeTerminals);
  await terminal.shows("› ");
  terminal.type(`/approvals ask${ENTER}`);
  await terminal.shows("Mode         ask");
  return { session, client: session.client(), terminal };
}
