/** Markdown on the screen: numbers, boxes, columns and sides. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebPlace } from "./web-place.ts";

const TEXT = `1. first

\`\`\`sh
ls
\`\`\`

2. second

- [ ] an open task
- [x] a finished task

| name | count |
|------|------:|
| workspace | 12 |

- שלום עולם
- two

| one | two | three | four | five | six | seven | eight |
|---|---|---|---|---|---|---|---|
| Zusammenfassung | Arbeitsverzeichnis | Zusammenfassung | Arbeitsverzeichnis | Zusammenfassung | Zusammenfassung | Zusammenfassung | end |
`;

let place: WebPlace;
let page: Page;
beforeAll(async () => {
  place = await WebPlace.open();
  const thread = await place.thread();
  await place.served.client().addEntry(thread, { role: "AI", content: TEXT, read_mode: true });
  page = await place.page(`/t/${thread}`);
  await page.locator(".prose table").first().waitFor();
});
afterAll(async () => {
  place.expectNoProblems();
  await place.close();
});

test("a list goes on with its numbers after a block of code", async () => {
  const second = page.locator(".prose ol").nth(1);
  expect(await second.getAttribute("start")).toBe("2");
});

test("tasks show whether they are done", async () => {
  expect(await page.getByRole("checkbox", { name: "not done" }).isChecked()).toBe(false);
  expect(await page.getByRole("checkbox", { name: "done", exact: true }).isChecked()).toBe(true);
});

test("columns of a table are aligned as their heading says", async () => {
  const side = (text: string) =>
    page.getByRole("cell", { name: text, exact: true }).evaluate((cell) => getComputedStyle(cell).textAlign);
  expect(await side("12")).toMatch(/right$/);
  expect(await side("workspace")).toBe("start");
});

test("bullets stand where the text begins", async () => {
  const list = page.locator(".prose ul").filter({ hasText: "שלום" });
  expect(await list.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
});

test("the words of a wide table stay whole, and the table scrolls instead of the page", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const wide = page.locator(".prose table").last();
  expect(await wide.evaluate((table) => table.scrollWidth > table.clientWidth)).toBe(true);
  const [word, letters] = await wide.evaluate((table) => {
    const range = document.createRange();
    range.selectNodeContents(table.querySelector("td") as Element);
    return [range.getClientRects().length, table.querySelector("td")?.textContent];
  });
  expect([word, letters]).toEqual([1, "Zusammenfassung"]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await wide.focus();
  expect(await wide.evaluate((table) => table === document.activeElement)).toBe(true);
});
