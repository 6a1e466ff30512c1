/**
 * The web UI, used as a person uses it: a real Chromium, the built package, a real server and workspace. One browser for
 * all flows; every flow has its own thread and files.
 */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebPlace } from "./web-place.ts";

let place: WebPlace;
let page: Page;
beforeAll(async () => {
  place = await WebPlace.open();
  await place.served.client().changeApprovals({ add: { tool: "bash", command: "sleep *", decision: "allow" } });
});
afterEach(async () => {
  await page?.close();
  // Turns of one directory wait for each other.
  await place.served.client().stopTurns({});
  place.expectNoProblems();
});
afterAll(() => place?.close());

const prompt = () => page.getByRole("textbox", { name: "Prompt" });
const status = (text: string | RegExp) => page.getByTestId("status").getByText(text).waitFor();
const row = (name: string | RegExp) => page.getByRole("article", { name });

async function send(text: string): Promise<void> {
  await prompt().fill(text);
  await prompt().press("Enter");
}

describe("prompts", () => {
  test("[S5] [U1] a prompt is answered, undo takes conversation and file back, redo returns both", async () => {
    page = await place.page();
    await page.getByRole("button", { name: "New thread" }).click();
    await send("write notes.txt: first idea");
    await status("Done: 1 file changed");
    expect(place.file("notes.txt")).toContain("first idea");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect.poll(() => place.file("notes.txt")).toBeUndefined();
    // U3: the prompt is the draft again.
    await expect.poll(() => prompt().inputValue()).toBe("write notes.txt: first idea");
    await page.getByRole("region", { name: "Undone" }).getByRole("button", { name: "Bring back" }).click();
    await expect.poll(() => place.file("notes.txt")).toContain("first idea");
    await row(/^User #1/).waitFor();
  });

  test("[S2] [S9] the draft is a record: it survives a reload and reaches another window", async () => {
    const thread = await place.thread("write draft.txt: x");
    page = await place.page(`/t/${thread}`);
    await prompt().fill("half a thought");
    await expect.poll(async () => (await place.served.client().getSettings(thread)).draft).toBe("half a thought");
    const other = await place.page(`/t/${thread}`);
    await expect.poll(() => other.getByRole("textbox", { name: "Prompt" }).inputValue()).toBe("half a thought");
    await other.close();
    await page.reload();
    await expect.poll(() => prompt().inputValue()).toBe("half a thought");
  });
});

test("a command that failed shows the end of its output, which says why", async () => {
  const thread = await place.thread("run seq 100 140; echo the reason; exit 3");
  page = await place.page(`/t/${thread}`);
  await page.getByText("I could not run").waitFor();
  await page.getByRole("feed").focus();
  await page.keyboard.press("Home");
  const output = row(/^Tool bash/).locator(".output");
  await output.getByText("the reason").waitFor();
  expect(await output.innerText()).not.toContain("100");
  await page.getByRole("button", { name: /^Show all \d+ lines/ }).click();
  await expect.poll(() => output.innerText()).toContain("100");
});

describe("taking back", () => {
  test("[X3] one turn in the middle is taken back alone, by keyboard", async () => {
    page = await place.page(`/t/${await place.thread("write one.txt: 1", "write two.txt: 2", "write three.txt: 3")}`);
    await row("Turn #3").waitFor();
    await page.locator("[role=feed]").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("g");
    await page.keyboard.press("Shift+J");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Turn #2");
    await page.keyboard.press("x");
    await page.getByRole("button", { name: /^Take back #2/ }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("Take back #2");
    await page.keyboard.press("Enter");
    await expect.poll(() => place.file("two.txt")).toBeUndefined();
    expect([place.file("one.txt"), place.file("three.txt")]).toEqual([
      expect.stringContaining("1"),
      expect.stringContaining("3"),
    ]);
  });

  test("[S4] Ctrl+Z takes back the last step and Ctrl+Y returns it, outside of text fields", async () => {
    const thread = await place.thread("write step.txt: 1");
    page = await place.page(`/t/${thread}`);
    await row(/^AI/).first().waitFor();
    await page
      .getByRole("button", { name: /^Role: User/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "System" }).click();
    await row(/^System #1.0/).waitFor();
    await page.locator("[role=feed]").focus();
    await page.keyboard.press("Control+z");
    await row(/^User #1.0/).waitFor();
    await page.keyboard.press("Control+y");
    await row(/^System #1.0/).waitFor();
  });
});

describe("the button of a notice", () => {
  const notice = (text: RegExp) => page.locator(".notice").filter({ hasText: text });
  /** Waits for a notice and keeps it on the screen, however slow the machine is. */
  const held = (text: RegExp) => notice(text).dispatchEvent("pointerover");
  const prompts = async (thread: string) =>
    (await place.served.client().listEntries(thread, { role: "User" })).entries.map(({ content }) => content);
  const remove = async (name: RegExp) => {
    await row(name).focus();
    await page.keyboard.press("d");
  };

  test("[S4] [X3] takes back the step that the notice names, also after a later step and with words in the prompt", async () => {
    const thread = await place.thread("say first", "say second");
    page = await place.page(`/t/${thread}`);
    await remove(/^User #1/);
    await held(/"say first"/);
    await remove(/^User #2/);
    await held(/"say second"/);
    await notice(/^Remove User entry "say first"/)
      .getByRole("button", { name: "Undo" })
      .click();
    await expect.poll(() => prompts(thread)).toEqual(["say first"]);
    await prompt().fill("a thought");
    await expect.poll(async () => (await place.served.client().getSettings(thread)).draft).toBe("a thought");
    await notice(/^Remove User entry "say second"/)
      .getByRole("button", { name: "Undo" })
      .click();
    await expect.poll(() => prompts(thread)).toEqual(["say first", "say second"]);
    expect(await prompt().inputValue()).toBe("a thought");
  });

  test("[U6] [S4] brings back what its undo took, also after a later one", async () => {
    const thread = await place.thread("write back1.txt: 1", "write back2.txt: 2");
    page = await place.page(`/t/${thread}`);
    await row("Turn #2").waitFor();
    const undo = page.getByRole("button", { name: "Undo", exact: true }).first();
    await undo.click();
    await held(/back2/);
    await undo.click();
    await held(/back1/);
    await notice(/back2/).getByRole("button", { name: "Bring back" }).click();
    await expect.poll(() => place.file("back2.txt")).toBe("2");
    expect(place.file("back1.txt")).toBeUndefined();
  });

  test("[U5] takes back the half of a turn that a redo brought back, and not the turn", async () => {
    const thread = await place.thread("write half.txt: 1");
    await place.served.client().undo(thread, { scope: "files" });
    page = await place.page(`/t/${thread}`);
    await page.getByRole("region", { name: "Undone" }).getByRole("button", { name: "Bring back" }).click();
    await expect.poll(() => place.file("half.txt")).toBe("1");
    await notice(/^Redo: .*half/)
      .getByRole("button", { name: "Undo" })
      .click();
    await expect.poll(() => place.file("half.txt")).toBeUndefined();
    expect(await prompts(thread)).toEqual(["write half.txt: 1"]);
  });
});

describe("entries and takes", () => {
  test("[A1] [X7] an entry is edited in place; the line below says what the edit costs; Escape loses nothing", async () => {
    const thread = await place.thread("Say hello", "Say more");
    page = await place.page(`/t/${thread}`);
    await row(/^AI #1/)
      .first()
      .focus();
    await page.keyboard.press("e");
    const editor = page.getByRole("textbox", { name: "Text of the entry" });
    await editor.waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Another answer");
    await page.getByText(/must be sent again/).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Go on editing" }).click();
    await editor.getByText("Another answer").waitFor();
    await editor.press("Control+Enter");
    await editor.waitFor({ state: "detached" });
    const { entries } = await place.served.client().listEntries(thread);
    expect(entries[1]?.content).toBe("Another answer");
  });

  test("[A1] [S9] an edit that is left stays with its entry, also when another is edited and after a reload, until it is discarded", async () => {
    const thread = await place.thread("Say hello", "Say more");
    page = await place.page(`/t/${thread}`);
    const editor = page.getByRole("textbox", { name: "Text of the entry" });
    const edit = (name: string) => row(name).getByRole("button", { name: /^Edit entry/ });
    const goOn = (name: string) => row(name).getByRole("button", { name: "Go on editing" });
    await edit("User #1.0").click();
    await editor.getByText("Say hello").waitFor();
    await page.keyboard.type(" and goodbye");
    await edit("User #2.0").click();
    await editor.getByText("Say more").waitFor();
    await page.keyboard.type(" and less");
    await page.keyboard.press("Escape");
    await editor.waitFor({ state: "detached" });
    await goOn("User #2.0").waitFor();
    await page.reload();
    await goOn("User #1.0").click();
    await editor.getByText("Say hello and goodbye").waitFor();
    await editor.press("Control+Enter");
    await editor.waitFor({ state: "detached" });
    expect(await goOn("User #1.0").count()).toBe(0);
    expect((await place.served.client().listEntries(thread)).entries[0]?.content).toBe("Say hello and goodbye");
    await row("User #2.0").getByRole("button", { name: "Discard" }).click();
    await goOn("User #2.0").waitFor({ state: "detached" });
    await edit("User #2.0").click();
    await expect.poll(() => editor.innerText()).toBe("Say more");
  });

  test("[A1] a press on a button meets it while the list scrolls and the thread grows, and someone who edits stays there", async () => {
    const thread = await place.thread("Say hello", "Say more");
    page = await place.page(`/t/${thread}`);
    await row(/^AI #2/).waitFor();
    const feed = page.getByRole("feed");
    const frames = () =>
      page.evaluate(async () => {
        for (let count = 0; count < 4; count += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      });
    const grow = async () => {
      const height = await feed.evaluate((list) => list.scrollHeight);
      await place.served.client().addEntry(thread, { role: "User", content: "late\n\n".repeat(9) });
      await expect.poll(() => feed.evaluate((list) => list.scrollHeight)).toBeGreaterThan(height);
      await frames();
    };
    const edit = row("User #2.0").getByRole("button", { name: /^Edit entry/ });
    await edit.hover();
    const isHit = await edit.evaluate(async (button) => {
      const list = button.closest(".transcript") as Element;
      const hits: boolean[] = [];
      for (let count = 0; count < 6; count += 1) {
        list.scrollTop -= 2;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const { x, y, width, height } = button.getBoundingClientRect();
        hits.push(button.contains(document.elementFromPoint(x + width / 2, y + height / 2)));
      }
      return hits.every(Boolean);
    });
    expect(isHit).toBe(true);
    await edit.hover();
    await page.mouse.down();
    await grow();
    await page.mouse.up();
    await page.getByRole("textbox", { name: "Text of the entry" }).waitFor();
    await frames();
    const leave = page.getByRole("button", { name: /^Leave/ });
    const before = await leave.boundingBox();
    expect(before && before.y + before.height).toBeLessThan(900);
    await grow();
    expect(await leave.boundingBox()).toEqual(before);
  });

  test("[X6] the take that is chosen last is the active one, also while the page still shows the one before", async () => {
    const thread = await place.thread("write early.txt: 1", "write late.txt: 2");
    await place.served.client().branch(thread, { entry: "#1" });
    page = await place.page(`/t/${thread}`);
    const take = (name: string, selected: boolean) =>
      page.getByRole("tablist", { name: "Takes" }).getByRole("tab", { name, exact: true, selected });
    const version = async () => (await place.served.client().getThread(thread)).version;
    const before = await version();
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route("**/switch", async (route) => {
      asked.resolve();
      await held.promise;
      await route.continue();
    });
    await take("main", false).click();
    await asked.promise;
    await take("main_take_1", true).click();
    held.resolve();
    await expect.poll(version).toBe(before + 2);
    await take("main_take_1", true).waitFor();
    await expect.poll(() => place.file("late.txt")).toBeUndefined();
    // A choice of the active take changes nothing, and is no error.
    const answered = page.waitForResponse(/\/switch$/);
    await take("main_take_1", true).click();
    await answered;
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await version()).toBe(before + 2);
  });
});

describe("keys", () => {
  test("[S5] a command gets another key, a taken one is refused, and single letters are switched off", async () => {
    page = await place.page(`/t/${await place.thread("Say hello", "Say more")}`);
    await row("Turn #2").waitFor();
    const dialog = page.getByRole("dialog", { name: "Keys" });
    await page.getByRole("button", { name: /^Keys/ }).click();
    await dialog.getByRole("button", { name: /^Takes: t\./ }).click();
    await page.keyboard.press("x");
    await dialog.getByRole("alert").getByText("x is taken").waitFor();
    await page.keyboard.press("q");
    await dialog.getByRole("button", { name: /^Takes: q\./ }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.reload();
    await row("Turn #2").waitFor();
    await page.getByRole("feed").focus();
    await page.keyboard.press("q");
    await page.getByRole("tab", { name: "Takes", exact: true, selected: true }).waitFor();
    await page.getByRole("button", { name: /^Keys/ }).click();
    await dialog.getByRole("checkbox", { name: "Single letters are commands" }).click();
    await dialog.getByRole("button", { name: /^History: no key/ }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("feed").focus();
    await page.keyboard.press("h");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "All commands" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Takes", exact: true, selected: true }).waitFor();
    await page.getByRole("button", { name: /^Keys/ }).click();
    await dialog.getByRole("button", { name: "Reset all" }).click();
    await dialog.getByRole("button", { name: /^Takes: t\./ }).waitFor();
  });
});

describe("finding", () => {
  test("[L11] a thread is found by its words and opened at the entry; the palette runs commands by keyboard", async () => {
    const thread = await place.thread("Tell me about marmalade");
    page = await place.page(`/t/${await place.thread("Say hello")}`);
    await row(/^User #1/).waitFor();
    await page.keyboard.press("Control+Shift+f");
    await page.locator("input:focus").waitFor();
    await page.keyboard.type("marmalade");
    await page
      .getByRole("list", { name: "Found" })
      .getByRole("link", { name: /marmalade/ })
      .first()
      .click();
    await page.waitForURL((url) => url.pathname.includes(thread));
    await row(/^User #1/).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "All commands" }).waitFor();
    await page.keyboard.type("keys");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
    await page.keyboard.press("Control+f");
    await page.getByRole("searchbox", { name: "Find in this thread" }).fill("marmalade");
    await page.getByText(/^\d of \d$/).waitFor();
  });

  test("[L11] a match and a link in an old, folded turn open the turn and show the entry", async () => {
    const prompts = Array.from({ length: 24 }, (_, index) => `append log.txt: ${index === 1 ? "needle" : index}`);
    const thread = await place.thread(...prompts);
    page = await place.page(`/t/${thread}`);
    await row("Turn #24").waitFor();
    await page.keyboard.press("Control+f");
    await page.getByRole("searchbox", { name: "Find in this thread" }).fill("needle");
    const opened = row(/^(?:User|AI|Tool \w+) #2\b/).first();
    await opened.waitFor();
    const { entries } = await place.served.client().listEntries(thread, { limit: 20 });
    const turn = entries.find(({ content }) => content.includes("needle"))?.turn_id;
    // Also the entry that only asks for a call, which has no row of its own.
    for (const { id } of entries.filter(({ turn_id }) => turn_id === turn)) {
      await page.goto(`${place.served.url}/t/${thread}?entry=${id}`);
      await opened.waitFor();
    }
  });
});

describe("the width of the window", () => {
  test("[S5] panels that fit beside the conversation close when there is no room, and come back with it", async () => {
    const thread = await place.thread("write wide.txt: 1");
    page = await place.page(`/t/${thread}`);
    const [sidebar, inspector] = [page.locator(".sidebar"), page.locator(".inspector")];
    const shown = async () => [await sidebar.count(), await inspector.count()];
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(shown).toEqual([1, 1]);
    await page.setViewportSize({ width: 1024, height: 768 });
    await expect.poll(shown).toEqual([0, 0]);
    await page.keyboard.press("Control+b");
    await page.keyboard.press("Control+j");
    await expect.poll(shown).toEqual([1, 1]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(shown).toEqual([0, 0]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(shown).toEqual([1, 1]);
  });
});
