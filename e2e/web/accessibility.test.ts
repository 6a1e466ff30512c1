import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openScreens, SCREENS } from "./screens.ts";
import { WebPlace } from "./web-place.ts";

/** The part of each screen whose tree is compared. */
const PARTS: Readonly<Record<string, readonly [string, { readonly name: string }]>> = {
  thread: ["main", { name: "Conversation" }],
  undo: ["complementary", { name: "Inspector" }],
  conflict: ["complementary", { name: "Inspector" }],
  changes: ["complementary", { name: "Inspector" }],
  takes: ["complementary", { name: "Inspector" }],
  compare: ["main", { name: "Conversation" }],
};

/** Without what differs from run to run and from machine to machine: times, and whether commands are confined. */
function comparable(tree: string): string {
  return tree
    .replaceAll(/\d{1,2}:\d\d(?: [AP]M)?/g, "TIME")
    .replaceAll(/\n *- heading "Cannot be taken back".*\n *- list:\n.*confine.*/g, "")
    .replaceAll(/\n *- list:\n.*not confined.*/g, "");
}

/** Screens whose layout is another one where there is little room. */
const NARROW: ReadonlySet<string> = new Set(["thread", "approval", "undo", "changes", "compare", "threads", "search"]);

/** Screens that use every colour between them. */
const CONTRAST: ReadonlySet<string> = new Set(["thread", "conflict", "changes", "settings"]);

async function axeProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  if (rules) axe.withRules([...rules]);
  else axe.withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

type Opened = Awaited<ReturnType<typeof openScreens>>;

let opened: Opened;
let page: Page;
beforeAll(async () => {
  opened = await openScreens();
  page = await opened.place.page();
});
afterAll(() => opened?.place.close());

/** Opens a screen as if nobody had been there before. */
async function show(name: string): Promise<void> {
  const screen = opened.screens.find((each) => each.name === name);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto(opened.place.served.url + screen?.address);
  await screen?.open(page);
  // A row of a virtual list is hidden until its height is known.
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[data-row]")].every((row) => getComputedStyle(row).visibility === "visible"),
  );
}

describe("axe finds nothing (WCAG 2.2 AA)", () => {
  const problems = (rules?: readonly string[]) => axeProblems(page, rules);

  test.each(SCREENS)("on the screen %s, in both themes, and narrow where the layout is another one", async (name) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    await show(name);
    expect(await problems()).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    // Colours change at once: no transition may run while they are read.
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    // A theme changes colours and nothing else.
    expect(await problems(["color-contrast"])).toEqual([]);
    if (CONTRAST.has(name)) {
      await page.evaluate(() => {
        document.documentElement.dataset["theme"] = "contrast";
      });
      expect(await problems(["color-contrast"])).toEqual([]);
    }
    if (!NARROW.has(name)) return;
    await page.setViewportSize({ width: 390, height: 844 });
    await show(name);
    expect(await problems()).toEqual([]);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider).toBe(0);
  });
});

test("axe finds nothing on the pages before a thread: the first steps, and how to sign in", async () => {
  const place = await WebPlace.open();
  try {
    const first = await place.page("/");
    await first.getByRole("heading", { name: "Everything here can be taken back" }).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await first.emulateMedia({ colorScheme });
      expect(await axeProblems(first)).toEqual([]);
    }
    await first.context().clearCookies();
    await first.goto(place.served.url);
    await first.getByRole("heading", { name: "Not signed in" }).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await first.emulateMedia({ colorScheme });
      expect(await axeProblems(first)).toEqual([]);
    }
  } finally {
    await place.close();
  }
});

describe("the page for everyone", () => {
  beforeAll(async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
  });

  test("the main screen has its landmarks, and F6 goes round them", async () => {
    await show("thread");
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

  const tree = async (name: string) =>
    comparable(await page.getByRole(...(PARTS[name] as [never, never])).ariaSnapshot());

  test.each(Object.keys(PARTS))("the accessibility tree of %s stays as it is", async (name) => {
    await show(name);
    // A list that is virtual has settled when two readings are equal.
    let before = "";
    await expect
      .poll(async () => {
        const now = await tree(name);
        const settled = now === before;
        before = now;
        return settled;
      })
      .toBe(true);
    await expect(before).toMatchFileSnapshot(`./accessibility/${name}.yml`);
  });

  test("the focus is never lost: after a dialog, a menu, a preview, an edit and an undo it is somewhere useful", async () => {
    const focused = () =>
      page.evaluate(() => {
        const { activeElement } = document;
        return activeElement === document.body ? "nowhere" : (activeElement?.closest("[data-region]")?.ariaLabel ?? "");
      });
    await show("thread");
    await page.getByRole("article", { name: /^AI #3/ }).focus();
    for (const open of [["Control+k"], ["?"], ["Control+f"], ["u"], ["e"]] as const) {
      for (const key of open) await page.keyboard.press(key);
      await page.waitForFunction(() => !document.activeElement?.matches("[role=article]"));
      await page.keyboard.press("Escape");
      await expect.poll(focused).toBe("Conversation");
      await page.getByRole("article", { name: /^AI #3/ }).focus();
    }
    await page.getByRole("button", { name: "More for turn #3" }).press("Enter");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe("More for turn #3");
  });

  test("from 360 to 2560 pixels nothing is cut off sideways, and undo is in reach", async () => {
    for (const width of [360, 390, 768, 1024, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      await show("thread");
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([width, wider]).toEqual([width, 0]);
      const undo = await page.getByRole("button", { name: "Undo", exact: true }).boundingBox();
      expect([width, (undo?.x ?? -1) >= 0 && (undo?.x ?? 0) + (undo?.width ?? 0) <= width]).toEqual([width, true]);
    }
    opened.place.expectNoProblems();
  });
});
