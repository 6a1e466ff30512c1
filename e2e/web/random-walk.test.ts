/**
 * Two browsers and a command line at one thread, in turns, at random: prompts, undo and redo, takes, edits. What a person sees
 * and what lies on disk is the same for all afterwards, and every so often on the way. A page may act on what it has not seen
 * yet: the server refuses that, or it is carried out; both are fine, as long as everyone sees the same.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { amount, seeds } from "../../testing/budget.ts";
import { randomOf } from "../testing/random-of.ts";
import { type Act, actsAt, shownTakes, watchChanges } from "./page-acts.ts";
import { WebPlace } from "./web-place.ts";

const STEPS = amount("steps", 16, 200);
/** Steps after which everyone is compared. */
const STRETCH = 25;
/** How long a page may take to show what the server has; in a long run, waits have no end otherwise. */
const SHOWN = { timeout: 60_000 };

let place: WebPlace;
beforeAll(async () => {
  place = await WebPlace.open();
});
afterAll(() => place?.close());

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
  for (let step = 1; step <= STEPS; step += 1) {
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
    if (step % STRETCH === 0 || step === STEPS) await expectSame(thread, pages, log.join("\n"));
  }
  for (const page of pages) await page.close();
  place.expectNoProblems();
});

/** Compares the pages with a fresh one and with the server, and the files on disk with those of the take that everyone sees. */
async function expectSame(thread: string, pages: readonly Page[], message: string): Promise<void> {
  await place.served.turnsEnded(thread);
  const client = place.served.client();
  const { entries } = await client.listEntries(thread);
  const { takes } = await client.listTakes(thread);
  const fresh = await place.page(`/t/${thread}`);
  const everyone = [...pages, fresh];
  for (const page of everyone) {
    await page.keyboard.press("Escape");
    await expect
      .poll(() => shownTakes(page), { ...SHOWN, message })
      .toEqual(takes.map(({ active }) => active).toSorted());
    if (entries.length > 0) await page.getByRole("feed").press("End");
  }
  const [one, two, three] = await Promise.all(
    everyone.map(async (page) => {
      await expect.poll(() => lastEntry(page), { ...SHOWN, message }).toBe(entries.at(-1)?.id);
      return shownRows(page);
    }),
  );
  expect(one, message).toEqual(three);
  expect(two, message).toEqual(three);
  expect((await client.diffThread(thread, {})).files, message).toEqual([]);
  await fresh.close();
}

/** The id of the last entry on the screen. */
const lastEntry = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll<HTMLElement>("[data-entry]")].at(-1)?.dataset["entry"]);

/** The rows of the screen from the end on, as text; times are the same for all. */
async function shownRows(page: Page): Promise<string[]> {
  const texts = await page.locator("[data-row]").allInnerTexts();
  return texts.slice(-6).map((text) => text.replaceAll(/\s+/g, " "));
}
