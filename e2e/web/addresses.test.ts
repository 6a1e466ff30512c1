import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebPlace } from "./web-place.ts";

let place: WebPlace;
let page: Page;
beforeAll(async () => {
  place = await WebPlace.open();
});
afterAll(() => place?.close());
afterEach(async () => {
  place.expectNoProblems();
  await page.close();
});

const prompt = () => page.getByRole("textbox", { name: "Prompt" });
const takes = () => page.getByRole("tablist", { name: "Takes" });

describe("addresses", () => {
  test("[D3] [X6] the address of a take switches to it with its files; one that is not there is said to be none", async () => {
    const thread = await place.thread("write a1.txt: main", "write a2.txt: main");
    const { take } = await place.served.client().branch(thread, { entry: "#1" });
    await expect.poll(() => place.file("a2.txt")).toBeUndefined();
    page = await place.page(`/t/${thread}/take/main`);
    await takes().getByRole("tab", { selected: true, name: "main", exact: true }).waitFor();
    await expect.poll(() => place.file("a2.txt")).toBe("main");
    await page.goto(`${place.served.url}/t/${thread}/take/${take?.id}`);
    await takes().getByRole("tab", { selected: true, name: "main_take_1" }).waitFor();
    await expect.poll(() => place.file("a2.txt")).toBeUndefined();
    await page.goto(`${place.served.url}/t/${thread}/take/nowhere`);
    await page.getByText("There is no take nowhere in this thread.").waitFor();
  });

  test("[L12] the address of a moment shows it, walking changes it, Back leaves it, and nothing on disk changes", async () => {
    const thread = await place.thread("write m.txt: one", "write m.txt: two");
    const { operations } = await place.served.client().getHistory(thread);
    const first = operations.findLast(({ turn_name }) => turn_name === "#1");
    page = await place.page(`/t/${thread}`);
    await page.getByRole("article", { name: "Turn #2" }).waitFor();
    await page.goto(`${place.served.url}/t/${thread}?op=${first?.id}`);
    const past = page.getByTestId("time-travel");
    await past.getByText("Nothing on disk has changed").waitFor();
    await past.getByText("write m.txt: one").first().waitFor();
    await page.getByRole("slider", { name: "Moment" }).press("End");
    await past.getByText("write m.txt: two").first().waitFor();
    await page.waitForURL((url) => url.searchParams.get("op") === operations[0]?.id);
    await page.goBack();
    await past.waitFor({ state: "detached" });
    await page.getByRole("article", { name: "Turn #2" }).waitFor();
    expect(place.file("m.txt")).toBe("two");
  });

  test("[L12] [A2] the past and a comparison show a prompt as it was written", async () => {
    const prompt = "write <b>o</b>.txt: *one*\nsay two";
    const thread = await place.thread(prompt, "say three");
    const { takes: list } = await place.served.client().listTakes(thread);
    const { take } = await place.served.client().branch(thread, { entry: "#1" });
    await place.served.turn(thread, prompt);
    const { operations } = await place.served.client().getHistory(thread);
    page = await place.page(`/t/${thread}?op=${operations[0]?.id}`);
    await page.getByTestId("time-travel").getByRole("article").first().waitFor();
    await expect.poll(() => page.getByTestId("time-travel").innerText()).toContain(prompt);
    await page.goto(`${place.served.url}/t/${thread}/compare/${list[0]?.id}/${take?.id}`);
    await expect.poll(() => page.getByTestId("compare").innerText()).toContain(prompt);
  });

  test("[L12] [D3] a comparison that is asked for while the past is shown takes its place", async () => {
    const thread = await place.thread("write n.txt: one", "write n.txt: two");
    await place.served.client().branch(thread, { entry: "#1" });
    page = await place.page(`/t/${thread}`);
    await page.getByRole("tab", { name: "History", exact: true }).click();
    await page.getByRole("button", { name: "Show as it was" }).nth(1).click();
    await page.getByTestId("time-travel").waitFor();
    await page.getByRole("tab", { name: "Takes", exact: true }).click();
    await page.getByRole("button", { name: "Compare with main", exact: true }).click();
    await page.getByTestId("compare").getByText("entries in common").waitFor();
    await page.getByTestId("time-travel").waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toContain("/compare/");
    expect(await page.getByTestId("compare").count()).toBe(1);
  });

  test("[L11] the address of a search holds the question; what narrows it down is asked for too", async () => {
    const thread = await place.thread("Tell me about gooseberries");
    await place.served.client().changeThread(thread, { title: "Fruit", tags: ["garden"] });
    page = await place.page("/search?q=gooseberries");
    const results = page.getByRole("list", { name: "Results" });
    await results.getByRole("link", { name: "Fruit" }).waitFor();
    await page.getByRole("searchbox", { name: "Tag" }).fill("kitchen");
    await page.getByText("0 threads found").waitFor();
    expect(new URL(page.url()).searchParams.get("tag")).toBe("kitchen");
    await page.getByRole("searchbox", { name: "Tag" }).fill("garden");
    await results
      .getByRole("link", { name: /gooseberries/ })
      .first()
      .click();
    await page.waitForURL((url) => url.pathname === `/t/${thread}`);
    await page.getByRole("article", { name: /^User #1/ }).waitFor();
    await page.goBack();
    await results.getByRole("link", { name: "Fruit" }).waitFor();
  });

  test("[L11] the search screen has the keys and commands of the page, follows its address, and Back stays in the page", async () => {
    const thread = await place.thread("Tell me about rhubarb");
    page = await place.page("/search?q=rhubarb");
    await page.getByRole("list", { name: "Results" }).getByRole("link").first().waitFor();
    await page.getByRole("button", { name: /^Keys/ }).click();
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "All commands" });
    await palette.getByRole("option", { name: /^new/ }).waitFor();
    // Commands that need a thread are not offered.
    expect(await palette.getByRole("option", { name: /^undo/ }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await palette.waitFor({ state: "detached" });
    const words = page.getByRole("searchbox", { name: "Words" });
    await page.locator("#thread-search").fill("another");
    await page.locator("#thread-search").press("Enter");
    await page.waitForURL((url) => url.searchParams.get("q") === "another");
    await expect.poll(() => words.inputValue()).toBe("another");
    await words.fill("more");
    await page.waitForURL((url) => url.searchParams.get("q") === "more");
    await page.getByRole("button", { name: "Back" }).click();
    await page.waitForURL((url) => url.searchParams.get("q") === "rhubarb");
    await expect.poll(() => words.inputValue()).toBe("rhubarb");
    // Nothing of this page came before.
    await page.getByRole("button", { name: "Back" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/t/"));
    await page.goto(`${place.served.url}/t/${thread}`);
    await page.getByRole("article", { name: /^User #1/ }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("a button that begins something begins one thing, also with a double click", async () => {
    const client = place.served.client();
    const { thread } = await client.createThread({});
    page = await place.page(`/t/${thread.id}`);
    await page.getByRole("button", { name: /write notes\.txt/ }).dblclick();
    await page.getByRole("article", { name: "Turn #1" }).waitFor();
    await place.served.turnsEnded(thread.id);
    expect((await client.listTurns(thread.id)).turns.map(({ prompt: each }) => each)).toEqual([
      "write notes.txt: first idea",
    ]);
    const ids = async () => (await client.summarizeThreads({ limit: 500 })).threads.map(({ id }) => id);
    const before = await ids();
    await page.getByRole("button", { name: "New thread" }).dblclick();
    await page.waitForURL((url) => url.pathname !== `/t/${thread.id}`);
    await prompt().waitFor();
    const made = (await ids()).filter((id) => !before.includes(id));
    expect(made).toHaveLength(1);
    // A press after it makes the next one.
    await page.getByRole("button", { name: "New thread" }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(made[0] ?? ""));
    expect(await ids()).toHaveLength(before.length + 2);
  });
});

describe("the composer", () => {
  test("[S2] images are pasted and dropped into the prompt, shown, and taken out again; others are refused", async () => {
    const thread = await place.thread("say hello");
    page = await place.page(`/t/${thread}`);
    await page.getByRole("article", { name: "Turn #1" }).waitFor();
    const icon = readFileSync(new URL("../../docs/images/thread.png", import.meta.url)).toString("base64");
    /** A file that is dropped or pasted, as the browser gives it to the page. */
    const give = (kind: "paste" | "drop", name: string, content: string) =>
      prompt().evaluate(
        (field, given) => {
          const data = new DataTransfer();
          const bytes = Uint8Array.from(atob(given.content), (letter) => letter.charCodeAt(0));
          data.items.add(new File([bytes], given.name, { type: "image/png" }));
          const options = { bubbles: true, cancelable: true };
          field.dispatchEvent(
            given.kind === "drop"
              ? new DragEvent("drop", { ...options, dataTransfer: data })
              : new ClipboardEvent("paste", { ...options, clipboardData: data }),
          );
        },
        { kind, name, content },
      );
    const images = page.getByRole("list", { name: "Images that are sent" });
    const names = async () =>
      (await place.served.client().getSettings(thread)).screenshots.map(({ name }) => name as string);
    await give("paste", "pasted.png", icon);
    await images.getByRole("button", { name: "pasted.png", exact: true }).waitFor();
    await give("drop", "broken.png", btoa("no image"));
    await page.getByRole("alert").filter({ hasText: "no PNG" }).waitFor();
    expect(await names()).toEqual(["pasted.png"]);
    await images.getByRole("button", { name: "Do not send pasted.png" }).press("Enter");
    await images.waitFor({ state: "detached" });
    expect(await names()).toEqual([]);
    await give("drop", "dropped.png", icon);
    await images.getByRole("button", { name: "dropped.png", exact: true }).waitFor();
    expect(await names()).toEqual(["dropped.png"]);
  });
});

describe("taking back and takes", () => {
  test("[X3] one tool call of a turn is taken back from the review, by mouse and by keyboard", async () => {
    const thread = await place.thread("write c1.txt: 1\nwrite c2.txt: 2\nwrite c3.txt: 3");
    page = await place.page(`/t/${thread}`);
    await page.getByRole("tab", { name: "Changes", exact: true }).click();
    await page.getByText("By tool call (3)").click();
    await page.getByRole("button", { name: "Take back call #1.1.2" }).click();
    await page.getByRole("button", { name: /^Take back #1\.1\.2/ }).click();
    await expect.poll(() => place.file("c2.txt")).toBeUndefined();
    await page.getByRole("button", { name: "Take back call #1.1.3" }).press("Enter");
    await page.getByTestId("plan-counts").getByText("1 file").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("Take back #1.1.3");
    await page.keyboard.press("Enter");
    await expect.poll(() => place.file("c3.txt")).toBeUndefined();
    expect(place.file("c1.txt")).toBe("1");
  });

  test("[A1] [A7] [X2] an edit is saved as a new take in one step, and one undo takes it back", async () => {
    const thread = await place.thread("write e1.txt: one", "write e2.txt: two");
    page = await place.page(`/t/${thread}`);
    await page
      .getByRole("article", { name: /^AI #1/ })
      .last()
      .focus();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Text of the entry" }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Another ending");
    await page.getByRole("button", { name: "Save as a new take" }).press("Enter");
    await takes().getByRole("tab", { selected: true, name: "main_take_1" }).waitFor();
    await page.getByText("Another ending").waitFor();
    expect(place.file("e2.txt")).toBeUndefined();
    await page.getByRole("feed").focus();
    await page.keyboard.press("Control+z");
    await takes().getByRole("tab", { selected: true, name: "main", exact: true }).waitFor();
    await expect.poll(() => takes().getByRole("tab").count()).toBe(1);
    await expect.poll(() => place.file("e2.txt")).toBe("two");
    const { entries } = await place.served.client().listEntries(thread);
    expect(entries.map(({ content }) => content)).not.toContain("Another ending");
  });

  test("[X3] v shows the two sides of a diff beside each other", async () => {
    const thread = await place.thread("write v.txt: one\\ntwo", "write v.txt: one\\n2");
    page = await place.page(`/t/${thread}`);
    await page.getByRole("tab", { name: "Changes", exact: true }).click();
    const row = page.getByTestId("hunk-lines").getByRole("row").filter({ hasText: "+2" });
    await row.waitFor();
    expect(await row.innerText()).not.toContain("-two");
    await page.getByRole("feed").focus();
    await page.keyboard.press("v");
    await expect.poll(() => row.innerText()).toContain("-two");
    await page.keyboard.press("v");
    await expect.poll(() => row.innerText()).not.toContain("-two");
  });

  test("[X5] a refusal of an undo stays where it was asked, and another try goes through", async () => {
    const thread = await place.thread("write r.txt: 1");
    const client = place.served.client();
    await client.changeApprovals({ add: { tool: "bash", command: "sleep *", decision: "allow" } });
    const other = await place.thread();
    await client.startTurn(other, { prompt: "run sleep 1000" });
    await expect.poll(async () => (await client.listTurns(other)).turns[0]?.status).toBe("running");
    page = await place.page(`/t/${thread}`);
    await page.getByRole("button", { name: "Undo to before #1" }).click();
    const plan = page.getByRole("region", { name: "Undo 1 turn" });
    await plan.getByRole("alert").waitFor();
    expect(place.file("r.txt")).toBe("1");
    await client.stopTurns({});
    await plan.getByRole("button", { name: "Try again" }).click();
    await page.getByTestId("plan-counts").getByText("1 file").waitFor();
    await plan.getByRole("button", { name: /^Undo 1 turn/ }).click();
    await expect.poll(() => place.file("r.txt")).toBeUndefined();
  });
});
