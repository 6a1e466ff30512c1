import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillScreens, openEmptyPlace, SCREENS, type ShownScreen } from "./screens.ts";
import type { WebPlace } from "./web-place.ts";

/** The part of each screen whose tree is compared. */
const PARTS: Readonly<Record<string, readonly [string, { readonly name: string }]>> = {
  thread: ["main", { name: "Conversation" }],
  undo: ["complementary", { name: "Inspector" }],
  conflict: ["complementary", { name: "Inspector" }],
  changes: ["complementary", { name: "Inspector" }],
  takes: ["complementary", { name: "Inspector" }],
  compare: ["main", { name: "Conversation" }],
};

/** Without what differs from run to run and from machine to machine: times, durations, and whether commands are confined. */
function comparable(tree: string): string {
  return tree
    .replaceAll(/\d{1,2}:\d\d(?: [AP]M)?/g, "TIME")
    .replaceAll(/\n *- text: \d+ (?:s|min)(?=\n)/g, "")
    .replaceAll(/\n *- heading "Cannot be taken back".*\n *- list:\n.*confine.*/g, "")
    .replaceAll(/\n *- list:\n.*not confined.*/g, "");
}

/** Screens whose layout is another one where there is little room. */
const NARROW: ReadonlySet<string> = new Set(["thread", "approval", "undo", "changes", "compare", "threads", "search"]);

/** Screens that use every colour between them. */
const CONTRAST: ReadonlySet<string> = new Set(["thread", "conflict", "changes", "settings"]);

const TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
const AXE = readFileSync(
  createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** In the page itself: a run of its own builder opens another page each time. `part` is the only part that is looked at. */
async function axeProblems(page: Page, rules?: readonly string[], part?: string): Promise<string[]> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(AXE);
  const runOnly = rules ? { type: "rule", values: rules } : { type: "tag", values: TAGS };
  const options = JSON.stringify({ runOnly, resultTypes: ["violations"] });
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify(part ?? "html")}, ${options}).then(({ violations }) => ({ violations }))`,
  )) as { violations: readonly { id: string; nodes: readonly { html: string }[] }[] };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

let place: WebPlace;
let close: () => Promise<void>;
let page: Page;
let screens: Promise<readonly ShownScreen[]> | undefined;
beforeAll(async () => {
  ({ place, close } = await openEmptyPlace());
  page = await place.page();
});
afterAll(() => close?.());

/** Opens a screen as if nobody had been there before. */
async function show(name: string): Promise<ShownScreen> {
  // After the test that wants no threads.
  screens ??= fillScreens(place);
  const screen = (await screens).find((each) => each.name === name) as ShownScreen;
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto(place.served.url + screen.address);
  await screen.open(page);
  // A row of a virtual list is hidden until its height is known.
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[data-row]")].every((row) => getComputedStyle(row).visibility === "visible"),
  );
  return screen;
}

/** The accessibility tree of a screen's part, when two readings are equal: a list that is virtual has settled then. */
async function settledTree(name: string): Promise<string> {
  let before = "";
  await expect
    .poll(async () => {
      const now = comparable(await page.getByRole(...(PARTS[name] as [never, never])).ariaSnapshot());
      const settled = now === before;
      before = now;
      return settled;
    })
    .toBe(true);
  return before;
}

async function expectNothingCutOff(): Promise<void> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect([page.viewportSize()?.width, wider]).toEqual([page.viewportSize()?.width, 0]);
}

describe("axe finds nothing (WCAG 2.2 AA)", () => {
  test("on the page before the first thread, in both themes", async () => {
    await page.getByRole("heading", { name: "Everything here can be taken back" }).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeProblems(page)).toEqual([]);
      const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
      expect(scheme).toBe("light dark");
    }
  });

  test.each(SCREENS)("on the screen %s, in both themes, and narrow where the layout is another one", async (name) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    // Where only a part differs from the screen `thread`, the rest was looked at there.
    const { part } = await show(name);
    expect(await axeProblems(page, undefined, part)).toEqual([]);
    if (PARTS[name]) await expect(await settledTree(name)).toMatchFileSnapshot(`./accessibility/${name}.yml`);
    await page.emulateMedia({ colorScheme: "dark" });
    // Colours change at once: no transition may run while they are read.
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    // A theme changes colours and nothing else.
    expect(await axeProblems(page, ["color-contrast"], part)).toEqual([]);
    if (CONTRAST.has(name)) {
      await page.evaluate(() => {
        document.documentElement.dataset["theme"] = "contrast";
      });
      expect(await axeProblems(page, ["color-contrast"], part)).toEqual([]);
    }
    if (!NARROW.has(name)) return;
    await page.setViewportSize({ width: 390, height: 844 });
    await show(name);
    expect(await axeProblems(page, undefined, part)).toEqual([]);
    await expectNothingCutOff();
  });
});

test("axe finds nothing on a virtual list whose rows are not drawn yet", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const { address } = await show("changes");
  const other = await place.page();
  // The list draws its rows when it has been measured.
  await other.addInitScript(() => {
    ResizeObserver.prototype.observe = () => {};
  });
  await other.goto(place.served.url + address);
  await other.getByRole("tab", { name: "Changes" }).click();
  await other.locator("[aria-label='Changed files']").waitFor();
  expect(await other.locator("[aria-label='Changed files']").getByRole("button").count()).toBe(0);
  expect(await axeProblems(other)).toEqual([]);
  await other.close();
});

test("a virtual list is busy until its rows are drawn, and no longer", async () => {
  const { address } = await show("changes");
  const other = await place.page();
  await other.addInitScript(() => {
    const seen: Record<string, string[]> = { "Changed files": [], "Turns and entries": [] };
    (window as unknown as { seen: typeof seen }).seen = seen;
    new MutationObserver(() => {
      for (const list of document.querySelectorAll(".virtual-list")) {
        const state = `${list.ariaBusy} ${list.firstElementChild?.childElementCount === 0 ? "empty" : "drawn"}`;
        const states = seen[list.ariaLabel ?? ""];
        if (states?.at(-1) !== state) states?.push(state);
      }
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await other.goto(place.served.url + address);
  await other.getByRole("tab", { name: "Changes" }).click();
  await other.getByRole("group", { name: "Changed files" }).getByRole("button").first().waitFor();
  await other.getByRole("article").first().waitFor();
  expect(await other.evaluate(() => (window as unknown as { seen: object }).seen)).toEqual({
    "Changed files": ["true empty", "false drawn"],
    "Turns and entries": ["true empty", "false drawn"],
  });
  await other.close();
});

describe("the page for everyone", () => {
  beforeAll(async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
  });

  test("the main screen has its landmarks, F6 goes round them, and the focus is never lost", async () => {
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
    // After a dialog, a find bar, a preview and an edit it is where it was. Only then is the part before it gone.
    const entry = page.getByRole("article", { name: /^AI #3/ });
    await entry.focus();
    for (const key of ["Control+k", "?", "Control+f", "u", "e"]) {
      await page.keyboard.press(key);
      await page.waitForFunction(() => !document.activeElement?.matches("[role=article]"));
      await page.keyboard.press("Escape");
      await expect.poll(() => entry.evaluate((row) => row === document.activeElement), { message: key }).toBe(true);
    }
    await page.getByRole("button", { name: "More for turn #3" }).press("Enter");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe("More for turn #3");
  });

  test("from 360 to 2560 pixels nothing is cut off sideways, and undo is in reach", async () => {
    // A page that is opened narrow, one of a medium width and a wide one; each also becomes wider.
    for (const widths of [[360, 390], [768, 1024], [2560]]) {
      for (const [index, width] of widths.entries()) {
        await page.setViewportSize({ width, height: 800 });
        if (index === 0) await show("thread");
        await expectNothingCutOff();
        const undo = await page.getByRole("button", { name: "Undo", exact: true }).boundingBox();
        expect([width, (undo?.x ?? -1) >= 0 && (undo?.x ?? 0) + (undo?.width ?? 0) <= width]).toEqual([width, true]);
      }
    }
    place.expectNoProblems();
  });

  test("what is chosen stands out where the system chooses the colours", async () => {
    await show("thread");
    await page.emulateMedia({ forcedColors: "active" });
    const isHighlighted = (selected: boolean) =>
      page
        .getByRole("tablist", { name: "Takes" })
        .getByRole("tab", { selected })
        .first()
        .evaluate((tab) => {
          const sample = document.body.appendChild(document.createElement("i"));
          sample.style.background = "Highlight";
          const isSame = getComputedStyle(tab).backgroundColor === getComputedStyle(sample).backgroundColor;
          sample.remove();
          return isSame;
        });
    expect([await isHighlighted(true), await isHighlighted(false)]).toEqual([true, false]);
    await page.emulateMedia({ forcedColors: "none" });
  });

  test("axe finds nothing on the page that says how to sign in, in both themes", async () => {
    await page.context().clearCookies();
    await page.goto(place.served.url);
    await page.getByRole("heading", { name: "Not signed in" }).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeProblems(page)).toEqual([]);
      const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
      expect(scheme).toBe("light dark");
    }
  });
});
