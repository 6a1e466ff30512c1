/** Previews: when they come up, when they go, and whose they are. */
import type { Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { WebPlace } from "./web-place.ts";

let place: WebPlace;
let page: Page;
beforeAll(async () => {
  place = await WebPlace.open();
});
afterEach(async () => {
  await page?.close();
  place.expectNoProblems();
});
afterAll(() => place?.close());

const title = () => page.locator("#plan-title");
const counts = () => page.getByTestId("plan-counts");
const row = (name: string | RegExp) => page.getByRole("article", { name });

async function open(thread: string, turns: number): Promise<void> {
  page = await place.page(`/t/${thread}`);
  await row(`Turn #${turns}`).waitFor();
}

async function goTo(name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Threads" }).getByText(name).click();
  await page.getByRole("heading", { name }).waitFor();
}

/** Holds back the answers of undo; `release` lets them through. */
async function holdUndo(): Promise<{ readonly held: () => number; readonly release: () => Promise<void> }> {
  const routes: Route[] = [];
  await page.route("**/undo", (route) => void routes.push(route));
  return {
    held: () => routes.length,
    release: async () => {
      for (const route of routes) {
        const [response] = await Promise.all([page.waitForResponse("**/undo"), route.continue()]);
        await response.finished();
      }
      await page.unroute("**/undo");
      // The page draws what an answer changed in the next frame.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    },
  };
}

test("[U6] a preview is left with its thread, also one that is still asked for", async () => {
  const [first, second] = [await place.thread("write one.txt: 1"), await place.thread("write two.txt: 2")];
  await place.served.client().changeThread(first, { title: "First thread" });
  await place.served.client().changeThread(second, { title: "Second thread" });
  await open(first, 1);
  await page.keyboard.press("Control+Alt+z");
  await counts().getByText("1 turn").waitFor();
  await goTo("Second thread");
  await title().waitFor({ state: "detached" });
  await goTo("First thread");
  // Its own turn, not that of the second thread, which is shown until it is loaded.
  await row("User #1.0").getByText("one.txt").first().waitFor();
  const undo = await holdUndo();
  await page.keyboard.press("Control+Alt+z");
  await expect.poll(undo.held).toBe(1);
  await goTo("Second thread");
  await undo.release();
  expect(await title().count()).toBe(0);
  expect([place.file("one.txt"), place.file("two.txt")]).toEqual(["1", "2"]);
});

test("[U6] what is chosen while the preview is asked for stays chosen", async () => {
  await open(await place.thread("write chosen.txt: 1"), 1);
  const undo = await holdUndo();
  await page.keyboard.press("Control+Alt+z");
  await expect.poll(undo.held).toBe(1);
  const files = page.getByRole("group", { name: "What to take back" }).getByRole("button", { name: "Files" });
  await files.click();
  await expect.poll(undo.held).toBe(2);
  await undo.release();
  await expect.poll(() => counts().innerText()).toBe("1 turn, 1 file");
  expect(await files.getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.press("Escape");
  expect(place.file("chosen.txt")).toBe("1");
});

test("[U6] [X1] a plan that is refused because something changed says so, shows the new plan, and then goes through", async () => {
  await open(await place.thread("write stale1.txt: 1\nwrite stale2.txt: 2"), 1);
  await page.keyboard.press("Control+Alt+z");
  await counts().getByText("2 files").waitFor();
  place.write("stale2.txt", "2\nand mine");
  const apply = page.getByRole("button", { name: /^Undo 1 turn/ });
  await apply.click();
  await page.getByRole("alert").getByText("This is the plan now; nothing was done.").waitFor();
  expect(place.file("stale1.txt")).toBe("1");
  await page
    .getByRole("group", { name: "stale2.txt: which version" })
    .getByRole("button", { name: "Keep mine" })
    .click();
  await apply.click();
  await expect.poll(() => place.file("stale1.txt")).toBeUndefined();
  expect(place.file("stale2.txt")).toBe("2\nand mine");
});

test("[X1] [B7] the active take is deleted by a plan: a file in conflict is decided first", async () => {
  const thread = await place.thread("say hello", "write shared.txt: one");
  await place.served.client().branch(thread, { entry: "#1" });
  await place.thread("write shared.txt: two");
  await open(thread, 1);
  await page.getByRole("tab", { name: "Takes", exact: true }).click();
  const remove = page.getByRole("button", { name: "Delete main_take_1" });
  await remove.click();
  const versions = page.getByRole("group", { name: "shared.txt: which version" });
  await versions.waitFor();
  expect(await title().innerText()).toBe("Delete main_take_1");
  expect(place.file("shared.txt")).toBe("two");
  // Nothing is taken back here.
  await page.getByText("Show the sides").click();
  await page.getByRole("region", { name: "The other version" }).getByText("one").waitFor();
  await versions.getByRole("button", { name: "Take the other" }).click();
  await page.getByRole("button", { name: /^Delete main_take_1/ }).click();
  await title().waitFor({ state: "detached" });
  expect(place.file("shared.txt")).toBe("one");
  await row("Turn #2").waitFor();
  await remove.waitFor({ state: "detached" });
  await page.locator(".notices").getByRole("button", { name: "Undo" }).click();
  await remove.waitFor();
  expect(place.file("shared.txt")).toBe("two");
});

test("[U8] a notice lies over no button of the prompt, however narrow the screen is", async () => {
  const thread = await place.thread("write narrow.txt: 1", "write narrow.txt: 2");
  for (const [width, turns] of [
    [390, 2],
    [1024, 1],
  ] as const) {
    await open(thread, turns);
    await page.setViewportSize({ width, height: 844 });
    await page.getByRole("button", { name: "Undo", exact: true }).first().click();
    const apply = page.getByRole("button", { name: /^Undo 1 turn/ });
    const back = page.getByRole("region", { name: "Undone" }).getByRole("button", { name: "Bring back" });
    await apply.or(back).first().waitFor();
    if (await apply.isVisible()) await apply.click();
    const notice = page.locator(".notice");
    await notice.waitFor();
    await back.waitFor();
    const boxes = await Promise.all([notice.boundingBox(), page.locator(".dock").boundingBox()]);
    const [over, under] = boxes.map((box) => box ?? { y: Number.NaN, height: 0 });
    expect((over?.y ?? 0) + (over?.height ?? 0)).toBeLessThan(under?.y ?? 0);
    await page.close();
  }
});

test("[U6] a preview that is left while it is asked for stays left", async () => {
  await open(await place.thread("write left.txt: 1"), 1);
  for (const leave of [
    () => page.getByRole("button", { name: /^Leave/ }).click(),
    () => page.keyboard.press("Escape"),
  ]) {
    const undo = await holdUndo();
    await page.keyboard.press("Control+Alt+z");
    await counts().getByText("Looking").waitFor();
    await expect.poll(undo.held).toBe(1);
    await leave();
    await title().waitFor({ state: "detached" });
    await undo.release();
    expect(await title().count()).toBe(0);
  }
  expect(place.file("left.txt")).toBe("1");
});

test("[X1] a plan in conflict takes the focus and warns of markers in a result; Escape in a result leaves the field only, then the plan", async () => {
  await open(await place.thread("write both.txt: base", "write both.txt: agent"), 2);
  place.write("both.txt", "user\n");
  await page.getByRole("textbox", { name: "Prompt" }).focus();
  await page.keyboard.press("Control+Alt+z");
  await page.getByText("0 of 1 decided").waitFor();
  await expect.poll(() => title().evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByText("Show the sides").click();
  const result = page.getByRole("textbox", { name: "Result for both.txt" });
  const markers = page.getByText("the file gets the markers too");
  await markers.waitFor();
  await result.fill("written by hand\n");
  await markers.waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  expect(await title().evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await result.inputValue()).toBe("written by hand\n");
  await page.keyboard.press("Escape");
  await title().waitFor({ state: "detached" });
  expect(place.file("both.txt")).toBe("user\n");
});

const choice = (name: string, use: string) =>
  page.getByRole("group", { name: `${name}: which version` }).getByRole("button", { name: use });
const changedSince = () => page.getByText("It changed after your decision");

test("[X1] [U6] a file that changes on disk after its decision is not overwritten: it is decided again, and others stay decided", async () => {
  await open(
    await place.thread("write a1.txt: base\nwrite a2.txt: base", "write a1.txt: agent\nwrite a2.txt: agent"),
    2,
  );
  for (const name of ["a1.txt", "a2.txt"]) place.write(name, "user\n");
  await page.keyboard.press("Control+Alt+z");
  await page.getByText("0 of 2 decided").waitFor();
  // The preview is wide, and the name of the take beside it is whole.
  const take = page.getByRole("tab", { name: "main", exact: true }).locator("span");
  expect(await take.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // Each decision looks at the files once more: what is written below must come after that.
  for (const name of ["a1.txt", "a2.txt"])
    await Promise.all([page.waitForResponse(/\/undo$/), choice(name, "Take back").click()]);
  const apply = page.getByRole("button", { name: /^Undo 1 turn/, disabled: false });
  await apply.waitFor();
  place.write("a1.txt", "user\nand an hour of work\n");
  await apply.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("This is the plan now; nothing was done.").waitFor();
  await changedSince().waitFor();
  await page.getByText("1 of 2 decided").waitFor();
  expect([place.file("a1.txt"), place.file("a2.txt")]).toEqual(["user\nand an hour of work\n", "user\n"]);
  // A decision about one file looks at the others, too.
  await choice("a1.txt", "Keep mine").click();
  await changedSince().waitFor({ state: "detached" });
  await apply.waitFor();
  place.write("a1.txt", "user\nand two hours of work\n");
  await choice("a2.txt", "Take back").click();
  await changedSince().waitFor();
  await choice("a1.txt", "Keep mine").click();
  await apply.click();
  await expect.poll(() => place.file("a2.txt")).toBe("base");
  expect(place.file("a1.txt")).toBe("user\nand two hours of work\n");
});

test("[X1] a result that is written by hand comes back after sides were chosen, after the file changed, and after the plan was left", async () => {
  await open(await place.thread("write hand.txt: base", "write hand.txt: agent"), 2);
  place.write("hand.txt", "user\n");
  const result = page.getByRole("textbox", { name: "Result for hand.txt" });
  const ask = async () => {
    await page.keyboard.press("Control+Alt+z");
    await page.getByText("0 of 1 decided").waitFor();
    await page.getByText("Show the sides").click();
  };
  const side = (name: string) =>
    page.getByRole("group", { name: "Overlap 1 of 1" }).getByRole("button", { name }).click();
  const bringBack = (name: string) => page.getByRole("button", { name, exact: true }).click();
  await ask();
  await result.fill("first by hand\n");
  await side("Taken back");
  await expect.poll(() => result.inputValue()).toBe("base");
  await result.fill("second by hand\n");
  await side("Mine");
  await expect.poll(() => result.inputValue()).toBe("user\n");
  await bringBack("Your text 1");
  await expect.poll(() => result.inputValue()).toBe("first by hand\n");
  await bringBack("Your text 2");
  await expect.poll(() => result.inputValue()).toBe("second by hand\n");
  await title().focus();
  await page.keyboard.press("Escape");
  await title().waitFor({ state: "detached" });
  await ask();
  await expect.poll(() => result.inputValue()).toBe("second by hand\n");
  place.write("hand.txt", "user again\n");
  await choice("hand.txt", "Keep mine").click();
  await changedSince().waitFor();
  await expect.poll(() => result.inputValue()).toContain("user again\n");
  await bringBack("Your text 2");
  await page.getByRole("button", { name: "Use this result" }).click();
  await page.getByRole("button", { name: /^Undo 1 turn/ }).click();
  await expect.poll(() => place.file("hand.txt")).toBe("second by hand\n");
});

test("[X1] an entry in conflict shows both texts and is decided like a file", async () => {
  const thread = await place.thread("say hello");
  const client = place.served.client();
  const [first] = (await client.listEntries(thread)).entries;
  await client.editEntry(thread, first?.id ?? "", { content: "first edit" });
  await client.editEntry(thread, first?.id ?? "", { content: "second edit" });
  await open(thread, 1);
  await page.getByRole("tab", { name: "History", exact: true }).click();
  await page.getByRole("button", { name: "Take back only this" }).nth(1).click();
  await page.getByText("0 of 1 decided").waitFor();
  await page.getByText("Show the sides").click();
  await page.getByRole("region", { name: "Yours now" }).getByText("second edit").waitFor();
  await page.getByRole("region", { name: "After it is taken back" }).getByText("say hello").waitFor();
  await page
    .getByRole("group", { name: /which version$/ })
    .getByRole("button", { name: "Take back" })
    .click();
  await page.locator(".inspector footer .button.primary:enabled").click();
  await title().waitFor({ state: "detached" });
  expect((await client.listEntries(thread)).entries[0]?.content).toBe("say hello");
});

test("[L12] Escape on a preview of the past leaves the preview, and the next one leaves the past", async () => {
  await open(await place.thread("write past.txt: 1", "write past.txt: 2"), 2);
  await page.getByRole("tab", { name: "History", exact: true }).click();
  await page.getByRole("button", { name: "Show as it was" }).nth(1).click();
  const past = page.getByTestId("time-travel");
  for (const focus of ["the plan", "the past"]) {
    await past.getByRole("button", { name: "Go here" }).click();
    await page.getByRole("button", { name: /^Go to/ }).waitFor();
    if (focus === "the past") await past.getByRole("button", { name: "Go here" }).focus();
    await page.keyboard.press("Escape");
    await title().waitFor({ state: "detached" });
    expect(await past.count()).toBe(1);
  }
  await page.keyboard.press("Escape");
  await past.waitFor({ state: "detached" });
  expect(place.file("past.txt")).toBe("2");
});

test("[U6] on a narrow screen a preview is put aside for the conversation and comes back as it was; another tab leaves it", async () => {
  await open(await place.thread("write narrow.txt: base", "write narrow.txt: agent"), 2);
  await page.setViewportSize({ width: 390, height: 844 });
  place.write("narrow.txt", "user\n");
  const tab = (name: string) => page.getByRole("navigation", { name: "Places" }).getByRole("button", { name });
  const isOnTop = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
  await page.getByRole("button", { name: "Undo to before #2" }).click();
  await page.getByText("0 of 1 decided").waitFor();
  await page.getByText("Show the sides").click();
  const result = page.getByRole("textbox", { name: "Result for narrow.txt" });
  await result.fill("written by hand\n");
  await tab("Talk").click();
  await result.waitFor({ state: "hidden" });
  expect([await isOnTop(".transcript"), await tab("Talk").getAttribute("aria-current")]).toEqual([true, "page"]);
  await page.getByRole("button", { name: "Back to preview" }).click();
  await expect.poll(() => title().evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await result.inputValue()).toBe("written by hand\n");
  await tab("History").click();
  await page.getByRole("list", { name: "Steps" }).waitFor();
  expect([await title().count(), await isOnTop("#inspector-panel")]).toEqual([0, true]);
  expect(place.file("narrow.txt")).toBe("user\n");
});

test("[U1] undo to before a turn takes back that turn, also after a step that changed the thread as a whole", async () => {
  const thread = await place.thread("write x.txt: 1", "write y.txt: 2", "write z.txt: 3");
  await place.served.client().revert(thread, { turn: "#2" });
  await open(thread, 3);
  await page.getByRole("button", { name: "Undo to before #1" }).click();
  await counts().getByText("turn").waitFor();
  await page.locator(".inspector footer .button.primary").click();
  await expect.poll(() => ["x.txt", "y.txt", "z.txt"].filter((name) => place.file(name) !== undefined)).toEqual([]);
  await row("Turn #1").waitFor({ state: "detached" });
});

test("[U1] undo to before a turn reaches further back than the changes that the page has", async () => {
  const thread = await place.thread("write far.txt: 1");
  for (let count = 0; count < 60; count += 1)
    await place.served.client().addEntry(thread, { role: "User", content: `by hand ${count}` });
  page = await place.page(`/t/${thread}`);
  await page.getByText("by hand 59").first().waitFor();
  await page.getByRole("feed").focus();
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Undo to before #1" }).click();
  await counts().getByText("1 turn").waitFor();
});

test("[X3] [U6] hunks that were selected stay selected when the preview is left", async () => {
  const numbers = Array.from({ length: 30 }, (_, index) => `${index}`).join("\n");
  const thread = await place.thread();
  place.write("hunks.txt", numbers);
  await place.served.turn(thread, "run sed -i -e s/^5$/five/ -e s/^25$/many/ hunks.txt");
  place.write("hunks.txt", numbers.replace("\n5\n", "\nmine\n").replace("\n25\n", "\nmany\n"));
  await open(thread, 1);
  await page.getByRole("tab", { name: "Changes", exact: true }).click();
  for (const hunk of [1, 2]) await page.getByRole("checkbox", { name: `Select hunk ${hunk}` }).click();
  const take = page.getByRole("button", { name: "Take back 2 hunks" });
  await take.click();
  await page.getByText("0 of 1 decided").waitFor();
  await page.keyboard.press("Escape");
  await title().waitFor({ state: "detached" });
  await take.waitFor();
});
