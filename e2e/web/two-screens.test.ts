/** Two screens of one thread, and a person who is faster than the server. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { WebPlace } from "./web-place.ts";

/** Two images of one point each. */
const PNG: Readonly<Record<string, string>> = {
  "one.png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
  "two.png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC",
};

let place: WebPlace;
const pages: Page[] = [];

beforeAll(async () => {
  place = await WebPlace.open();
});

afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
  place.expectNoProblems();
});

afterAll(() => place.close());

async function open(thread: string): Promise<Page> {
  const page = await place.page(`/t/${thread}`);
  pages.push(page);
  await page.getByRole("article", { name: "Turn #1" }).waitFor();
  return page;
}

async function openSettings(thread: string): Promise<Page> {
  const page = await open(thread);
  await page.getByRole("tab", { name: "Settings", exact: true }).click();
  await page.getByRole("textbox", { name: "Base prompt" }).waitFor();
  return page;
}

test("[S2] [U7] words that are typed into a setting follow those that another screen has typed since", async () => {
  const thread = await place.thread("write a.txt: one");
  const [first, second] = [await openSettings(thread), await openSettings(thread)];
  const field = (page: Page) => page.getByRole("textbox", { name: "Base prompt" });
  const type = async (page: Page, words: string) => {
    await page.bringToFront();
    await field(page).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(words);
  };
  const stored = async () => (await place.served.client().getSettings(thread, {})).base_system_prompt;
  await type(first, "one");
  await expect.poll(() => field(second).inputValue()).toBe("one");
  await type(second, " two");
  await expect.poll(stored).toBe("one two");
  // The first field still has the focus of its own screen.
  await expect.poll(() => field(first).inputValue()).toBe("one two");
  await type(first, " three");
  await expect.poll(stored).toBe("one two three");
  await expect.poll(() => field(second).inputValue()).toBe("one two three");
});

test("[S2] a number that is typed while the one before is saved stays in its field", async () => {
  const thread = await place.thread("write b.txt: one");
  const page = await openSettings(thread);
  const saved = Promise.withResolvers<void>();
  await page.route("**/settings", async (route) => {
    const response = await route.fetch();
    await saved.promise;
    await route.fulfill({ response });
  });
  const field = page.getByRole("spinbutton", { name: "Temperature" });
  const stored = async () => (await place.served.client().getSettings(thread, {})).temperature;
  await field.fill("0.5");
  await field.press("Enter");
  await expect.poll(stored).toBe(0.5);
  await field.fill("0.7");
  const answered = page.waitForResponse(/settings$/);
  saved.resolve();
  await answered;
  await field.press("Enter");
  await expect.poll(stored).toBe(0.7);
  await expect.poll(() => field.inputValue()).toBe("0.7");
});

test("[L12] a prompt that is sent while the past is shown goes on in the present, where its answer is", async () => {
  const thread = await place.thread("write c.txt: one", "write c.txt: two");
  const page = await open(thread);
  await page.getByRole("tab", { name: "History", exact: true }).click();
  await page.getByRole("button", { name: "Show as it was" }).nth(1).click();
  await page.getByTestId("time-travel").getByText("Nothing on disk has changed").waitFor();
  await page.getByRole("textbox", { name: "Prompt" }).fill("write c.txt: three");
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "Turn #3" }).waitFor();
  expect(await page.getByTestId("time-travel").count()).toBe(0);
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await place.turnsEnded(page);
});

