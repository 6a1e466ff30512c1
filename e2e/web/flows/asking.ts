import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { BUSY } from "../busy-model.ts";
import { type Flow, type FlowPage, isFocusIn } from "./flow-page.ts";

const ATTACHED = new URL("../../../docs/images/undo.png", import.meta.url);
const GIVEN = new URL("../../../docs/images/thread.png", import.meta.url);

/** Flows of what a model is sent: images, summaries, other models, and the request itself. */
export const ASKING: readonly Flow[] = [
  {
    title: "[P3] [AG41] a model that has no time is asked again at once, and then another one",
    run: async ({ page, place, hands, named, row, prompt, client, file, open, busy }) => {
      const thread = await open("say hello");
      await client().changeSettings(thread, { model: BUSY });
      busy.isBusy = true;
      const wait = page.getByRole("region", { name: "Waiting for the model" });
      const ask = async (text: string) => {
        await hands.write(prompt(), text);
        await page.keyboard.press("Enter");
        await wait.getByText(/Next try in \d+ min/).waitFor();
      };
      await ask("first question");
      busy.isBusy = false;
      await hands.press(wait.getByRole("button", { name: "Try now" }));
      await row(/^AI #2/)
        .getByText("Now I have time.")
        .waitFor();
      await wait.waitFor({ state: "detached" });
      busy.isBusy = true;
      await ask(`write ${named("other")}: from another`);
      await hands.choose(wait.getByRole("button", { name: "Another model" }), "scripted/default");
      await file(named("other")).toBe("from another");
      await place.served.turnsEnded(thread);
      await ask("last question");
      await hands.press(page.getByRole("form", { name: "Prompt" }).getByRole("button", { name: "Stop" }));
      await wait.waitFor({ state: "detached" });
      await place.served.turnsEnded(thread);
      const { turns } = await client().listTurns(thread);
      expect(turns.map(({ status, model }) => [status, model])).toEqual([
        ["finished", "scripted/default"],
        ["finished", BUSY],
        ["finished", "scripted/default"],
        ["interrupted", BUSY],
      ]);
    },
  },
  {
    title: "[S2] images are attached, pasted and dropped, sent with the prompt, and taken out again",
    run: async ({ page, place, hands, kind, prompt, client, open }) => {
      const thread = await open("say hello");
      const images = page.getByRole("list", { name: "Images that are sent" });
      const count = async () => (await client().getSettings(thread)).screenshots.length;
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        kind === "mouse" ? page.locator(".attach").click() : hands.press(page.getByLabel("Attach images")),
      ]);
      await chooser.setFiles(ATTACHED.pathname);
      await images.getByRole("button", { name: "undo.png", exact: true }).waitFor();
      await hands.write(prompt(), "look at this");
      await give(page, kind);
      await expect.poll(count).toBe(2);
      await page.keyboard.press("Enter");
      await expect.poll(async () => (await client().listTurns(thread)).turns.length).toBe(2);
      await place.served.turnsEnded(thread);
      const last = (await client().listTurns(thread)).turns.at(-1);
      const { request } = await client().getTurnRequest(thread, last?.id ?? "");
      expect(JSON.stringify(request?.messages)).toContain("image/png");
      await hands.press(images.getByRole("button", { name: "Do not send undo.png" }));
      await expect.poll(count).toBe(1);
    },
  },
  {
    title: "[D6] the request to the model is read, with its system prompt and every message",
    run: async ({ page, hands, kind, row, inspectorTab, client, open }) => {
      const thread = await open("first words", "second words");
      await client().changeSettings(thread, { project_system_prompt: "Be short." });
      if (kind === "mouse") await row(/^AI #2/).click();
      await hands.open(inspectorTab("Entry"));
      await hands.press(page.getByText("What the model was sent"));
      const sent = page.getByTestId("sent");
      await sent.getByText("first words").waitFor();
      await sent.getByText("second words").waitFor();
      expect(await sent.innerText()).not.toContain("Be short.");
    },
  },
  {
    title: "[B11] older turns become a summary, which is undone",
    run: async ({ hands, button, client, open }) => {
      const thread = await open("one", "two", "three", "four");
      const entries = async () => (await client().listEntries(thread)).entries.map(({ content }) => content);
      const before = await entries();
      await hands.choose(button("More for this thread"), "Compress older turns");
      await expect.poll(async () => (await entries()).length).toBeLessThan(before.length);
      expect((await entries()).at(-1)).toBe(before.at(-1));
      await hands.press(button("Undo").first());
      await expect.poll(entries).toEqual(before);
    },
  },
];

/** Gives an image to the prompt: dropped with the mouse, pasted with the keyboard. */
async function give(page: FlowPage["page"], kind: FlowPage["kind"]): Promise<void> {
  const content = readFileSync(GIVEN).toString("base64");
  if (kind === "keyboard") {
    await page.evaluate(async (text) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      await navigator.clipboard.write([new ClipboardItem({ "image/png": new Blob([bytes], { type: "image/png" }) })]);
    }, content);
    expect(await isFocusIn(page.getByRole("textbox", { name: "Prompt" }))).toBe(true);
    await page.keyboard.press("Control+v");
    return;
  }
  await page.getByRole("textbox", { name: "Prompt" }).evaluate((field, text) => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    data.items.add(new File([bytes], "dropped.png", { type: "image/png" }));
    field.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
  }, content);
}
