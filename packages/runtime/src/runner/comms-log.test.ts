import { execFile } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { JsonObject, Message } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { request } from "../model/testing/request.ts";
import { type CommsLine, CommsLog, CommsLogError, type ReadLine } from "./comms-log.ts";

let folder: string;
let directory: string;
let log: CommsLog;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-comms-"));
  directory = join(folder, "state", "comms");
  log = new CommsLog(directory, { OPENAI_API_KEY: "the-very-key" });
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = promisify(execFile);
const at = "2026-01-01T00:00:00.000Z";
const THREAD = "T-1";
const file = () => join(directory, `${THREAD}.jsonl`);

function call(command: string): CommsLine {
  return {
    at,
    turn_id: "t",
    step: 1,
    kind: "tool-call",
    call_id: "c",
    name: "bash",
    entry_id: "e",
    input: { command },
  };
}

async function lines(): Promise<ReadLine[]> {
  const all: ReadLine[] = [];
  for await (const line of log.read(THREAD)) all.push(line);
  return all;
}

test("[S8] a request, a response, a call and its result are one line each, and read back unchanged", async () => {
  const { signal: _, ...asked } = request([{ role: "user", parts: [{ type: "text", text: "a\nb\u2028c" }] }]);
  const step = { at, turn_id: "t", step: 1 };
  const named = { call_id: "c", name: "bash", entry_id: "e" };
  const end = { kind: "failed", code: "server", message: "no" } as const;
  const written: CommsLine[] = [
    { ...step, kind: "request", attempt: 1, model: "m", request: asked },
    { ...step, kind: "response", attempt: 1, model: "m", response: { text: "", end } },
    { ...step, ...named, kind: "tool-call", input: { command: "ls" } },
    { ...step, ...named, kind: "tool-result", outcome: "completed", content: "a" },
  ];
  for (const line of written) log.append(THREAD, line);
  expect(readFileSync(file(), "utf8").split("\n")).toHaveLength(5);
  expect(await lines()).toEqual(
    written.map((line, index) => ({ kind: "line", number: index + 1, line: { v: 2, ...line } })),
  );
});

describe("[S8] requests that continue the last one", () => {
  const words = "word ".repeat(200);
  const conversation = (length: number, changed?: number): Message[] =>
    Array.from({ length }, (_, index) => ({
      role: "user",
      parts: [{ type: "text", text: `${index === changed ? "edited" : index} ${words}` }],
    }));
  const ask = (to: CommsLog, messages: Message[], system = "Be careful.") => {
    const { signal: _, ...asked } = request(messages, { system });
    to.append(THREAD, { at, turn_id: "t", step: 1, kind: "request", attempt: 1, model: "m", request: asked });
    return asked;
  };
  const requests = async () => (await lines()).map((each) => each.kind === "line" && each.line["request"]);

  test("are written as differences and read whole: in one process, in another, after edits and undos", async () => {
    const asked = [
      ask(log, conversation(3)),
      ask(log, conversation(5)),
      ask(new CommsLog(directory, {}), conversation(6)),
      ask(new CommsLog(directory, {}), conversation(6, 2)),
      ask(log, conversation(5)),
      ask(log, conversation(2)),
      ask(log, conversation(4), "Be bold."),
      ask(
        new CommsLog(directory, {}),
        [...conversation(3), { role: "user", parts: [{ type: "text", text: "é" }] }],
        "Be bold.",
      ),
    ];
    expect(await requests()).toEqual(asked);
  });

  test("grow linearly with the conversation", () => {
    for (let length = 1; length <= 200; length += 1)
      ask(length % 2 === 0 ? log : new CommsLog(directory, {}), conversation(length));
    expect(statSync(file()).size).toBeLessThan(3 * JSON.stringify(conversation(200)).length);
  });

  test("a request whose beginning is lost is reported as unreadable, and the next whole one is read", async () => {
    ask(log, conversation(3));
    ask(log, conversation(4));
    writeFileSync(file(), readFileSync(file(), "utf8").split("\n").slice(1).join("\n"));
    ask(new CommsLog(directory, {}), conversation(4), "Be bold.");
    expect(await lines()).toMatchObject([
      { kind: "unreadable", number: 1 },
      { kind: "line", number: 2 },
    ]);
  });

  test("a request that was changed later is detected", async () => {
    ask(log, conversation(2));
    ask(log, conversation(3));
    writeFileSync(file(), readFileSync(file(), "utf8").replace("2 word", "2 lies"));
    expect(await lines()).toMatchObject([{ kind: "line" }, { kind: "unreadable" }]);
  });

  test("contain no secret, also when its beginning was written before", async () => {
    ask(log, [...conversation(1), { role: "user", parts: [{ type: "text", text: "my key is the-very-key" }] }]);
    ask(log, [
      ...conversation(1),
      { role: "user", parts: [{ type: "text", text: "my key is the-very-key" }] },
      ...conversation(1),
    ]);
    expect(readFileSync(file(), "utf8")).not.toContain("the-very-key");
    expect(JSON.stringify(await requests())).toContain("my key is [redacted]");
  });
});

