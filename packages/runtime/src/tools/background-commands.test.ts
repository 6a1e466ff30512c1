import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { BackgroundCommands } from "./background-commands.ts";
import { bashEnd, bashOutput } from "./background-tools.ts";
import { bash } from "./bash.ts";
import { temporaryPlaces } from "./testing/temporary-place.ts";

const makePlace = temporaryPlaces();
let background: BackgroundCommands;
afterEach(() => background.endAll());

function open() {
  background = new BackgroundCommands();
  const place = makePlace();
  return {
    place,
    start: (command: string, options = {}) =>
      place.call(bash, { command, background: true }, { background, ...options }),
    read: (name: string, wait_ms = 0) => place.call(bashOutput, { name, wait_ms }, { background }),
    end: (name: string) => place.call(bashEnd, { name }, { background }),
  };
}

function isAlive(pid: string): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid.trim()}/stat`, "latin1"));
  } catch {
    return false;
  }
}

describe("a command in the background", () => {
  it("is answered at once with a name, and read from where it was last read", async () => {
    const { place, start, read, end } = open();
    const started = await start("echo one; while [ ! -e go ]; do sleep 0.02; done; echo two; exec sleep 300");
    expect(started).toMatchObject({ outcome: "completed", details: { background: "bash-1" } });
    // On a busy machine a command may say nothing until its start is answered.
    const first = started.content.startsWith("one\n") ? started.content : (await read("bash-1", 60_000)).content;
    expect(first).toMatch(/^one\n\(It (?:runs in the background as bash-1|still runs)\.\)$/);
    expect((await read("bash-1")).content).toBe("(no new output)\n(It still runs.)");
    place.write("go", "");
    expect((await read("bash-1", 60_000)).content).toBe("two\n(It still runs.)");
    expect((await end("bash-1")).content).toBe("(It has ended: it was ended.)");
    expect(background.running).toEqual([]);
    // Nobody has to be told what the agent has seen.
    expect(background.told()).toBe("");
  });

  it("that ends by itself is told of once, with its exit code, and stays readable", async () => {
    const { place, start, read, end } = open();
    await start("while [ ! -e go ]; do sleep 0.02; done; echo failed; exit 3");
    expect(background.told()).toBe("");
    place.write("go", "");
    await background.find("bash-1")?.ended;
    expect(background.told()).toBe("(bash-1, in the background, has ended: exit code 3.)");
    expect(background.told()).toBe("");
    expect((await read("bash-1")).content).toBe("failed\n(It has ended: exit code 3.)");
    expect((await end("bash-1")).content).toBe("(It has ended: exit code 3.)");
  });

  it("that ends within a moment is answered like any other", async () => {
    const { start } = open();
    const command = "echo no such program; exit 127";
    let answered = await start(command);
    // On a busy machine a moment may be too short.
    while (answered.outcome === "completed") {
      await background.endAll();
      background.told();
      answered = await start(command);
    }
    expect(answered).toMatchObject({ outcome: "failed", content: "no such program\n(Exit code 127.)" });
    expect(background.told()).toBe("");
  });

  it("that the system cannot start has ended, and the answer says why, as in the foreground", async () => {
    const { place, start } = open();
    // Within the limit of characters, and longer than the system takes.
    const command = `: ${"ü".repeat(90_000)}`;
    const inForeground = await place.call(bash, { command });
    expect(await start(command)).toEqual(inForeground);
    expect(inForeground).toMatchObject({
      outcome: "failed",
      content: expect.stringMatching(/the command is too long for the system.* Nothing was run\.$/),
    });
    expect(background.running).toEqual([]);
    await background.endAll();
  });

  it("whose output cannot be kept ends like any other", async () => {
    const { place, start, end } = open();
    place.write("file", "");
    await start("seq 1 100000; echo > said; exec sleep 300", { overflow: `${place.path("file")}/below` });
    while (place.tryRead("said") === "") await wait(10);
    expect((await end("bash-1")).content).toContain("(It has ended: it was ended.)");
    expect(background.find("bash-1")?.end?.unkept).toBeInstanceOf(Error);
  });

  it("is ended with all that it started, also what ignores that or left its session", async () => {
    const { place, start, end } = open();
    await start(
      "trap '' TERM; setsid sh -c 'echo $$ > left; sleep 302' & sleep 301 & echo $! > child; while :; do sleep 1; done",
    );
    while (!/\d\n/.test(place.tryRead("left"))) await wait(10);
    await end("bash-1");
    expect([isAlive(place.read("child")), isAlive(place.read("left"))]).toEqual([false, false]);
  });

  it("runs beside others up to a limit, and none is taken for another", async () => {
    const { start, read } = open();
    const commands = Array.from({ length: 8 }, (_, index) => `echo from ${index}; exec sleep 300`);
    const started = await Promise.all(commands.map((command) => start(command)));
    expect(started.map(({ details }) => details?.["background"])).toEqual(commands.map((_, at) => `bash-${at + 1}`));
    for (const [at, { content }] of started.entries()) {
      let said = content;
      while (!said.includes("from")) said += (await read(`bash-${at + 1}`, 60_000)).content;
      expect(said.match(/from \d/g)).toEqual([`from ${at}`]);
    }
    expect(await start("touch ninth")).toMatchObject({
      outcome: "failed",
      content: expect.stringContaining("8 commands"),
    });
    expect((await read("bash-9")).content).toMatch(/^No command bash-9 was started in this turn.*Running: bash-1, /);
    await background.endAll();
    expect(background.running).toEqual([]);
  });

  it("that says much is read by its end, and is kept whole", async () => {
    const { place, start, read } = open();
    const run = place.run();
    await start("while [ ! -e go ]; do sleep 0.02; done; seq 1 100000; exec sleep 300", { overflow: run.overflow });
    place.write("go", "");
    let seen = "";
    while (!seen.includes("\n100000\n")) seen += (await read("bash-1", 60_000)).content;
    expect(seen).toMatch(/characters left out; the whole output is at .*: use read/);
    expect(seen.length).toBeLessThan(100_000);
    await background.endAll();
    expect(readFileSync(run.overflow, "utf8").split("\n")).toHaveLength(100_001);
  });

  it("is not started once its call is aborted, and ended when the call is aborted while it starts", async () => {
    const { place, start } = open();
    expect((await start("touch made", { signal: AbortSignal.abort() })).outcome).toBe("interrupted");
    const controller = new AbortController();
    const starting = start("echo $$ > pid; exec sleep 300", { signal: controller.signal });
    while (!/\d\n/.test(place.tryRead("pid"))) await wait(5);
    controller.abort();
    expect((await starting).outcome).toBe("interrupted");
    expect(isAlive(place.read("pid"))).toBe(false);
  });

  it("reports its output while it runs and after its call has ended [L2]", async () => {
    const { place, start } = open();
    await start("while [ ! -e go ]; do sleep 0.02; done; echo later");
    place.write("go", "");
    await background.find("bash-1")?.ended;
    expect(place.reports.map(({ text }) => text).join("")).toBe("later\n");
  });

  it("cannot be started where nothing may run on", async () => {
    const { place } = open();
    const end = await place.call(bash, { command: "touch made", background: true });
    expect(end).toMatchObject({ outcome: "failed", content: expect.stringContaining("Nothing was run") });
  });
});
