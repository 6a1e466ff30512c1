import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { activeTake, entries, type JsonObject } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Model, ModelEnd } from "../model/model.ts";
import { TemporaryRetake } from "../testing/temporary-retake.ts";
import { isEndMark } from "../tools/run-command.ts";
import { outputsDirectory } from "./overflow-file.ts";
import type { TurnEvent } from "./turn.ts";

let place: TemporaryRetake;
let thread: string;
beforeEach(async () => {
  place = new TemporaryRetake();
  thread = await place.workspace.newThread("talk");
});
afterEach(() => place.remove());

interface Step {
  readonly name: string;
  readonly input: JsonObject;
  /** Done before the model asks for the call. */
  readonly before?: () => Promise<unknown> | unknown;
  /** The call is made again until this is so. */
  readonly until?: () => boolean;
}

/** A model that makes one call a step, and then answers. */
function playing(steps: readonly Step[], last: () => Promise<unknown> | unknown = () => {}): Model {
  let at = -1;
  return {
    name: "compatible/playing",
    async *stream({ step }) {
      if (at >= 0 && steps[at]?.until?.() !== false) at += 1;
      at = Math.max(0, at);
      const next = steps[at];
      await (next ? next.before?.() : last());
      const calls = next ? [{ id: `c${step}`, name: next.name, input: next.input }] : [];
      if (!next) yield { kind: "text", text: "Done." };
      yield { kind: "responded", stop: next ? "tool-calls" : "end", calls, usage: {} } satisfies ModelEnd;
    },
  };
}

const say = (model: Model, options: { signal?: AbortSignal; onEvent?: (event: TurnEvent) => void } = {}) =>
  place.workspace.run({
    ...{ thread, prompt: "go", model, mode: "all" as const },
    approve: async () => "allow",
    onEvent: (event) => options.onEvent?.(event),
    signal: options.signal ?? new AbortController().signal,
  });

const file = (name: string) => join(place.root, name);
const has = async (name: string) => {
  while (!existsSync(file(name))) await wait(5);
};
const background = (command: string): Step => ({ name: "bash", input: { command, background: true } });
const write = (path: string, before?: Step["before"]): Step => ({
  name: "write",
  input: { path, content: "written\n" },
  ...(before ? { before } : {}),
});
const results = () =>
  place.workspace.store.read(thread, ({ state }) =>
    [...entries(state, activeTake(state))].filter(({ tool_result }) => tool_result !== undefined),
  );
const ENDED = "(bash-3, in the background, has ended: exit code 0.)";
const WAITS = "while [ ! -e go ]; do sleep 0.02; done";

