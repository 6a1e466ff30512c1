import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bash } from "./bash.ts";
import { read } from "./read.ts";
import { temporaryPlaces } from "./testing/temporary-place.ts";

const makePlace = temporaryPlaces();

function isAlive(pid: string): boolean {
  try {
    // A zombie is not alive: it has ended, and its parent has not collected it.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid.trim()}/stat`, "latin1"));
  } catch {
    return false;
  }
}

describe("bash", () => {
  it("runs in the workspace with the environment it is given, without input", async () => {
    const place = makePlace();
    const end = await place.call(
      bash,
      { command: 'pwd; echo "$WORD-$SECRET"; cat; echo to-error >&2; echo last' },
      { environment: { PATH: "/usr/bin:/bin", WORD: "yes" } },
    );
    expect(end.content).toBe(`${place.root}\nyes-\nto-error\nlast`);
    expect(end).toMatchObject({ outcome: "completed", details: { exit_code: 0, signal: null, timed_out: false } });
  });

  it("tells exit code and signal", async () => {
    const place = makePlace();
    const failed = await place.call(bash, { command: "echo out; exit 3" });
    expect(failed).toMatchObject({ outcome: "failed", content: "out\n(Exit code 3.)", details: { exit_code: 3 } });
    const killed = await place.call(bash, { command: "kill -SEGV $$" });
    expect(killed).toMatchObject({ outcome: "failed", details: { exit_code: null, signal: "SIGSEGV" } });
    expect((await place.call(bash, { command: "true" })).content).toBe("(no output)");
    expect((await place.call(bash, { command: "if" })).outcome).toBe("failed");
  });

  it("shows beginning and end of a long output, keeps it whole, and says how to read on", async () => {
    const place = makePlace();
    const run = place.run();
    const end = await bash.run({ command: "seq 1 100000" }, run);
    expect(end.content).toMatch(
      /^1\n2\n[\s\S]*characters left out\. The whole output, 100,000 lines, is at [\s\S]*\n100000$/,
    );
    expect(end.content.length).toBeLessThan(31_000);
    expect(end.details?.["overflow"]).toBe(run.overflow);
    const whole = readFileSync(run.overflow, "utf8");
    expect(whole.split("\n")).toHaveLength(100_001);
    // Nobody is asked about reading on.
    expect((await read.examine({ path: run.overflow }, place)).paths).toEqual([]);
    const rest = await place.call(read, { path: run.overflow, offset: 50_000, limit: 1 });
    expect(rest.content).toMatch(/^50000\t50000\n/);
  });

  it("[F30] reports all it says, the end too, also where it ends by a timeout", async () => {
    const place = makePlace();
    const told: string[] = [];
    const report = ({ text }: { text?: string }) => void (text !== undefined && told.push(text));
    await place.call(bash, { command: "echo first; sleep 0.3; printf TAIL" }, { report });
    expect(told.join("")).toBe("first\nTAIL");
    told.length = 0;
    const end = await place.call(bash, { command: "echo so far; sleep 300", timeout_ms: 500 }, { report });
    expect(told.join("")).toBe("so far\n");
    expect(end.content).toMatch(/^so far\n\(Ended after/);
  });

  it("[F30] reports the end of much that is said at once, and says how much is left out", async () => {
    const told: string[] = [];
    const report = ({ text }: { text?: string }) => void (text !== undefined && told.push(text));
    await makePlace().call(bash, { command: "seq 1 100000; printf '\\033[31mred\\033[0m'" }, { report });
    expect(told.join("")).toMatch(/characters left out\)\n[\s\S]*\n99999\n100000\nred$/);
  });

  it("reports what it said so far while it runs [L2]", async () => {
    const place = makePlace();
    place.write("go", "");
    const seen = Promise.withResolvers<string>();
    const ending = place.call(
      bash,
      { command: "echo first; while [ -e go ]; do sleep 0.01; done; echo second" },
      { report: ({ text }) => text !== undefined && seen.resolve(text) },
    );
    expect(await seen.promise).toBe("first\n");
    await place.call(bash, { command: "rm go" });
    expect((await ending).content).toBe("first\nsecond");
  });

  it("ends a command whose time is up, with all it started, and says what to do", async () => {
    const place = makePlace();
    const command = "sleep 300 & echo $! > child; echo said; sleep 300";
    const end = await place.call(bash, { command, timeout_ms: 2000 });
    expect(end).toMatchObject({ outcome: "failed", details: { timed_out: true } });
    expect(end.content).toMatch(/said\n\(Ended after 2,000 ms\. Give timeout_ms/);
    expect(isAlive(place.read("child"))).toBe(false);
  });

  it("ends the whole tree on abort: those that ignore it, made groups or left the session", async () => {
    const place = makePlace();
    const controller = new AbortController();
    const command = [
      "trap '' TERM",
      "setsid sh -c 'echo $$ > left; sleep 302' &",
      "set -m",
      "sleep 301 & echo $! > own-group",
      "while [ ! -s left ]; do sleep 0.01; done",
      "echo ready; sleep 303; sleep 304",
    ].join("\n");
    const end = await place.call(
      bash,
      { command },
      { signal: controller.signal, report: ({ text }) => text?.includes("ready") && controller.abort() },
    );
    expect(end.outcome).toBe("interrupted");
    expect(end.content).toMatch(/ready/);
    expect(isAlive(place.read("own-group"))).toBe(false);
    expect(isAlive(place.read("left"))).toBe(false);
  });

  it("ends background children with the command, also those that hold its output open", async () => {
    const place = makePlace();
    const end = await place.call(bash, { command: "sleep 300 & echo $! > child; echo done" });
    expect(end).toMatchObject({ outcome: "completed", details: { background_ended: 1 } });
    expect(end.content).toBe("done\n(Background processes ended with it: 1.)");
    expect(isAlive(place.read("child"))).toBe(false);
  });

  it("does not wait for a process that escaped and goes on talking", async () => {
    const place = makePlace();
    const command = "echo said; (setsid sh -c 'while echo more; do sleep 0.05; done' &)";
    const end = await place.call(bash, { command });
    expect(end).toMatchObject({ outcome: "completed", content: expect.stringMatching(/^said/) });
  });

  it("takes colours out, keeps odd bytes readable, and starts nothing once aborted", async () => {
    const place = makePlace();
    const end = await place.call(bash, { command: "printf '\\033[31mred\\033[0m \\377\\360\\237\\230\\200'" });
    expect(end.content).toBe("red \ufffd\u{1f600}");
    const aborted = await place.call(bash, { command: "touch made" }, { signal: AbortSignal.abort() });
    expect(aborted.outcome).toBe("interrupted");
    expect((await place.call(bash, { command: "ls" })).content).toBe("(no output)");
  });

  it("tells what it could not start, and runs many at once without mixing them up", async () => {
    const place = makePlace();
    const nowhere = await place.call(bash, { command: "true" }, { root: place.path("gone") });
    expect(nowhere).toMatchObject({ outcome: "failed" });
    expect(bash.check({ command: "a\0b" })).toMatch(/NUL/);
    expect(bash.check({ command: "a", timeout_ms: 600_001 })).toMatch(/at most 600000/);
    const numbers = Array.from({ length: 8 }, (_, index) => String(index));
    const ends = await Promise.all(numbers.map((number) => place.call(bash, { command: `echo ${number}` })));
    expect(ends.map(({ content }) => content)).toEqual(numbers);
  });

  it("names the command and what it does beyond undo before it runs [X4] [X8]", async () => {
    const facts = await bash.examine({ command: "git push" }, makePlace());
    expect(facts).toMatchObject({ writes: true, command: "git push", paths: [], irreversible: ["git push"] });
  });
});
