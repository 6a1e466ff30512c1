import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { BUSY, BusyModel } from "./busy-model.ts";
import { PacedModel } from "./paced-model.ts";
import { WebPlace } from "./web-place.ts";

const prompt = (page: Page) => page.getByRole("textbox", { name: "Prompt" });
const isLive = (page: Page) => page.getByText("live", { exact: true }).waitFor();

describe("a page whose server goes away", () => {
  let place: WebPlace;
  let page: Page;
  beforeAll(async () => {
    place = await WebPlace.open();
  });
  afterEach(async () => {
    await page.close();
    place.expectNoProblems();
  });
  afterAll(() => place?.close());

  test("[S9] [X9] says so, keeps what is typed, comes back by itself signed in, and saves what was typed", async () => {
    const thread = await place.thread("write kept.txt: 1");
    page = await place.page(`/t/${thread}`);
    await page.getByRole("article", { name: "Turn #1" }).waitFor();
    await place.served.stop("SIGKILL");
    await prompt(page).fill("typed while nobody listened");
    await page.getByText("The server cannot be reached.").waitFor();
    expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    expect(await prompt(page).inputValue()).toBe("typed while nobody listened");
    await place.served.start();
    await page.getByText("The server cannot be reached.").waitFor({ state: "detached" });
    await isLive(page);
    const draft = async () => (await place.served.client().getSettings(thread)).draft;
    await expect.poll(draft).toBe("typed while nobody listened");
    // The page follows the events of the new server.
    await place.served.turn(thread, "write kept.txt: 2");
    await page.getByRole("article", { name: "Turn #2" }).waitFor();
    expect(await prompt(page).inputValue()).toBe("typed while nobody listened");
    await page.getByRole("button", { name: "Undo to before #2" }).click();
    await page.getByRole("button", { name: /^Undo 1 turn/ }).click();
    await expect.poll(() => place.file("kept.txt")).toBe("1");
  });

  test("[P8] goes on after the last event when the server is back, and does not read the thread again", async () => {
    const thread = await place.thread("write again.txt: 1");
    page = await place.page(`/t/${thread}`);
    await place.served.turn(thread, "write again.txt: 2");
    await page.getByRole("article", { name: "Turn #2" }).waitFor();
    const reads: string[] = [];
    page.on("request", (request) => request.url().includes("/checkpoint") && reads.push(request.url()));
    await place.served.stop("SIGKILL");
    await place.served.start();
    await place.served.turn(thread, "write again.txt: 3");
    await page.getByRole("article", { name: "Turn #3" }).waitFor();
    expect(reads).toEqual([]);
  });

  test("[U6] a preview that the server does not answer says that nothing was changed, and is asked for again", async () => {
    const thread = await place.thread("write asked.txt: 1");
    page = await place.page(`/t/${thread}`);
    await page.getByRole("article", { name: "Turn #1" }).waitFor();
    await place.served.stop("SIGKILL");
    await page.getByRole("button", { name: "Undo to before #1" }).click();
    await page.getByText("The server cannot be reached. Nothing was changed.").waitFor();
    await place.served.start();
    await isLive(page);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByTestId("plan-counts").getByText("1 turn").waitFor();
  });

  for (const delay of [0, 4, 15])
    test(`[X9] [U1] killed ${delay} ms after an undo was sent, shows what came of it, and the files agree`, async () => {
      const thread = await place.thread("write both.txt: one", "write both.txt: two");
      page = await place.page(`/t/${thread}`);
      await page.getByRole("button", { name: "Undo to before #2" }).click();
      await page.getByTestId("plan-counts").getByText("turn").waitFor();
      const killed = new Promise<void>((resolve) =>
        page.on("request", (request) => {
          if (request.url().endsWith("/undo")) setTimeout(() => resolve(place.served.stop("SIGKILL")), delay);
        }),
      );
      await page.getByRole("button", { name: /^Undo 1 turn/ }).click();
      await killed;
      await place.served.start();
      await isLive(page);
      const { turns } = await place.served.client().listTurns(thread);
      await expect.poll(() => page.getByRole("article", { name: /^Turn #/ }).count()).toBe(turns.length);
      // Reading ended the restore that the kill interrupted.
      expect(place.file("both.txt")).toBe(turns.length === 2 ? "two" : "one");
      expect(await page.getByText("Preview: nothing has changed yet").count()).toBe(0);
    });

  test("[A1] [S9] an edit that could not be saved stays, survives a reload, and is saved when the server is back", async () => {
    const thread = await place.thread("Say hello");
    page = await place.page(`/t/${thread}`);
    await page.getByRole("article", { name: /^AI #1/ }).focus();
    await page.keyboard.press("e");
    const editor = page.getByRole("textbox", { name: "Text of the entry" });
    await editor.waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("A better answer");
    await place.served.stop("SIGKILL");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).first().waitFor();
    await editor.getByText("A better answer").waitFor();
    await place.served.start();
    await isLive(page);
    await page.reload();
    await editor.getByText("A better answer").waitFor();
    await editor.press("Control+Enter");
    await editor.waitFor({ state: "detached" });
    const { entries } = await place.served.client().listEntries(thread);
    expect(entries[1]?.content).toBe("A better answer");
  });

  test("[P5] a browser that is signed out says so and keeps what is typed; a new link brings it back", async () => {
    const thread = await place.thread("write out.txt: 1");
    page = await place.page(`/t/${thread}`);
    await prompt(page).fill("half a");
    await expect.poll(async () => (await place.served.client().getSettings(thread)).draft).toBe("half a");
    await place.signOut();
    await page.getByText("This browser is not signed in any more.").waitFor();
    await prompt(page).fill("half a thought");
    const other = await place.page();
    await page.getByText("This browser is not signed in any more.").waitFor({ state: "detached" });
    await isLive(page);
    expect(await prompt(page).inputValue()).toBe("half a thought");
    await expect.poll(async () => (await place.served.client().getSettings(thread)).draft).toBe("half a thought");
    await other.close();
  });

  test("a page of another version than the server's offers to reload, and goes on until then", async () => {
    const thread = await place.thread("write version.txt: 1");
    page = await place.page(`/t/${thread}`);
    await page.getByRole("article", { name: "Turn #1" }).waitFor();
    await page.route(`${place.served.url}/`, (route) =>
      route.fulfill({ contentType: "text/html", body: '<script type="module" src="/assets/index-other.js"></script>' }),
    );
    await place.served.stop("SIGKILL");
    await place.served.start();
    await page.getByText("The server has a new version of this page.").waitFor();
    await prompt(page).fill("still here");
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("The server has a new version of this page.").waitFor({ state: "detached" });
    await expect.poll(() => prompt(page).inputValue()).toBe("still here");
  });

  test("[P5] two windows share one event stream, and both follow", async () => {
    const thread = await place.thread("write shared.txt: 1");
    page = await place.page(`/t/${thread}`);
    const pages = [page, await place.page(`/t/${thread}`), await place.page(`/t/${thread}`)];
    for (const each of pages) await each.getByRole("article", { name: "Turn #1" }).waitFor();
    await place.served.turn(thread, "write shared.txt: 2");
    for (const each of pages) await each.getByRole("article", { name: "Turn #2" }).waitFor();
    const streams = await Promise.all(
      pages.map((each) =>
        each.evaluate(
          () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/v1/events")).length,
        ),
      ),
    );
    expect(streams).toEqual([0, 0, 0]);
    for (const each of pages.slice(1)) await each.close();
  });

  test("[X9] a page whose server goes away before its worker is loaded comes back too", async () => {
    const thread = await place.thread("write early.txt: 1");
    page = await place.pageElsewhere();
    let refused = 0;
    await page.context().route(/event-worker/, (route) => {
      refused += 1;
      return refused > 2 ? route.continue() : route.abort();
    });
    await page.goto(`${place.served.url}/t/${thread}`);
    await isLive(page);
    expect(refused).toBe(3);
    await place.served.turn(thread, "write early.txt: 2");
    await page.getByRole("article", { name: "Turn #2" }).waitFor();
  });

  test("[X9] a panel whose script cannot be loaded says so, and the rest of the page goes on", async () => {
    const thread = await place.thread("write panel.txt: 1");
    page = await place.page(`/t/${thread}`);
    await page.route(/settings-panel/, (route) => route.abort());
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByText("This part of the page could not be loaded.").waitFor();
    await prompt(page).fill("typed meanwhile");
    const draft = async () => (await place.served.client().getSettings(thread)).draft;
    await expect.poll(draft).toBe("typed meanwhile");
    await page.unroute(/settings-panel/);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("Temperature", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Changes" }).click();
    await expect.poll(() => prompt(page).inputValue()).toBe("typed meanwhile");
  });

  test("[P5] windows of a browser without shared workers follow too, and go on when the first one is closed", async () => {
    const thread = await place.thread("write locked.txt: 1");
    const windows: Page[] = [];
    for (let count = 0; count < 2; count += 1) {
      const each = await place.pageElsewhere();
      await each.addInitScript(() => Reflect.deleteProperty(globalThis, "SharedWorker"));
      await each.goto(`${place.served.url}/t/${thread}`);
      await isLive(each);
      windows.push(each);
    }
    const [first, second] = windows as [Page, Page];
    page = second;
    await place.served.turn(thread, "write locked.txt: 2");
    for (const each of windows) await each.getByRole("article", { name: "Turn #2" }).waitFor();
    await first.close();
    await place.served.turn(thread, "write locked.txt: 3");
    await second.getByRole("article", { name: "Turn #3" }).waitFor();
  });

  test("[P5] a browser that is not signed in reads how to sign in, and gets no file of the page", async () => {
    const answer = await fetch(`${place.served.url}/t/anything`, { headers: { accept: "text/html" } });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain("retake web");
    const icon = await fetch(`${place.served.url}/icon.svg`);
    expect(icon.status).toBe(401);
  });
});

test("[X9] [L9] a server that is killed while text streams: the page shows the text that was saved, and goes on", async () => {
  const model = await PacedModel.open(200);
  const place = await WebPlace.open(model.environment);
  try {
    const thread = await place.thread();
    const page = await place.page(`/t/${thread}`);
    await prompt(page).fill("Tell me a story");
    await prompt(page).press("Enter");
    await page.getByText("w150", { exact: false }).waitFor();
    await prompt(page).fill("and the next prompt");
    await place.served.stop("SIGKILL");
    await page.getByText("The server cannot be reached.").waitFor();
    await place.served.start();
    await isLive(page);
    await page.getByRole("article", { name: "Turn #1" }).getByText("interrupted").waitFor();
    const { entries } = await place.served.client().listEntries(thread);
    const words =
      entries
        .find(({ role }) => role === "AI")
        ?.content.trim()
        .split(/\s+/) ?? [];
    expect(words.length).toBeGreaterThan(50);
    const shown = async () => (await page.locator(".prose").last().innerText()).trim().split(/\s+/);
    await expect.poll(shown).toEqual(words);
    expect(await prompt(page).inputValue()).toBe("and the next prompt");
    await prompt(page).press("Enter");
    // Only an answer that streams can be ended.
    await page
      .getByRole("article", { name: /^AI #2/ })
      .getByText("w2", { exact: false })
      .first()
      .waitFor();
    model.finish();
    await page.getByTestId("status").getByText("Done: 0 files changed").waitFor();
    place.expectNoProblems();
  } finally {
    await place.close();
    await model.close();
  }
});

test("[X9] [AG41] a server that is killed while a turn waits for its model: the wait ends with the turn", async () => {
  const busy = await BusyModel.open();
  const place = await WebPlace.open(busy.environment);
  try {
    const thread = await place.thread();
    await place.served.client().changeSettings(thread, { model: BUSY });
    const page = await place.page(`/t/${thread}`);
    await prompt(page).waitFor();
    await place.served.client().startTurn(thread, { prompt: "Are you there?" });
    const wait = page.getByRole("region", { name: "Waiting for the model" });
    await wait.waitFor();
    await place.served.stop("SIGKILL");
    await place.served.start();
    await page.getByRole("article", { name: "Turn #1" }).getByText("interrupted").waitFor();
    await wait.waitFor({ state: "detached" });
    place.expectNoProblems();
  } finally {
    await place.close();
    await busy.close();
  }
});
