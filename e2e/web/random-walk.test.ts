/**
 * Two browsers and a command line at one thread, in turns, at random: prompts, undo and redo, takes, edits. What a person sees
 * and what lies on disk is the same for all afterwards. A page may act on what it has not seen yet: the server refuses that, or
 * it is carried out; both are fine, as long as everyone sees the same.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { amount, seeds } from "../../testing/budget.ts";
import { randomOf } from "../testing/random-of.ts";
import { WebPlace } from "./web-place.ts";

const STEPS = amount("steps", 16, 200);

let place: WebPlace;
beforeAll(async () => {
  place = await WebPlace.open();
});
afterAll(() => place?.close());

/** Waits until a page has asked for nothing that changes anything, twice in a row: a dry run is followed by what it was for. */
function watchChanges(page: Page): () => Promise<void> {
  const open = new Set<object>();
  page.on("request", (request) => request.method() !== "GET" && open.add(request));
  for (const end of ["requestfinished", "requestfailed"] as const)
    page.on(end as "requestfinished", (each) => open.delete(each));
  return async () => {
    let quiet = 0;
    await expect
      .poll(() => {
        quiet = open.size === 0 ? quiet + 1 : 0;
        return quiet;
      })
      .toBeGreaterThan(2);
  };
}

type Act = (choose: (count: number) => number) => Promise<unknown>;

/** The things that a person does at a page. A preview that comes up is carried out where it can be, and left where it cannot. */
function actsAt(page: Page): Readonly<Record<string, Act>> {
  const rows = page.locator("[data-row]");
  const decide = async () => {
    const plan = page.getByText("Preview: nothing has changed yet");
    await page.waitForTimeout(50);
    if (!(await plan.isVisible())) return;
    const apply = page.locator(".inspector footer .button.primary");
    await expect
      .poll(async () => !(await plan.isVisible()) || !(await page.getByText("Looking …").isVisible()))
      .toBe(true);
    if ((await apply.isVisible()) && (await apply.isEnabled())) await apply.click();
    else if (await plan.isVisible()) await page.keyboard.press("Escape");
    await plan.waitFor({ state: "detached" }).catch(() => page.keyboard.press("Escape"));
  };
  const click = async (name: string) => {
    const button = page.getByRole("button", { name, exact: true }).first();
    if ((await button.count()) === 0 || !(await button.isEnabled())) return;
    await button.click();
    await decide();
  };
  const onRow = async (choose: (count: number) => number, key: string) => {
    const count = await rows.count();
    if (count === 0) return;
    await rows.nth(choose(count)).focus({ timeout: 1000 });
    await page.keyboard.press(key);
    await decide();
  };
  return {
    prompt: async (choose) => {
      const field = page.getByRole("textbox", { name: "Prompt" });
      await field.fill(`append walk-${choose(4)}.txt: from a page ${choose(1000)}`);
      await field.press("Enter");
    },
    undo: () => click("Undo"),
    redo: () => click("Redo"),
    step: async () => {
      await page.getByRole("feed").focus({ timeout: 1000 });
      await page.keyboard.press("Control+z");
      await decide();
    },
    branch: (choose) => onRow(choose, "b"),
    "take back": (choose) => onRow(choose, "x"),
    collapse: (choose) => onRow(choose, "c"),
    switch: async (choose) => {
      const tabs = page.getByRole("tablist", { name: "Takes" }).getByRole("tab");
      await tabs.nth(choose(await tabs.count())).click();
      await decide();
    },
  };
}

const COMMANDS: readonly ((choose: (count: number) => number) => string[])[] = [
  (choose) => ["run", "--yes", `append walk-${choose(4)}.txt: from a terminal ${choose(1000)}`],
  () => ["undo"],
  () => ["redo"],
  () => ["undo", "--step"],
  (choose) => ["insert", "--content", `a remark ${choose(1000)}`],
];

test.each(seeds(1))("[U7] [S5] two browsers and a terminal see the same after a walk from seed %i", async (seed) => {
  const random = randomOf(seed);
  const choose = (count: number) => Math.floor(random() * count);
  const thread = await place.thread("write walk-0.txt: the beginning");
  const pages = [await place.page(`/t/${thread}`), await place.pageElsewhere(`/t/${thread}`)];
  for (const page of pages) await page.getByRole("article", { name: "Turn #1" }).waitFor();
  const changesEnded = pages.map(watchChanges);
  const log: string[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const who = choose(3);
    const page = pages[who];
    if (page) {
      const acts = Object.entries(actsAt(page));
      const [name, act] = acts[choose(acts.length)] as [string, Act];
      log.push(`page ${who}: ${name}`);
      // A row that goes while it is acted on is no failure: the others act too.
      await act(choose).catch((error: Error) => log.push(error.message.split("\n")[0] as string));
      await changesEnded[who]?.();
    } else {
      const args = (COMMANDS[choose(COMMANDS.length)] as (typeof COMMANDS)[number])(choose);
      log.push(`terminal: ${args.join(" ")}`);
      const { status, stderr } = await place.served.place.spawnBeside([...args, "--thread", thread]);
      expect([0, 1, 3, 4, 5], `${log.join("\n")}\n${stderr}`).toContain(status);
    }
  }
  await place.served.turnsEnded(thread);
  const client = place.served.client();
  const { entries } = await client.listEntries(thread);
  const { takes } = await client.listTakes(thread);
  const fresh = await place.page(`/t/${thread}`);
  const everyone = [...pages, fresh];
  for (const page of everyone) {
    await page.keyboard.press("Escape");
    await expect
      .poll(() => shownTakes(page), { message: log.join("\n") })
      .toEqual(takes.map(({ active }) => active).toSorted());
    if (entries.length > 0) await page.getByRole("feed").press("End");
  }
  const [one, two, three] = await Promise.all(
    everyone.map(async (page) => {
      await expect.poll(() => lastEntry(page), { message: log.join("\n") }).toBe(entries.at(-1)?.id);
      return shownRows(page);
    }),
  );
  expect(one, log.join("\n")).toEqual(three);
  expect(two, log.join("\n")).toEqual(three);
  // The files on disk are those of the take that everyone sees.
  expect((await client.diffThread(thread, {})).files, log.join("\n")).toEqual([]);
  for (const page of everyone) await page.close();
  place.expectNoProblems();
});

async function shownTakes(page: Page): Promise<boolean[]> {
  const tabs = page.getByRole("tablist", { name: "Takes" }).getByRole("tab");
  const selected = await tabs.evaluateAll((list) => list.map((tab) => tab.ariaSelected === "true"));
  return selected.toSorted();
}

/** The id of the last entry on the screen. */
const lastEntry = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll<HTMLElement>("[data-entry]")].at(-1)?.dataset["entry"]);

/** The rows of the screen from the end on, as text; times are the same for all. */
async function shownRows(page: Page): Promise<string[]> {
  const texts = await page.locator("[data-row]").allInnerTexts();
  return texts.slice(-6).map((text) => text.replaceAll(/\s+/g, " "));
}
