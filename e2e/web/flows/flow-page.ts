import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { BusyModel } from "../busy-model.ts";
import type { WebPlace } from "../web-place.ts";
import type { Hands } from "./hands.ts";

/** A thing that people do in the page, from its beginning to its end. */
export interface Flow {
  readonly title: string;
  readonly run: (flow: FlowPage) => Promise<void>;
}

export type FlowPage = ReturnType<typeof flowPage>;

/** Runs of flows so far, those that are tried again included. */
let runs = 0;

/** A page, the hands that work it, and the names of its parts. Every run has names of its own: the directory is shared. */
export function flowPage(place: WebPlace, page: Page, hands: Hands, busy: BusyModel) {
  const { kind } = hands;
  runs += 1;
  const run = runs;
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const row = (name: string | RegExp) => page.getByRole("article", { name });
  const prompt = () => page.getByRole("textbox", { name: "Prompt" });
  /** Opens a thread as if nobody had been there before, and waits for its last turn. */
  const show = async (thread: string, turns: number) => {
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.goto(`${place.served.url}/t/${thread}`);
    if (turns > 0) await row(`Turn #${turns}`).waitFor();
    else await prompt().waitFor();
  };
  return {
    page,
    place,
    hands,
    busy,
    kind,
    button,
    row,
    prompt,
    show,
    /** A name that no other run has: threads of one directory keep what others wrote. */
    named: (name: string) => `${kind}${run}-${name}`,
    plan: (name: string | RegExp) => page.locator("#inspector").getByRole("button", { name }),
    takes: () => page.getByRole("tablist", { name: "Takes" }),
    inspectorTab: (name: string) =>
      page.getByRole("tablist", { name: "Inspector" }).getByRole("tab", { name, exact: true }),
    client: () => place.served.client(),
    /** The content of a file, as soon as it is the expected one. */
    file: (name: string) => expect.poll(() => place.file(name)),
    /** A thread whose turns have been answered, on the screen. */
    open: async (...prompts: readonly string[]) => {
      const thread = await place.thread(...prompts);
      await show(thread, prompts.length);
      return thread;
    },
    /** Does something to a row: from its menu, or with its key. */
    act: async (at: RegExp | string, menu: string | RegExp, item: string, key: string) => {
      if (kind === "mouse") return hands.choose(button(menu), item);
      await row(at).waitFor();
      await page.keyboard.press("Escape");
      for (let press = 0; press < 4 && !(await isFocusIn(page.getByRole("main"))); press += 1)
        await page.keyboard.press("F6");
      await page.keyboard.press("g");
      await page.keyboard.press("g");
      for (let press = 0; press < 60; press += 1) {
        // The focus is on the row two frames after the key.
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        if (await row(at).evaluate((element) => element === document.activeElement)) return page.keyboard.press(key);
        await page.keyboard.press("j");
      }
      throw new Error(`the row ${at} is not reached with j`);
    },
  };
}

/** A text of many lines, some of them other ones. */
export function lines(changed: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: 30 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join("");
}

/** The prompt that writes a file of several lines. */
export function written(name: string, content: string): string {
  return `write ${name}: ${content.replaceAll("\n", "\\n")}`;
}

export function isFocusIn(part: Locator): Promise<boolean> {
  return part.evaluate((element) => element.contains(document.activeElement));
}
