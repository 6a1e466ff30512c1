/** The draft on slow and broken connections: words that were typed are never lost, and never written over newer ones. */
import type { Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { BUSY, BusyModel } from "./busy-model.ts";
import { WebPlace } from "./web-place.ts";

let place: WebPlace;
let busy: BusyModel;
let page: Page;
beforeAll(async () => {
  busy = await BusyModel.open();
  place = await WebPlace.open(busy.environment);
});
afterEach(async () => {
  await page?.close();
  await place.served.client().stopTurns({});
  place.expectNoProblems();
});
afterAll(async () => {
  await place?.close();
  await busy?.close();
});

const prompt = () => page.getByRole("textbox", { name: "Prompt" });
const draftOf = async (thread: string, take?: string) =>
  (await place.served.client().getSettings(thread, take === undefined ? {} : { take })).draft;
const opened = async (thread: string) => {
  await place.served.client().changeThread(thread, { title: `Thread ${thread}` });
  await page.goto(`${place.served.url}/t/${thread}`);
  await page.getByRole("article", { name: "Turn #1" }).waitFor();
};

/** Holds the requests of a kind until `release`; `asked` resolves with the first one. */
async function hold(address: string, method: string) {
  const asked = Promise.withResolvers<Route>();
  const released = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    asked.resolve(route);
    await released.promise;
    await route.fallback();
  });
  return { asked: asked.promise, release: released.resolve };
}

test("[S2] words that are typed while a prompt is sent stay in the field and become the draft", async () => {
  const thread = await place.thread("write a.txt: one");
  page = await place.page(`/t/${thread}`);
  await page.getByRole("article", { name: "Turn #1" }).waitFor();
  const turn = await hold("**/turns", "POST");
  await prompt().fill("write b.txt: two");
  await prompt().press("Enter");
  await turn.asked;
  await prompt().press("End");
  await page.keyboard.type(" and my next thought");
  turn.release();
  await page.getByRole("article", { name: "Turn #2" }).waitFor();
  await expect.poll(() => prompt().inputValue()).toBe("and my next thought");
  await expect.poll(() => draftOf(thread)).toBe("and my next thought");
  expect((await place.served.client().listTurns(thread)).turns.map((each) => each.prompt)).toEqual([
    "write a.txt: one",
    "write b.txt: two",
  ]);
});

test("[S2] a prompt that is queued is the draft no more, also after a reload; edited, it stands before what is typed", async () => {
  const { thread } = await place.served.client().createThread({});
  await place.served.client().changeSettings(thread.id, { model: BUSY });
  page = await place.page(`/t/${thread.id}`);
  await place.served.client().startTurn(thread.id, { prompt: "Are you there?" });
  await page.getByRole("button", { name: "Try now" }).waitFor();
  await prompt().fill("the second prompt");
  await expect.poll(() => draftOf(thread.id)).toBe("the second prompt");
  await prompt().press("Enter");
  const queue = page.getByRole("list", { name: "Queued prompts" });
  await queue.getByText("the second prompt").waitFor();
  await expect.poll(() => draftOf(thread.id)).toBe("");
  await page.reload();
  await queue.getByText("the second prompt").waitFor();
  expect(await prompt().inputValue()).toBe("");
  await prompt().fill("the third");
  const removal = await hold("**/turns/*", "DELETE");
  await queue.getByRole("button", { name: "the second prompt", exact: true }).click();
  await removal.asked;
  await prompt().press("End");
  await page.keyboard.type(" and more");
  removal.release();
  await expect.poll(() => prompt().inputValue()).toBe("the second prompt\nthe third and more");
});

test("[S2] after a completed file name the cursor stands behind it, also in the middle of a prompt", async () => {
  const thread = await place.thread("write story.txt: one");
  page = await place.page(`/t/${thread}`);
  await page.getByRole("article", { name: "Turn #1" }).waitFor();
  await prompt().fill("read  and go on");
  for (let count = 0; count < " and go on".length; count += 1) await prompt().press("ArrowLeft");
  await page.keyboard.type("@sto");
  await page.getByRole("option", { name: "@story.txt" }).waitFor();
  await prompt().press("Tab");
  await page.keyboard.type("first");
  expect(await prompt().inputValue()).toBe("read @story.txt first and go on");
});

test("[S2] a comment on a change follows the words that are typed and not saved yet", async () => {
  const thread = await place.thread("write k.txt: one");
  page = await place.page(`/t/${thread}`);
  await page.getByRole("tab", { name: "Changes", exact: true }).click();
  const comment = page.getByRole("button", { name: "Comment" });
  await comment.waitFor();
  const save = await hold("**/settings", "PATCH");
  await prompt().fill("Look at this");
  await save.asked;
  await comment.click();
  await page.keyboard.type("why?");
  expect(await prompt().inputValue()).toBe("Look at this\nk.txt:1: why?");
  save.release();
  await expect.poll(() => draftOf(thread)).toBe("Look at this\nk.txt:1: why?");
});