describe("a command in the background", () => {
  test("[X1] ends with its turn, and an undo takes back all that it changed: between calls, during them and at its end", async () => {
    writeFileSync(file("mine.txt"), "mine\n");
    const command = `trap 'echo last > at-end; exit' TERM; echo one > before; ${WAITS}; echo two > between; echo no > mine.txt; while :; do sleep 0.02; done`;
    const model = playing([
      background(command),
      write("go", () => has("before")),
      write("other", () => has("between")),
    ]);
    expect(await say(model)).toMatchObject({
      status: "finished",
      receipt: { files_changed: ["at-end", "before", "between", "go", "mine.txt", "other"] },
    });
    const [started, go, other] = results();
    expect(started?.content).toBe("(It runs in the background as bash-1.)");
    expect(started?.background).toMatchObject({ name: "bash-1", status: "ended", by: "retake" });
    // The changes between calls are those of the call that started the command.
    expect(started?.receipt).toMatchObject({
      files_changed: expect.arrayContaining(["between", "mine.txt", "at-end"]),
    });
    expect([go, other].map((each) => each?.receipt?.["files_changed"])).toEqual([["go"], ["other"]]);
    await place.workspace.undo(thread, { count: 1 });
    expect(readFileSync(file("mine.txt"), "utf8")).toBe("mine\n");
    for (const name of ["before", "between", "at-end", "go", "other"]) expect(existsSync(file(name))).toBe(false);
    await place.workspace.redo(thread, 1);
    expect(readFileSync(file("mine.txt"), "utf8")).toBe("no\n");
    expect(readFileSync(file("at-end"), "utf8")).toBe("last\n");
  });

  test("[X3] is taken back alone by its call, and the rest of the turn stays", async () => {
    const model = playing([
      background(`${WAITS}; echo two > between; exec sleep 300`),
      write("go"),
      write("other", () => has("between")),
    ]);
    await say(model);
    const [started] = results();
    await place.workspace.revert(thread, { result: started?.id ?? "" });
    expect(existsSync(file("between"))).toBe(false);
    expect(["go", "other"].map((name) => existsSync(file(name)))).toEqual([true, true]);
  });

  test.each([
    ["before another call", ["other"]],
    ["before the turn ends", []],
  ])("[X1] [F21] owns no file that the user changes after its end, %s", async (_, others) => {
    writeFileSync(file("mine.txt"), "mine\n");
    const edit = () => {
      writeFileSync(file("mine.txt"), "edited\n");
      writeFileSync(file("user.txt"), "precious\n");
    };
    const made = background(`${WAITS}; echo x > made; echo no > mine.txt`);
    const whole = { name: "bash_output", input: { name: "bash-1", wait_ms: 60_000 } };
    // Edited before the call, or before the last answer.
    const steps = [made, write("go"), whole, ...others.map((name) => write(name, edit))];
    expect(await say(playing(steps, others.length > 0 ? undefined : edit))).toMatchObject({
      status: "finished",
      receipt: { files_changed: ["go", "made", ...others] },
    });
    expect(results()[0]).toMatchObject({
      background: { status: "ended", by: "itself" },
      receipt: { files_changed: ["made"] },
    });
    await place.workspace.undo(thread, { count: 1 });
    expect(readdirSync(place.root).sort()).toEqual(["mine.txt", "user.txt"]);
    expect(readFileSync(file("mine.txt"), "utf8")).toBe("edited\n");
    await place.workspace.redo(thread, 1);
    expect(readFileSync(file("made"), "utf8")).toBe("x\n");
  });

  test("leaves no mark of its end when its turn is over, also where it ended within a moment", async () => {
    await say(playing([background("exec sleep 300"), background("true"), background("sleep 0.4")]));
    expect(readdirSync(outputsDirectory(place.workspace.store.directories.state)).filter(isEndMark)).toEqual([]);
  });

  test("is read and ended by the model, and its end is told with the next result", async () => {
    const model = playing([
      background(`${WAITS}; echo said; exit 2`),
      { name: "bash_output", input: { name: "bash-1" } },
      write("go"),
      { name: "bash_output", input: { name: "bash-1", wait_ms: 60_000 } },
      background("exec sleep 300"),
      { name: "bash_end", input: { name: "bash-2" } },
      background(`echo ${"$"}$ > pid; while [ ! -e stop ]; do sleep 0.02; done`),
      write("stop"),
      {
        ...{ name: "glob", input: { pattern: "none" }, before: () => wait(100) },
        until: () => results().some(({ content }) => content.includes(ENDED)),
      },
    ]);
    expect(await say(model)).toMatchObject({ status: "finished" });
    const said = results().map(({ content }) => content);
    expect(said[1]).toBe("(no new output)\n(It still runs.)");
    expect(said[3]).toMatch(/^said\n\(It (?:has ended: exit code 2|still runs)\.\)/);
    expect(said[5]).toBe("(It has ended: it was ended.)");
    expect(said.filter((text) => text.includes(ENDED))).toHaveLength(1);
    expect(said[0]).not.toContain("ended");
  });

  test("[AG51] is ended by an interrupt before the turn is over, whatever the model does meanwhile", async () => {
    const controller = new AbortController();
    const model = playing([background("echo $$ > pid; while :; do date +%N > clock; done")], async () => {
      await has("clock");
      controller.abort();
      await wait(60_000, undefined, { signal: AbortSignal.timeout(100) }).catch(() => {});
    });
    expect(await say(model, { signal: controller.signal })).toMatchObject({ status: "interrupted" });
    const left = readFileSync(file("clock"), "utf8");
    expect(existsSync(`/proc/${readFileSync(file("pid"), "utf8").trim()}`)).toBe(false);
    expect(results()[0]?.background).toMatchObject({ status: "ended", by: "retake" });
    await wait(50);
    expect(readFileSync(file("clock"), "utf8")).toBe(left);
    await place.workspace.undo(thread, { count: 1 });
    expect(existsSync(file("clock"))).toBe(false);
  });

  test.each([
    ["bash", { command: "touch fore; exec sleep 300" }],
    ["write", { path: "fore", content: "written\n" }],
  ])(
    "[X1] [AG51] is undone with its turn when the turn is interrupted during another call (%s), its last changes too",
    async (name, input) => {
      writeFileSync(file("mine.txt"), "mine\n");
      const controller = new AbortController();
      const command = `trap 'echo last > at-end; echo no > mine.txt; exit' TERM; echo > ready; while :; do sleep 0.02; done`;
      const model = playing([
        background(command),
        background("exec sleep 300"),
        { name, input, before: () => has("ready") },
      ]);
      const onEvent = async (event: TurnEvent) => {
        if (event.type !== "tool-started" || "background" in event.input) return;
        if (name === "bash") await has("fore");
        controller.abort();
      };
      expect(await say(model, { signal: controller.signal, onEvent })).toMatchObject({
        status: "interrupted",
        receipt: { files_changed: expect.arrayContaining(["at-end", "mine.txt", "ready"]) },
      });
      const [first, second, other] = results();
      expect([first, second].map((each) => each?.background?.["status"])).toEqual(["ended", "ended"]);
      expect(first?.receipt).toMatchObject({ files_changed: expect.arrayContaining(["at-end", "mine.txt"]) });
      expect(other?.receipt?.["files_changed"]).not.toContain("at-end");
      await place.workspace.undo(thread, { count: 1 });
      expect(readFileSync(file("mine.txt"), "utf8")).toBe("mine\n");
      expect(readdirSync(place.root)).toEqual(["mine.txt"]);
    },
  );

  test("that the system cannot start is answered, and the turn goes on", async () => {
    expect(await say(playing([background(`: ${"ü".repeat(90_000)}`), write("other")]))).toMatchObject({
      status: "finished",
      receipt: { files_changed: ["other"] },
    });
    expect(results()[0]?.content).toContain("Nothing was run");
  });

  test("of a helper ends with the helper's call, and is part of it", async () => {
    const task = { name: "agent", input: { task: "help", may_write: true } };
    let helped = 0;
    const model: Model = {
      name: "compatible/playing",
      async *stream({ messages, step }) {
        const isHelper = JSON.stringify(messages[0]).includes('"help"');
        const call = isHelper ? background("echo $$ > pid; echo h > helped; exec sleep 300") : task;
        if (isHelper) helped += 1;
        const calls = step === 1 ? [{ id: "c", name: call.name, input: call.input }] : [];
        yield { kind: "text", text: "Done." };
        yield { kind: "responded", stop: step === 1 ? "tool-calls" : "end", calls, usage: {} } satisfies ModelEnd;
      },
    };
    expect(await say(model)).toMatchObject({ status: "finished" });
    expect(helped).toBe(2);
    expect(existsSync(`/proc/${readFileSync(file("pid"), "utf8").trim()}`)).toBe(false);
    expect(results()[0]?.receipt).toMatchObject({ files_changed: ["helped", "pid"] });
  });
});
