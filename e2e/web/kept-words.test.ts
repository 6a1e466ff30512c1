/** Words that a person typed are never lost: neither by a turn that is refused later, nor by a browser without room. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { BUSY, BusyModel } from "./busy-model.ts";
import { WebPlace } from "./web-place.ts";

let busy: BusyModel;
let place: WebPlace;
let page: Page;

beforeAll(async () => {
  busy = await BusyModel.open();
  place = await WebPlace.open(busy.environment);
});

beforeEach(() => {
  place.problems.length = 0;
});

afterEach(() => page.close());

afterAll(async () => {
  await place.close();
  await busy.close();
});

const prompt = () => page.getByRole("textbox", { name: "Prompt" });

const draftOf = async (thread: string) => (await place.served.client().getSettings(thread, {}))["draft"];

/** A thread with a turn, in a directory that is then deleted. */
async function threadWithoutDirectory(name: string): Promise<string> {
  const root = join(place.served.place.folder, name);
  mkdirSync(root);
  const { thread } = await place.served.client().createThread({ title: name, workspace_root: root });
  await place.served.turn(thread.id, "write a.txt: one");
  rmSync(root, { recursive: true });
  return thread.id;
}

test("[S2] a prompt whose turn is refused after it was accepted returns to the field, with the reason", async () => {
  const thread = await threadWithoutDirectory("gone");
  page = await place.page(`/t/${thread}`);
  await page.getByRole("article", { name: "Turn #1" }).waitFor();
  await prompt().fill("write a.txt: two");
  await prompt().press("Enter");
  await page
    .getByRole("alert")
    .getByText(/^Not started\. The directory .* is not there/)
    .waitFor();
  await expect.poll(() => prompt().inputValue()).toBe("write a.txt: two");
  await expect.poll(() => draftOf(thread)).toBe("write a.txt: two");
});

test("[S2] a prompt that is refused in a thread that was left waits there; it does not replace other words", async () => {
  const thread = await threadWithoutDirectory("left");
  const other = await place.thread("write b.txt: one");
  page = await place.page(`/t/${thread}`);
  await page.getByRole("article", { name: "Turn #1" }).waitFor();
  // The answer is slow, so that the thread is left before it comes.
  const left = Promise.withResolvers<void>();
  await page.route("**/turns", async (route) => {
    const response = await route.fetch();
    await left.promise;
    await route.fulfill({ response });
  });
  await prompt().fill("the old words");
  await prompt().press("Enter");
  await page.getByRole("navigation", { name: "Threads" }).locator(`a[href="/t/${other}"]`).click();
  await page.getByRole("feed").getByText("write b.txt: one").first().waitFor();
  left.resolve();
  await page.getByRole("alert").getByText("A prompt in another thread was not started.").waitFor();
  await expect.poll(() => draftOf(thread)).toBe("");
  await place.served.client().changeSettings(thread, { draft: "typed elsewhere" });
  await page.goBack();
  await expect.poll(() => prompt().inputValue()).toBe("typed elsewhere");
  await page.getByRole("button", { name: "Put it back into the prompt" }).click();
  expect(await prompt().inputValue()).toBe("the old words\ntyped elsewhere");
});

test("[X9] [S2] [S9] a prompt that waits in a server that is killed is paused, and runs when the user says so", async () => {
  const { thread } = await place.served.client().createThread({});
  await place.served.client().changeSettings(thread.id, { model: BUSY });
  page = await place.page(`/t/${thread.id}`);
  await place.served.client().startTurn(thread.id, { prompt: "Are you there?" });
  await page.getByRole("button", { name: "Try now" }).waitFor();
  await prompt().fill("the second prompt");
  await prompt().press("Enter");
  await page.getByRole("list", { name: "Queued prompts" }).getByText("the second prompt").waitFor();
  await place.served.stop("SIGKILL");
  await place.served.start();
  const goOn = page.getByRole("button", { name: "Run paused prompts" });
  await goOn.waitFor();
  await page.getByRole("list", { name: "Queued prompts" }).getByText("the second prompt").waitFor();
  expect(await prompt().inputValue()).toBe("");
  await place.served.client().changeSettings(thread.id, { model: "scripted/default" });
  await goOn.click();
  await page
    .getByRole("article", { name: /^User #2/ })
    .getByText("the second prompt")
    .waitFor();
  await page.getByRole("list", { name: "Queued prompts" }).waitFor({ state: "detached" });
  const last = async () => (await place.served.client().listTurns(thread.id)).turns.at(-1)?.status;
  await expect.poll(last).toBe("finished");
});

test("[S2] a browser whose storage is full saves the draft all the same, and the page goes on", async () => {
  const thread = await place.thread("write c.txt: one");
  page = await place.page(`/t/${thread}`);
  await page.getByRole("article", { name: "Turn #1" }).waitFor();
  await page.evaluate(() => {
    for (const length of [1_000_000, 1000, 1])
      try {
        for (let each = 0; ; each += 1) localStorage.setItem(`full ${length} ${each}`, "x".repeat(length));
      } catch {
        // Full for texts of this length.
      }
  });
  try {
    await prompt().fill("words that have no room here");
    await expect.poll(() => draftOf(thread)).toBe("words that have no room here");
    await page.keyboard.press("Control+j");
    await expect.poll(() => page.getByRole("complementary", { name: "Inspector" }).isVisible()).toBe(false);
    place.expectNoProblems();
  } finally {
    await page.evaluate(() => localStorage.clear());
  }
});

test("[A1] [L7] an edit does not replace the text that another screen gave the entry, unless that was shown", async () => {
  const thread = await place.thread("write d.txt: one");
  const client = place.served.client();
  page = await place.page(`/t/${thread}`);
  const edit = async () => {
    await page.getByRole("article", { name: /^User #1/ }).focus();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Text of the entry" }).waitFor();
    await page.keyboard.type(" and mine");
  };
  const entry = async () => (await client.listEntries(thread)).entries[0] as { id: string; content: string };
  const { id } = await entry();
  await edit();
  await client.editEntry(thread, id, { content: "the text of another screen" });
  const changed = page.getByRole("alert").getByText("the text of another screen");
  await changed.waitFor();
  await page.getByRole("button", { name: /^Save over it/ }).click();
  await page.getByRole("textbox", { name: "Text of the entry" }).waitFor({ state: "detached" });
  expect((await entry()).content).toBe("write d.txt: one and mine");
  // The change that comes while the save is on its way is not on the screen yet.
  await edit();
  await page.route("**/entries/*", async (route) => {
    if (route.request().method() === "PATCH" && !route.request().url().includes("dry_run"))
      await client.editEntry(thread, id, { content: "a later text" });
    await route.fallback();
  });
  await page.keyboard.press("Control+Enter");
  await page.getByRole("alert").getByText("a later text").waitFor();
  expect((await entry()).content).toBe("a later text");
});
