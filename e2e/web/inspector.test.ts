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

/** Opens a thread with one tab of the inspector. */
async function open(thread: string, tab: string): Promise<void> {
  page = await place.page(`/t/${thread}`);
  await page.getByRole("tab", { name: tab, exact: true }).click();
}

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const changedFile = (name: RegExp) => page.locator("#inspector-panel").getByRole("button", { name });
describe("review", () => {
  test("[X3] reviews several turns, the take, your own edits and a snapshot", async () => {
    const thread = await place.thread("write r1.txt: 1", "write r2.txt: 2");
    const { snapshot } = await place.served.client().takeSnapshot({ thread_id: thread, label: "before mine" });
    place.write("mine.txt", "mine");
    await open(thread, "Changes");
    const what = page.getByRole("combobox", { name: "What to review" });
    const count = page.getByTestId("changed-count");
    await count.getByText("1 changed file").waitFor();
    await what.selectOption("range");
    await count.getByText("2 changed files").waitFor();
    await what.selectOption("take");
    await count.getByText("3 changed files").waitFor();
    await what.selectOption("working");
    await count.getByText("1 changed file").waitFor();
    await changedFile(/mine\.txt/).waitFor();
    await what.selectOption("snapshot");
    await page.getByRole("combobox", { name: "Snapshot" }).selectOption(snapshot.id);
    await changedFile(/mine\.txt/).waitFor();
    expect(place.file("mine.txt")).toBe("mine");
  });
});

test("[D3] [X6] the tree of takes switches with files, compares two takes, and takes a file over", async () => {
  const thread = await place.thread("write t1.txt: main", "write t2.txt: main");
  await place.served.client().branch(thread, { entry: "#1" });
  await place.served.turn(thread, "write t1.txt: branch");
  expect(place.file("t2.txt")).toBeUndefined();
  await open(thread, "Takes");
  await page.getByText("#1 of main", { exact: true }).waitFor();
  await button("Compare with main").click();
  const compare = page.getByTestId("compare");
  await compare.getByRole("region", { name: "main #2", exact: true }).getByText("t2.txt").first().waitFor();
  await compare.getByRole("button", { name: "Files (2)" }).click();
  await compare.getByRole("region", { name: "t2.txt" }).getByRole("button", { name: "Take over from main" }).click();
  await expect.poll(() => place.file("t2.txt")).toBe("main");
  expect(place.file("t1.txt")).toBe("branch");
  await compare.getByRole("button", { name: "Back" }).click();
  await button("Switch to main").click();
  await expect.poll(() => place.file("t1.txt")).toBe("main");
  await button("Rename main").click();
  await page.keyboard.type("first");
  await page.keyboard.press("Enter");
  await button("Rename first").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Rename first");
});

describe("settings", () => {
  test("[S2] [S4] every field saves itself, is a step, and stays after a reload", async () => {
    const thread = await place.thread("say hello");
    await open(thread, "Settings");
    const client = place.served.client();
    await page.getByRole("spinbutton", { name: "Temperature" }).fill("0.3");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await client.getSettings(thread)).temperature).toBe(0.3);
    await page.getByRole("textbox", { name: "Project prompt" }).pressSequentially("Be brief.");
    await expect.poll(async () => (await client.getSettings(thread)).project_system_prompt).toBe("Be brief.");
    await page.getByRole("textbox", { name: "New role" }).fill("Critic");
    await button("Add a role").click();
    await button("Remove the role Critic").waitFor();
    await page.reload();
    await expect.poll(() => page.getByRole("textbox", { name: "Project prompt" }).inputValue()).toBe("Be brief.");
    await client.undo(thread, { steps: 2 });
    await expect.poll(() => page.getByRole("textbox", { name: "Project prompt" }).inputValue()).toBe("");
    await page.getByRole("spinbutton", { name: "Temperature" }).fill("99");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Nothing was changed" }).waitFor();
  });

  test("[S2] [S9] a prompt whose save fails stays in its field, also after the panel was closed, and is saved later", async () => {
    const thread = await place.thread("Say hello");
    await open(thread, "Settings");
    const field = page.getByRole("textbox", { name: "Project prompt" });
    await page.route("**/settings", (route) =>
      route.request().method() === "PATCH" ? route.abort() : route.fallback(),
    );
    await field.fill("A long prompt");
    await page.getByRole("textbox", { name: "Global prompt" }).focus();
    await page.getByRole("alert").getByText("cannot be reached").waitFor();
    expect(await field.inputValue()).toBe("A long prompt");
    await page.getByRole("tab", { name: "History", exact: true }).click();
    await page.getByRole("heading", { name: "History" }).waitFor();
    await page.unroute("**/settings");
    await page.getByRole("tab", { name: "Settings", exact: true }).click();
    expect(await field.inputValue()).toBe("A long prompt");
    const saved = async () => (await place.served.client().getSettings(thread)).project_system_prompt;
    await expect.poll(saved).toBe("A long prompt");
  });

  test("[S6] reset clears the thread, and one click brings everything back", async () => {
    const thread = await place.thread("write kept.txt: stays");
    await open(thread, "Settings");
    await button("Reset").click();
    const count = async () => (await place.served.client().listEntries(thread)).entries.length;
    // The notice stays on the screen under the pointer, however slow the machine is.
    await page.locator(".notice").dispatchEvent("pointerover");
    await expect.poll(count).toBe(0);
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("a new beginning");
    await expect.poll(async () => (await place.served.client().getSettings(thread)).draft).toBe("a new beginning");
    await button("Bring everything back").click();
    await expect.poll(count).toBeGreaterThan(0);
    expect(place.file("kept.txt")).toBe("stays");
  });
});

test("[S2] context files and pasted images are listed, sent, and removed", async () => {
  place.write("facts.md", "x".repeat(400));
  const thread = await place.thread("say hello");
  await open(thread, "Context");
  await page.getByRole("combobox", { name: "Add to context files" }).fill("facts.md");
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Context files" }).getByText("about 100 tokens").waitFor();
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  await page.getByLabel("Choose an image").setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: png });
  await page.getByRole("img", { name: "dot.png" }).waitFor();
  const settings = await place.served.client().getSettings(thread);
  expect(settings.context_files).toMatchObject([{ path: "facts.md" }]);
  expect(settings.screenshots).toMatchObject([{ name: "dot.png" }]);
  await page
    .getByLabel("Choose an image")
    .setInputFiles({ name: "no.png", mimeType: "image/png", buffer: Buffer.from("no image") });
  await page.getByRole("alert").filter({ hasText: "no PNG" }).waitFor();
  await button("Remove the screenshot dot.png").click();
  await expect.poll(async () => (await place.served.client().getSettings(thread)).screenshots).toEqual([]);
});

test("[X4] [S8] an entry's turn shows its receipt and what the model was sent", async () => {
  const thread = await place.thread("write receipt.txt: 1");
  await open(thread, "Entry");
  await page.getByRole("region", { name: "Receipt" }).getByText("receipt.txt").waitFor();
  await page.getByText("What the model was sent").click();
  await page.getByTestId("sent").getByText("write receipt.txt: 1").first().waitFor();
});

test("[X4] an ignored file is listed once among those that can be taken back", async () => {
  const thread = await place.thread("write .gitignore: cache.txt\nwrite cache.txt: 1");
  await open(thread, "Entry");
  const receipt = page.getByRole("region", { name: "Receipt" });
  await receipt.getByText("Changed, and can be taken back").waitFor();
  expect(await receipt.getByRole("listitem").allTextContents()).toEqual([".gitignore", "cache.txt"]);
});
