import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { amount } from "../../testing/budget.ts";
import { WebPlace } from "./web-place.ts";

const ENTRIES = amount("entries", 3000, 10_000);

describe("a long thread", () => {
  let place: WebPlace;
  let page: Page;
  let thread: string;
  beforeAll(async () => {
    place = await WebPlace.open();
    thread = await place.thread();
    const client = place.served.client();
    const entries = Array.from({ length: ENTRIES }, (_, index) => ({
      role: index % 2 === 0 ? "User" : "AI",
      content: `Entry number ${index}${index === 17 ? " with a quokka" : ""}\n\nand a second line`,
    }));
    await client.replaceEntries(thread, { entries });
    page = await place.page(`/t/${thread}`);
    await page.getByText(`Entry number ${ENTRIES - 1}`).waitFor();
  });
  afterAll(() => place?.close());

  /** Waits until the list has come to rest: several equal readings, one after the other. */
  const settled = async () => {
    const readings: string[] = [];
    await expect
      .poll(async () => {
        readings.push(await page.locator(".transcript").evaluate((list) => `${list.scrollTop} ${list.scrollHeight}`));
        return readings.length > 4 && new Set(readings.slice(-4)).size === 1;
      })
      .toBe(true);
  };
  const rows = () => page.locator("[data-row]").count();
  const offset = () =>
    page.locator(".transcript").evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);

  test("opens at its end, and the page holds only the rows on the screen", async () => {
    await expect.poll(offset).toBeLessThan(5);
    expect(await rows()).toBeLessThan(80);
  });

  test("scrolling up loads what is before, and what is read stays in its place", async () => {
    await page.locator(".transcript").hover();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -6000);
        return page
          .getByText(/Entry number 2[0-4]\d\d/)
          .first()
          .isVisible();
      })
      .toBe(true);
    await settled();
    // New entries at the end do not move someone who reads.
    const seen = await page
      .locator("[data-row]")
      .nth(3)
      .evaluate((row) => [row.textContent, row.getBoundingClientRect().y]);
    await place.served.client().addEntry(thread, { role: "User", content: "a late one" });
    await expect.poll(async () => (await place.served.client().getThread(thread)).entries).toBe(ENTRIES + 1);
    const same = await page
      .locator("[data-row]")
      .filter({ hasText: String(seen[0]).slice(0, 30) })
      .first()
      .evaluate((row) => row.getBoundingClientRect().y);
    expect(Math.abs(same - Number(seen[1]))).toBeLessThan(4);
    expect(await rows()).toBeLessThan(80);
  });

  test("a page that was scrolled far up holds a part of the thread only, and can go on to the beginning", async () => {
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -20_000);
        return page.getByText("Entry number 0", { exact: false }).first().isVisible();
      })
      .toBe(true);
    await settled();
    expect(await page.locator("[data-row]").first().getAttribute("aria-posinset")).toBe("1");
    expect(await rows()).toBeLessThan(80);
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
});
