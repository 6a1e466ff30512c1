/**
 * Prompts that a server has accepted and not begun when its process ends. Each of them is begun once or is paused, never lost
 * and never both; nothing runs by itself after the kill.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ServedPlace } from "./testing/served-place.ts";

let served: ServedPlace;
beforeEach(async () => {
  served = new ServedPlace();
  await served.start();
});
afterEach(() => served.remove());

const statuses = async (thread: string) => {
  const { turns } = await served.client().listTurns(thread);
  return turns.map(({ prompt, status }) => `${prompt.split("\n")[0]}: ${status}`);
};

/** A thread whose turn runs until it is ended, and two prompts that wait for it. */
async function waitingPrompts(isPrivate = false): Promise<string> {
  const client = served.client();
  const { thread } = await client.createThread({ private: isPrivate });
  const { seq } = await client.getCheckpoint(thread.id);
  await client.startTurn(thread.id, { prompt: "run sleep 60", approve: "all" });
  for await (const event of client.followEvents({ thread: thread.id, since_seq: seq }))
    if (event.type === "tool-started") break;
  for (const name of ["a", "b"]) await client.startTurn(thread.id, { prompt: `write ${name}.txt: ${name}` });
  return thread.id;
}

test.each([
  ["SIGKILL", false],
  ["SIGKILL", true],
  ["SIGTERM", false],
] as const)(
  "[S8] [S9] %s of the server leaves its queue paused, until it is continued (private: %s)",
  async (signal, isPrivate) => {
    const thread = await waitingPrompts(isPrivate);
    await served.stop(signal);
    const status = await served.place.call(["status", "--thread", thread]);
    expect(status.answer["queue"]).toMatchObject([{ status: "paused" }, { status: "paused" }]);
    await served.start();
    const before = ["run sleep 60: interrupted", "write a.txt: a: paused", "write b.txt: b: paused"];
    expect(await statuses(thread)).toEqual(before);
    // A turn that the user begins does not bring them along.
    await served.turn(thread, "write c.txt: c");
    expect(await statuses(thread)).toContain("write a.txt: a: paused");
    const { turns } = await served.client().continueTurns(thread, {});
    expect(turns.map(({ prompt }) => prompt)).toEqual(["write a.txt: a", "write b.txt: b"]);
    await served.turnsEnded(thread);
    expect(await statuses(thread)).toEqual([
      "run sleep 60: interrupted",
      "write c.txt: c: finished",
      "write a.txt: a: finished",
      "write b.txt: b: finished",
    ]);
    await expect(served.client().continueTurns(thread, {})).rejects.toMatchObject({ status: 404 });
  },
);

test("[S8] [X9] after a kill at any moment each accepted prompt is begun once or paused", async () => {
  const client = () => served.client();
  const { thread } = await client().createThread({});
  const accepted: string[] = [];
  for (const wait of [0, 5, 15, 30, 60, 120, 240]) {
    const kill = delay(wait).then(() => served.stop("SIGKILL"));
    for (let each = 0; each < 20; each += 1) {
      const prompt = `write f.txt: ${wait} ${each}`;
      const answered = await client()
        .startTurn(thread.id, { prompt, approve: "all" })
        .catch(() => undefined);
      if (!answered) break;
      accepted.push(prompt);
    }
    await kill;
    await served.start();
  }
  const { turns } = await client().listTurns(thread.id);
  expect(accepted).not.toEqual([]);
  for (const prompt of accepted) {
    const found = turns.filter((turn) => turn.prompt === prompt).map(({ status }) => status);
    expect({ prompt, found }).toMatchObject({ found: [expect.stringMatching(/finished|interrupted|paused/)] });
  }
  expect(turns.some(({ status }) => status === "queued" || status === "running")).toBe(false);
});

test("[S6] a reset clears the queue, and its undo brings the prompts back, paused", async () => {
  const thread = await waitingPrompts();
  await served.stop("SIGKILL");
  await served.start();
  await served.client().reset(thread);
  expect(await statuses(thread)).toEqual([]);
  await served.client().undo(thread);
  const paused = ["write a.txt: a: paused", "write b.txt: b: paused"];
  expect((await statuses(thread)).slice(1)).toEqual(paused);
  await served.client().redo(thread);
  expect(await statuses(thread)).toEqual([]);
  await served.client().undo(thread);
  expect((await statuses(thread)).slice(1)).toEqual(paused);
});

test("[S9] the command line lists, runs and removes paused prompts", async () => {
  const thread = await waitingPrompts();
  await served.client().startTurn(thread, { prompt: "run exit 1\nrun true", approve: "all" });
  await served.stop("SIGKILL");
  const queue = async () =>
    ((await served.place.call(["queue"])).answer["queue"] as { prompt: string }[]).map(({ prompt }) => prompt);
  expect(await queue()).toEqual(["write a.txt: a", "write b.txt: b", "run exit 1\nrun true"]);
  expect(await served.place.call(["queue", "remove", "1"])).toMatchObject({ status: 0 });
  expect(await queue()).toEqual(["write b.txt: b", "run exit 1\nrun true"]);
  expect(await served.place.call(["queue", "continue"])).toMatchObject({ status: 0 });
  expect(await queue()).toEqual([]);
  await served.start();
  expect((await statuses(thread)).slice(1)).toEqual(["write b.txt: b: finished", "run exit 1: finished"]);
});