test("[S2] [S9] a save that fails after its thread was left does not return over newer words", async () => {
  const [first, second] = [await place.thread("write c.txt: 1"), await place.thread("write d.txt: 1")];
  page = await place.page(`/t/${first}`);
  await opened(second);
  await opened(first);
  await page.clock.install();
  const saves: string[] = [];
  let isDown = true;
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route("**/settings", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    if (!isDown) {
      saves.push(String(route.request().postDataJSON()["draft"]));
      return route.fallback();
    }
    asked.resolve();
    await released.promise;
    return route.abort();
  });
  await prompt().fill("old words");
  await page.clock.runFor(1000);
  await asked.promise;
  const go = async (thread: string) => {
    await page.getByRole("navigation", { name: "Threads" }).getByText(`Thread ${thread}`).click();
    await page.getByRole("heading", { name: `Thread ${thread}` }).waitFor();
  };
  await go(second);
  expect(await prompt().inputValue()).toBe("");
  await go(first);
  await expect.poll(() => prompt().inputValue()).toBe("old words");
  await prompt().fill("new words");
  const failed = page.waitForEvent("requestfailed");
  released.resolve();
  await failed;
  isDown = false;
  // Long enough for every save that is tried again.
  await page.clock.runFor(10_000);
  await expect.poll(() => draftOf(first)).toBe("new words");
  await page.clock.runFor(10_000);
  await prompt().fill("new words, and more");
  await page.clock.runFor(1000);
  await expect.poll(() => draftOf(first)).toBe("new words, and more");
  // The second field of the thread can save the old words too, before the new ones are typed.
  expect(saves.slice(saves.indexOf("new words"))).not.toContain("old words");
});

test("[S2] a draft that is refused for good is not sent again until it changes", async () => {
  const thread = await place.thread("write e.txt: 1");
  page = await place.page(`/t/${thread}`);
  await page.getByRole("article", { name: "Turn #1" }).waitFor();
  await page.clock.install();
  const saves: string[] = [];
  const refusal = { error: { code: "not-found", message: "There is no such take." } };
  await page.route("**/settings", (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    saves.push(String(route.request().postDataJSON()["draft"]));
    return route.fulfill({ status: 404, contentType: "application/json", body: JSON.stringify(refusal) });
  });
  // The page's clock runs on its own, too: on a busy machine the words are sent before `runFor`.
  const answered = page.waitForResponse(/\/settings$/);
  await prompt().fill("refused");
  await page.clock.runFor(1000);
  await answered;
  for (const text of ["refused again", "and again"]) {
    await page.clock.runFor(60_000);
    await prompt().fill(text);
    await page.clock.runFor(1000);
    await expect.poll(() => saves.at(-1)).toBe(text);
  }
  expect(saves).toEqual(["refused", "refused again", "and again"]);
});

test("[S2] words that are typed while others are being refused for good are saved at once", async () => {
  const thread = await place.thread("write h.txt: 1");
  page = await place.page(`/t/${thread}`);
  await page.getByRole("article", { name: "Turn #1" }).waitFor();
  await page.clock.install();
  const asked = Promise.withResolvers<Route>();
  let saves = 0;
  await page.route("**/settings", (route) => {
    if (route.request().method() !== "PATCH" || saves > 0) return route.fallback();
    saves += 1;
    return asked.resolve(route);
  });
  await prompt().fill("refused");
  await page.clock.runFor(1000);
  const refused = await asked.promise;
  await prompt().fill("taken");
  await page.clock.runFor(1000);
  const error = { code: "invalid-input", message: "The draft is too long." };
  await refused.fulfill({ status: 422, contentType: "application/json", body: JSON.stringify({ error }) });
  await expect.poll(() => draftOf(thread)).toBe("taken");
});

test.each(["before", "while"])(
  "[S2] [X6] words stay the draft of their take if another is chosen %s they are saved",
  async (when) => {
    const thread = await place.thread("write f.txt: 1");
    const client = place.served.client();
    await client.branch(thread, { entry: "#1" });
    await client.changeSettings(thread, { draft: "the draft of the second take" });
    await client.switchTake(thread, "main");
    page = await place.page(`/t/${thread}`);
    await page.getByRole("article", { name: "Turn #1" }).waitFor();
    const save = await hold("**/settings", "PATCH");
    await prompt().focus();
    await page.keyboard.type("words for main");
    if (when === "while") await save.asked;
    await page.keyboard.press("Alt+2");
    await expect.poll(() => prompt().inputValue()).toBe("the draft of the second take");
    await save.asked;
    save.release();
    await expect.poll(() => draftOf(thread, "main")).toBe("words for main");
    expect(await draftOf(thread)).toBe("the draft of the second take");
    await page.keyboard.press("Alt+1");
    await expect.poll(() => prompt().inputValue()).toBe("words for main");
  },
);
