/** Words and names that are longer than any screen, and letters that are written from right to left. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebPlace } from "./web-place.ts";

const WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen".repeat(2);
const HEBREW = "שלום עולם";

let place: WebPlace;
let page: Page;
let talk: string;
let asking: string;
let fought: string;
beforeAll(async () => {
  place = await WebPlace.open();
  const client = place.served.client();
  talk = await place.thread("say one", "say two");
  await client.changeThread(talk, { title: WORD, tags: [WORD.slice(0, 90)] });
  const own = (await client.listTakes(talk)).takes[0]?.id ?? "";
  for (const count of [1, 2, 3]) {
    await client.branch(talk, { entry: "#1" });
    const made = (await client.listTakes(talk)).takes.find(({ active }) => active);
    await client.renameTake(talk, made?.id ?? "", { name: `${count}${WORD}` });
  }
  await client.switchTake(talk, own);
  await client.addEntry(talk, { role: "User", content: `${HEBREW}\n\nin English` });
  await client.addEntry(talk, { role: "AI", content: `${HEBREW} ${WORD}`, read_mode: true });
  fought = await apart("say hello", "write fought.txt: one");
  const { take } = await client.branch(fought, { entry: "#1" });
  await client.renameTake(fought, take?.id ?? "", { name: WORD });
  await apart("write fought.txt: two");
  asking = await place.thread();
  await client.startTurn(asking, { prompt: `run git push ${WORD}` });
});
/** A thread in another directory: a turn that waits for an answer would be in its way. */
async function apart(...prompts: readonly string[]): Promise<string> {
  const workspace_root = join(dirname(place.served.place.root), "apart");
  mkdirSync(workspace_root, { recursive: true });
  const { thread } = await place.served.client().createThread({ workspace_root });
  for (const prompt of prompts) await place.served.turn(thread.id, prompt);
  return thread.id;
}

afterEach(async () => {
  await page?.close();
  place.expectNoProblems();
});
afterAll(() => place?.close());

/** Whether an element is inside of another, as far as sides go. A list that scrolls stops at whole pixels. */
const fits = (inner: Locator, outer: string) =>
  inner.evaluate((element, selector) => {
    const box = element.getBoundingClientRect();
    const frame = element.closest(selector)?.getBoundingClientRect();
    return frame !== undefined && box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.width > 0;
  }, outer);
/** How far the first letters of an element are from its left and right side. */
const sides = (element: Locator) =>
  element.evaluate((block) => {
    const text = document.createTreeWalker(block, NodeFilter.SHOW_TEXT).nextNode() as Text;
    const range = document.createRange();
    range.setStart(text, 0);
    range.setEnd(text, 4);
    const [letters, box] = [range.getBoundingClientRect(), block.getBoundingClientRect()];
    return { left: letters.left - box.left, right: box.right - letters.right };
  });

describe.each([1440, 1024, 720, 390])("at %d pixels", (width) => {
  const open = async (address: string) => {
    page = await place.page(address);
    await page.setViewportSize({ width, height: 844 });
  };

  test("[X8] a question shows all of the rule that would be allowed for ever", async () => {
    await open(`/t/${asking}`);
    const always = page.getByRole("button", { name: /^Always allow/ });
    await always.waitFor();
    expect(await fits(always, ".approval")).toBe(true);
    expect(await always.evaluate((button) => button.scrollWidth <= button.clientWidth)).toBe(true);
  });

  test("[D3] the active take is in sight beside takes with long names", async () => {
    await open(`/t/${talk}`);
    const active = page.getByRole("tab", { name: "main", exact: true, selected: true });
    await active.waitFor();
    await expect.poll(() => fits(active, ".takes")).toBe(true);
    expect(await active.locator("span").evaluate((name) => name.scrollWidth <= name.clientWidth)).toBe(true);
  });

  test("[U6] a preview shows all of its title, and its buttons", async () => {
    await open(`/t/${fought}`);
    await page.getByRole("button", { name: `More for take ${WORD}` }).click();
    await page.getByRole("menuitem", { name: "Delete take" }).click();
    await page.getByText("0 of 1 decided").waitFor();
    expect(await page.getByTestId("plan-counts").innerText()).toBe("1 conflict");
    expect(await page.locator("#plan-title").evaluate((title) => title.scrollWidth <= title.clientWidth)).toBe(true);
    for (const key of ["Esc", "⏎"])
      expect(await fits(page.locator(".inspector footer kbd", { hasText: key }), ".inspector")).toBe(true);
  });

  test("[D3] a long tag stays in the list of threads, and what is found in the list of results", async () => {
    await open("/search?q=Donau");
    await page.getByRole("list", { name: "Results" }).getByRole("link").first().waitFor();
    const isWhole = page.locator(".search-results").evaluate((list) => list.scrollWidth <= list.clientWidth);
    expect(await isWhole).toBe(true);
    await page.goto(`${place.served.url}/t/${talk}`);
    if (width < 1100) await page.getByRole("button", { name: "Show the threads" }).click();
    expect(await fits(page.locator(".thread .badge").filter({ hasText: "Donau" }), ".thread")).toBe(true);
  });

  test("a paragraph begins on the side of its own letters", async () => {
    await open(`/t/${talk}`);
    const answer = page.locator(".entry.ai .prose p").filter({ hasText: HEBREW });
    const { left, right } = await sides(answer);
    expect(right).toBeLessThan(4);
    expect(left).toBeGreaterThan(100);
    const field = page.getByRole("textbox", { name: "Prompt" });
    const bidi = () => field.evaluate((element) => getComputedStyle(element).unicodeBidi);
    await field.fill(HEBREW);
    await expect.poll(bidi).toBe("plaintext");
    // Browsers take minutes for it where a paragraph has megabytes.
    await field.fill("only from the left");
    await expect.poll(bidi).toBe("normal");
    await field.fill("");
  });
});
