import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCRIPT } from "./shown-script.ts";
import { WebPlace } from "./web-place.ts";

describe("the page for everyone", () => {
  let place: WebPlace;
  let page: Page;
  let thread: string;
  beforeAll(async () => {
    place = await WebPlace.open({ RETAKE_SCRIPT: SCRIPT });
    thread = await place.thread("Start a todo list", "Count the items", "Explain it");
    page = await place.page(`/t/${thread}`);
    await page.getByText("counts the lines").waitFor();
  });
  afterAll(() => place?.close());

  const problems = async () => {
    const { violations } = await new AxeBuilder({ page })
      .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"])
      .analyze();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  };

  for (const theme of ["light", "dark"] as const)
    test(`axe finds nothing (WCAG 2.2 AA) in the ${theme} theme: conversation, preview, palette, keys`, async () => {
      await page.emulateMedia({ colorScheme: theme });
      await page.getByRole("feed").focus();
      expect(await problems()).toEqual([]);
      await page.keyboard.press("u");
      await page.getByTestId("plan-counts").getByText("turn").waitFor();
      expect(await problems()).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog", { name: "All commands" }).waitFor();
      expect(await problems()).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("feed").focus();
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      expect(await problems()).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    });

  test("the main screen has its landmarks, and F6 goes round them", async () => {
    for (const [role, name] of [
      ["navigation", "Threads"],
      ["main", "Conversation"],
      ["complementary", "Inspector"],
    ] as const)
      expect(await page.getByRole(role, { name }).count()).toBe(1);
    await page.getByRole("feed").focus();
    const names: (string | null | undefined)[] = [];
    for (let press = 0; press < 3; press += 1) {
      await page.keyboard.press("F6");
      names.push(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")));
    }
    expect(names).toEqual(["Inspector", "Threads", "Conversation"]);
  });

  test("the accessibility tree of a turn names its parts", async () => {
    const tree = await page.getByRole("feed").ariaSnapshot();
    for (const line of ['article "Turn #3"', 'article "User #3.0"', 'article "AI #3.1"', "Undo to before #3"])
      expect(tree).toContain(line);
  });

  test("from 360 to 2560 pixels nothing is cut off sideways, and undo is in reach", async () => {
    for (const width of [360, 390, 768, 1024, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      await page.reload();
      await page.getByText("counts the lines").waitFor();
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([width, wider]).toEqual([width, 0]);
      const undo = await page.getByRole("button", { name: "Undo", exact: true }).boundingBox();
      expect([width, (undo?.x ?? -1) >= 0 && (undo?.x ?? 0) + (undo?.width ?? 0) <= width]).toEqual([width, true]);
    }
    place.expectNoProblems();
  });
});