test("[S2] an edit whose entry leaves the screen because another screen switches the take is kept, and the page says so", async () => {
  const client = place.served.client();
  const thread = await place.thread("say one", "say two");
  const page = await open(thread);
  const takeOf = async () => (await client.listTakes(thread)).takes.find(({ active }) => active)?.id ?? "";
  const first = await takeOf();
  await page.getByRole("article", { name: /^User #2/ }).focus();
  await page.keyboard.press("e");
  const editor = page.getByRole("textbox", { name: "Text of the entry" });
  await editor.fill("say two, but better");
  const notice = page.locator(".notice").getByText("Your text is kept there").waitFor();
  await client.branch(thread, { entry: "#1" });
  await notice;
  await editor.waitFor({ state: "detached" });
  await client.switchTake(thread, first, {});
  await editor.getByText("say two, but better").waitFor();
});

test("[D3] the list of threads stays where it was scrolled when one of them is opened", async () => {
  const client = place.served.client();
  for (let each = 0; each < 40; each += 1) await client.createThread({ title: `Old thread ${each}` });
  const page = await open(await place.thread("write d.txt: one"));
  const list = page.getByRole("navigation", { name: "Threads" });
  await list.getByText("Old thread 3", { exact: true }).click();
  await page.getByRole("heading", { name: "Old thread 3" }).waitFor();
  await expect.poll(() => list.getByText("Old thread 2", { exact: true }).isVisible()).toBe(true);
  expect(await page.locator(".sidebar-list").evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
});

test("[X3] a path in letters that are written from right to left is shown as it is", async () => {
  const thread = await place.thread("write folder/שלום.txt: one");
  const page = await open(thread);
  await page.getByRole("tab", { name: "Changes", exact: true }).click();
  const row = page.locator("#inspector").getByRole("button", { name: /שלום/ });
  await row.waitFor();
  const [folder, end] = await row.locator("bdi").evaluate((element) => {
    const text = element.firstChild as Text;
    const leftOf = (from: number) => {
      const range = document.createRange();
      range.setStart(text, from);
      range.setEnd(text, from + 1);
      return range.getBoundingClientRect().left;
    };
    return [leftOf(0), leftOf(text.length - 1)];
  });
  expect(end).toBeGreaterThan(folder as number);
});

test("[S2] a number that is refused stays in its field with the reason, until it is another one", async () => {
  const page = await openSettings(await place.thread("write g.txt: one"));
  const field = page.getByRole("spinbutton", { name: "Temperature" });
  const before = await field.inputValue();
  await field.fill("-7");
  await field.press("Enter");
  const reason = page.locator("#inspector").getByRole("alert");
  await reason.waitFor();
  expect(await field.inputValue()).toBe("-7");
  await field.fill("");
  await field.press("Enter");
  await reason.waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe(before);
});

test("[S2] files that are taken out of the working set quickly are all out, and a path that is being typed stays", async () => {
  const thread = await place.thread("write h.txt: one");
  const client = place.served.client();
  await client.changeSettings(thread, { files: ["h.txt", "i.txt"] });
  const page = await open(thread);
  await page.getByRole("tab", { name: "Context", exact: true }).click();
  const files = page.getByRole("list", { name: "Working set" });
  const field = page.getByRole("combobox", { name: "Add to working set" });
  await field.fill("next.txt");
  await files.getByText("i.txt").waitFor();
  // Both presses come before the page hears of the first removal.
  await files.evaluate((list) => {
    for (const button of list.querySelectorAll("button")) button.click();
  });
  await expect.poll(async () => (await client.getSettings(thread)).files).toEqual([]);
  await expect.poll(() => files.getByRole("listitem").count()).toBe(0);
  expect(await field.inputValue()).toBe("next.txt");
});

test("[S2] two images that are taken out quickly are both out", async () => {
  const thread = await place.thread("write e.txt: one");
  const client = place.served.client();
  for (const name of ["one.png", "two.png"]) await client.addScreenshot(thread, { name, content: PNG[name] as string });
  const page = await open(thread);
  const images = page.getByRole("list", { name: "Images that are sent" });
  await images.getByRole("button", { name: "Do not send two.png" }).waitFor();
  // Both presses come before the page hears of the first removal.
  await images.evaluate((list) => {
    for (const button of list.querySelectorAll<HTMLElement>("[aria-label^='Do not send']")) button.click();
  });
  await images.waitFor({ state: "detached" });
  expect((await client.getSettings(thread)).screenshots).toEqual([]);
});

test("[S2] cells of a table, which come as text and as a picture, are pasted as text", async () => {
  const page = await open(await place.thread("write f.txt: one"));
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  const isLeftToField = await prompt.evaluate((field, content) => {
    const data = new DataTransfer();
    data.setData("text/plain", "a\tb");
    data.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], "image.png"));
    return field.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data }));
  }, PNG["one.png"] as string);
  expect(isLeftToField).toBe(true);
  expect(await page.getByRole("list", { name: "Images that are sent" }).count()).toBe(0);
});

test("[D3] the marks of turns are those of the take on the screen, also when another screen deletes the one before", async () => {
  const client = place.served.client();
  const thread = await place.thread("say one", "say two", "say three");
  const { takes } = await client.listTakes(thread);
  await client.branch(thread, { entry: "#1" });
  await place.served.turn(thread, "say another two");
  const other = (await client.listTakes(thread)).takes.find(({ active }) => active);
  const page = await open(thread);
  const marks = page.getByRole("navigation", { name: "Turns" }).getByRole("button");
  await expect.poll(() => marks.count()).toBe(2);
  await client.deleteTake(thread, other?.id ?? "");
  await page.getByRole("tab", { name: takes[0]?.name ?? "", selected: true }).waitFor();
  await expect.poll(() => marks.count()).toBe(3);
});
