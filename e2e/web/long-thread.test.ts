import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillAtOnce } from "../../bench/long-thread.ts";
import { amount } from "../../testing/budget.ts";
import { PacedModel } from "./paced-model.ts";
import { WebPlace } from "./web-place.ts";

const ENTRIES = amount("entries", 10_000, 100_000);
const SECOND_LINE = "\n\nand a second line";

describe("a long thread", () => {
  let model: PacedModel;
  let place: WebPlace;
  let page: Page;
  let thread: string;
  beforeAll(async () => {
    model = await PacedModel.open(200);
    place = await WebPlace.open({ ...model.environment, RETAKE_MODEL: "scripted/default" });
    thread = await place.thread();
    const { home } = place.served.place;
    await place.served.stop("SIGTERM");
    fillAtOnce(home, thread, ENTRIES, (index) => ({
      role: index % 2 === 0 ? "User" : "AI",
      // Older rows are smaller than the list expects from the first ones that it measures.
      content: `Entry number ${index}${index === 17 ? " with a quokka" : ""}${index < ENTRIES - 300 ? "" : SECOND_LINE}`,
    }));
    await place.served.start();
    page = await place.page(`/t/${thread}`);
    await page.getByText(`Entry number ${ENTRIES - 1}`).waitFor();
  });
  afterAll(async () => {
    await place?.close();
    await model?.close();
  });

  /** Waits until the list has come to rest: several equal readings, with frames between them, because a scroll takes some. */
  const settled = async () => {
    const readings: string[] = [];
    const read = async (list: Element) => {
      for (let frames = 0; frames < 3; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      return `${list.scrollTop} ${list.scrollHeight}`;
    };
    await expect
      .poll(async () => {
        readings.push(await page.locator(".transcript").evaluate(read));
        return readings.length > 4 && new Set(readings.slice(-4)).size === 1;
      })
      .toBe(true);
  };
  /** The number of the first entry that is drawn. */
  const firstNumber = () =>
    page.locator(".transcript").evaluate((list) => Number(/Entry number (\d+)/.exec(list.textContent)?.[1]));
  const goToFirst = async () => {
    await page.getByRole("feed").focus();
    await page.keyboard.press("Home");
    await page.getByText("Entry number 0", { exact: false }).first().waitFor();
    await settled();
  };
  const scrollDownTo = async (number: number) => {
    await page.locator(".transcript").hover();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 6000);
        return firstNumber();
      })
      .toBeGreaterThan(number);
  };
  const rows = () => page.locator("[data-row]").count();
  /** A row in the middle of the screen: those near its edges may be taken away. */
  const rowInSight = async () => {
    const all = await page
      .locator("[data-row]")
      .evaluateAll((found) =>
        found.map((row) => ({ key: row.getAttribute("data-row"), top: row.getBoundingClientRect().y })),
      );
    return all.find(({ top }) => top > 300) as { key: string; top: number };
  };
  const offset = () =>
    page.locator(".transcript").evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);

  test("opens at its end, and the page holds only the rows on the screen", async () => {
    await expect.poll(offset).toBeLessThan(5);
    expect(await rows()).toBeLessThan(80);
  });

  test("older rows that come while someone is at the very beginning of the loaded ones do not move them", async () => {
    const released = Promise.withResolvers<void>();
    let asked = 0;
    await page.route(/more_before=/, async (route) => {
      asked += 1;
      await released.promise;
      await route.continue();
    });
    await page.locator(".transcript").hover();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -6000);
        return asked > 0 && page.locator(".transcript").evaluate((list) => list.scrollTop === 0);
      })
      .toBe(true);
    await settled();
    const seen = await rowInSight();
    released.resolve();
    await expect.poll(() => page.locator(".transcript").evaluate((list) => list.scrollTop)).toBeGreaterThan(0);
    await settled();
    const same = await page.locator(`[data-row="${seen.key}"]`).evaluate((row) => row.getBoundingClientRect().y);
    expect(Math.abs(same - seen.top)).toBeLessThan(4);
    expect(asked).toBe(1);
    await page.unroute(/more_before=/);
  });

  test("scrolling up loads what is before, and what is read stays in its place", async () => {
    await page.locator(".transcript").hover();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -6000);
        return firstNumber();
      })
      .toBeLessThan(ENTRIES - 500);
    await settled();
    // New entries at the end do not move someone who reads.
    const seen = await rowInSight();
    await place.served.client().addEntry(thread, { role: "User", content: "a late one" });
    await expect.poll(async () => (await place.served.client().getThread(thread)).entries).toBe(ENTRIES + 1);
    const same = await page.locator(`[data-row="${seen.key}"]`).evaluate((row) => row.getBoundingClientRect().y);
    expect(Math.abs(same - seen.top)).toBeLessThan(4);
    expect(await rows()).toBeLessThan(80);
  });

  test("what comes or goes above someone who reads does not move them", async () => {
    const row = page.locator("[data-row]").filter({ hasText: "Entry number" }).nth(4);
    const key = (await row.getAttribute("data-row")) as string;
    const top = () => page.locator(`[data-row="${key}"]`).evaluate((element) => element.getBoundingClientRect().y);
    const before = await top();
    const above = `entry-${Number(key.slice("entry-".length)) - 40}`;
    const content = "an entry of another client\n\n".repeat(8);
    const { entry } = await place.served.client().addEntry(thread, { role: "User", content, before: above });
    const total = async () => (await place.served.client().getThread(thread)).entries;
    await expect.poll(total).toBe(ENTRIES + 2);
    await settled();
    expect(Math.abs((await top()) - before)).toBeLessThan(4);
    await place.served.client().removeEntry(thread, entry?.id as string);
    await expect.poll(total).toBe(ENTRIES + 1);
    await settled();
    expect(Math.abs((await top()) - before)).toBeLessThan(4);
  });

  test("one key goes to the beginning, the page holds a part of the thread only, and reads on from there", async () => {
    await goToFirst();
    const first = page.locator("[data-row]").first();
    expect(await first.getAttribute("aria-posinset")).toBe("1");
    await expect.poll(() => first.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await rows()).toBeLessThan(80);
    await scrollDownTo(1500);
    expect(await rows()).toBeLessThan(80);
    // The row that had the focus is not held any more: the list has it.
    const isInside = () => page.evaluate(() => document.activeElement?.closest(".transcript") != null);
    await expect.poll(isInside).toBe(true);
  });

  test("find looks through all of it, and goes to an entry that was not loaded", async () => {
    await page.keyboard.press("Control+f");
    await page.getByRole("searchbox", { name: "Find in this thread" }).fill("quokka");
    await page.getByText("1 of 1").waitFor();
    await page.getByText("Entry number 17 with a quokka").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Latest" }).click();
    await page.getByText("a late one").waitFor();
    place.expectNoProblems();
  });

  test("the end that was asked for stays, also when the list was about to read on from where it was", async () => {
    await goToFirst();
    const released = Promise.withResolvers<void>();
    await page.route(/checkpoint\?entries=last/, async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.locator(".transcript").hover();
    await page.mouse.wheel(0, 100);
    await page.getByRole("button", { name: "Latest" }).click();
    await page.mouse.wheel(0, 200_000);
    await settled();
    released.resolve();
    await page.getByText("a late one").waitFor();
    await settled();
    expect(await page.getByText("a late one").isVisible()).toBe(true);
    await page.unroute(/checkpoint\?entries=last/);
    place.expectNoProblems();
  });

  test("the end that is asked for while the list is on its way to an entry stays", async () => {
    await goToFirst();
    await scrollDownTo(400);
    // Sooner than a test could press it: with the row of the match.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        const isThere = [...document.querySelectorAll("[data-row]")].some((row) => row.textContent?.includes("quokka"));
        const button = document.querySelector<HTMLElement>(".to-end");
        if (!isThere || !button) return;
        observer.disconnect();
        button.click();
      });
      observer.observe(document.body, { subtree: true, childList: true });
    });
    await page.keyboard.press("Control+f");
    await page.getByRole("searchbox", { name: "Find in this thread" }).fill("quokka");
    await page.getByText("a late one").waitFor();
    await settled();
    await expect.poll(offset).toBeLessThan(5);
    await page.keyboard.press("Escape");
  });

  describe("while text streams at 200 tokens/s", () => {
    let words = 0;
    /** Waits until more of the answer has come, whether it is on the screen or not. */
    const moreWords = async () => {
      words += 150;
      await expect
        .poll(async () => {
          const { entries } = await place.served.client().listEntries(thread, { last: 1 });
          return Number(/w(\d+)\.?\s*$/.exec(entries[0]?.content ?? "")?.[1] ?? 0);
        })
        .toBeGreaterThan(words);
    };
    beforeAll(async () => {
      await place.served.client().changeSettings(thread, { model: "compatible/paced" });
      await place.served.client().startTurn(thread, { prompt: "Tell me a story" });
      // On a slow machine there may be more words by then, such as w400.
      await page.getByText("w40 ", { exact: false }).first().waitFor();
    });
    afterAll(async () => {
      model.finish();
      await place.served.turnsEnded(thread);
    });

    test("the end stays in sight for someone who is there", async () => {
      for (let reading = 0; reading < 3; reading += 1) {
        await moreWords();
        await expect.poll(offset).toBeLessThan(5);
      }
      expect(await rows()).toBeLessThan(80);
    });

    test("someone who reads further up stays where they are, with the focus and what is open", async () => {
      await page.locator(".transcript").hover();
      await page.mouse.wheel(0, -2500);
      await page.getByRole("button", { name: "Latest" }).waitFor();
      await settled();
      const row = page
        .locator("[data-row]")
        .filter({ hasText: /Entry number \d+/ })
        .nth(2);
      await row.focus();
      const key = (await row.getAttribute("data-row")) as string;
      await page.keyboard.press("m");
      const same = page.locator(`[data-row="${key}"]`);
      await settled();
      const looks = () =>
        same.evaluate((element) => [Math.round(element.getBoundingClientRect().y), element.innerHTML]);
      const before = await looks();
      await moreWords();
      await moreWords();
      expect(await looks()).toEqual(before);
      expect(await same.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.getByRole("button", { name: "Latest" }).click();
      await expect.poll(offset).toBeLessThan(5);
    });

    test("a key is written at once, and the draft is whole", async () => {
      const field = page.getByRole("textbox", { name: "Prompt" });
      await field.pressSequentially("typed while it answers");
      await moreWords();
      expect(await field.inputValue()).toBe("typed while it answers");
      place.expectNoProblems();
    });

    test("no frame is without text while the answer grows and when it ends", async () => {
      await page.evaluate(() => {
        const seen = { frames: 0, blank: 0, watching: true };
        (window as unknown as { seen: typeof seen }).seen = seen;
        const look = () => {
          const last = [...document.querySelectorAll(".transcript .prose")].at(-1);
          seen.frames += 1;
          if (!last || last.getBoundingClientRect().height === 0 || last.textContent === "") seen.blank += 1;
          if (seen.watching) requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      await moreWords();
      // A busy machine draws few frames, however much text comes.
      await page.waitForFunction(() => (window as unknown as { seen: { frames: number } }).seen.frames > 10);
      model.finish();
      await place.served.turnsEnded(thread);
      await page.getByTestId("status").getByText("Done: 0 files changed").waitFor();
      const blank = await page.evaluate(() => {
        const { seen } = window as unknown as { seen: { blank: number; watching: boolean } };
        seen.watching = false;
        return seen.blank;
      });
      expect(blank).toBe(0);
    });
  });

  test("an output keeps the wheel, and what is open stays open when it was scrolled away", async () => {
    await place.served.client().changeSettings(thread, { model: "scripted/default" });
    await place.served.turn(thread, "run seq 40");
    await page.goto(`${place.served.url}/t/${thread}`);
    await expect.poll(offset).toBeLessThan(5);
    const call = page.getByRole("article", { name: /^Tool bash/ });
    await page.locator(".transcript").hover();
    await expect
      .poll(async () => {
        // Upwards in any case: someone who follows the end is brought back to it.
        await page.mouse.wheel(0, -100);
        return call.count();
      })
      .toBe(1);
    await settled();
    await call.getByRole("button", { name: /^bash seq 40/ }).click();
    await call.getByRole("button", { name: "Show all 40 lines" }).click();
    const output = call.locator(".output");
    await output.getByText("40").waitFor();
    await output.hover();
    await settled();
    const before = await offset();
    await page.mouse.wheel(0, 300);
    await expect.poll(() => output.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
    expect(await offset()).toBe(before);
    await page.getByRole("article", { name: /^AI/ }).last().hover();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -6000);
        return call.count();
      })
      .toBe(0);
    await page.getByRole("button", { name: "Latest" }).click();
    await output.getByText("40").waitFor();
    place.expectNoProblems();
  });
});