test("[S8] a thread without a log has no lines", async () => {
  expect(await lines()).toEqual([]);
});

test("[S8] secrets do not reach the disk", () => {
  log.append(THREAD, call("curl -H 'authorization: the-very-key' && X_TOKEN=abc make"));
  expect(readFileSync(file(), "utf8")).not.toMatch(/the-very-key|abc/);
});

test("only its owner can read it, also after it was readable for others", () => {
  log.append(THREAD, call("one"));
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  chmodSync(file(), 0o644);
  log.append(THREAD, call("two"));
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

describe("a torn line", () => {
  test("at the end is returned as it is, and all lines before it are read", async () => {
    log.append(THREAD, call("one"));
    log.append(THREAD, call("two"));
    truncateSync(file(), statSync(file()).size - 5);
    expect(await lines()).toMatchObject([
      { kind: "line", number: 1 },
      { kind: "unreadable", number: 2 },
    ]);
  });

  test("does not damage the next line", async () => {
    log.append(THREAD, call("one"));
    appendFileSync(file(), '{"v":1,"ki');
    log.append(THREAD, call("two"));
    expect(await lines()).toMatchObject([
      { kind: "line", line: { input: { command: "one" } } },
      { kind: "unreadable", number: 2, text: '{"v":1,"ki' },
      { kind: "line", number: 3, line: { input: { command: "two" } } },
    ]);
  });
});

test("lines longer than a read are joined", async () => {
  const long = "é".repeat(200_000);
  log.append(THREAD, call(long));
  log.append(THREAD, call("short"));
  expect((await lines()).map((each) => each.kind === "line" && each.line["input"])).toEqual([
    { command: long },
    { command: "short" },
  ]);
});

/** A program of its own that logs calls of a command. */
function logging(command: string, times: number): string[] {
  const module = JSON.stringify(new URL("./comms-log.ts", import.meta.url).href);
  const program = `
    const { CommsLog } = await import(${module});
    const log = new CommsLog(${JSON.stringify(directory)}, {});
    const line = { kind: "tool-call", input: { command: ${JSON.stringify(command)} } };
    for (let n = 0; n < ${times}; n += 1) log.append("${THREAD}", line);`;
  return [process.execPath, "--input-type=module", "-e", program];
}

test("lines of several processes do not mix", async () => {
  const commands = ["a", "b"].map((name) => name.repeat(5000));
  await Promise.all(commands.map((command) => run("env", logging(command, 50))));
  const read = await lines();
  const logged = read.map((each) => each.kind === "line" && (each.line["input"] as JsonObject)["command"]);
  for (const command of commands) expect(logged.filter((each) => each === command)).toHaveLength(50);
});

describe("a line that cannot be written is an error", () => {
  test("when the directory is a file", () => {
    mkdirSync(join(folder, "state"));
    writeFileSync(directory, "");
    expect(() => log.append(THREAD, call("x"))).toThrow(CommsLogError);
  });

  test("when the disk accepts only a part of it; the next line is whole", async () => {
    const limited = ["-c", 'ulimit -f 1; exec "$@"', "bash", ...logging("x".repeat(5000), 1)];
    await expect(run("bash", limited)).rejects.toThrow(/only 1024 of \d+ bytes were written/);
    log.append(THREAD, call("next"));
    expect(await lines()).toMatchObject([
      { kind: "unreadable" },
      { kind: "line", line: { input: { command: "next" } } },
    ]);
  });

  test("when the log is a link to another file, which stays unchanged", () => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(folder, "other"), "mine");
    symlinkSync(join(folder, "other"), file());
    expect(() => log.append(THREAD, call("x"))).toThrow(/could not be written/);
    expect(readFileSync(join(folder, "other"), "utf8")).toBe("mine");
  });

  test.each(["../escape", "", "a/b", "a\0b"])("when the thread's id is %j", (id) => {
    expect(() => log.append(id, call("x"))).toThrow(CommsLogError);
  });
});
