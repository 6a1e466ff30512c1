import type { Page } from "playwright-core";
import { expect } from "vitest";

export type Act = (choose: (count: number) => number) => Promise<unknown>;

/**
 * How long an act waits for a part of the page. Others act too: a button that was enabled may be disabled for good by now, and in a
 * long run the default would wait for it for hours.
 */
const PATIENCE_MS = 3000;

/** Waits until a page has asked for nothing that changes anything, twice in a row: a dry run is followed by what it was for. */
export function watchChanges(page: Page): () => Promise<void> {
  const open = new Set<object>();
  page.on("request", (request) => request.method() !== "GET" && open.add(request));
  for (const end of ["requestfinished", "requestfailed"] as const)
    page.on(end as "requestfinished", (each) => open.delete(each));
  return async () => {
    let quiet = 0;
    await expect
      .poll(() => {
        quiet = open.size === 0 ? quiet + 1 : 0;
        return quiet;
      })
      .toBeGreaterThan(2);
  };
}

/** The things that a person does at a page. A preview that comes up is carried out where it can be, and left where it cannot. */
export function actsAt(page: Page): Readonly<Record<string, Act>> {
  const timeout = PATIENCE_MS;
  const rows = page.locator("[data-row]");
  const plan = page.getByText("Preview: nothing has changed yet");
  const apply = page.locator(".inspector footer .button.primary");
  const isReady = async () => !(await plan.isVisible()) || !(await page.getByText("Looking …").isVisible());
  const decide = async () => {
    await page.waitForTimeout(50);
    if (!(await plan.isVisible())) return;
    await expect.poll(isReady).toBe(true);
    if ((await apply.isVisible()) && (await apply.isEnabled())) await apply.click({ timeout });
    // A plan that another change made stale is shown again, and left.
    await plan.waitFor({ state: "detached", timeout: 500 }).catch(() => page.keyboard.press("Escape"));
    await plan.waitFor({ state: "detached", timeout });
  };
  const click = async (name: string) => {
    const button = page.getByRole("button", { name, exact: true }).first();
    if ((await button.count()) === 0 || !(await button.isEnabled({ timeout }))) return;
    await button.click({ timeout });
    await decide();
  };
  const onRow = async (choose: (count: number) => number, key: string) => {
    const count = await rows.count();
    if (count === 0) return;
    await rows.nth(choose(count)).focus({ timeout });
    await page.keyboard.press(key);
    await decide();
  };
  return {
    prompt: async (choose) => {
      const field = page.getByRole("textbox", { name: "Prompt" });
      await field.fill(`append walk-${choose(4)}.txt: from a page ${choose(1000)}`, { timeout });
      await field.press("Enter", { timeout });
    },
    undo: () => click("Undo"),
    redo: () => click("Redo"),
    step: async () => {
      const feed = page.getByRole("feed");
      if ((await feed.count()) === 0) return;
      await feed.focus({ timeout });
      await page.keyboard.press("Control+z");
      await decide();
    },
    branch: (choose) => onRow(choose, "b"),
    "take back": (choose) => onRow(choose, "x"),
    collapse: (choose) => onRow(choose, "c"),
    switch: async (choose) => {
      const tabs = page.getByRole("tablist", { name: "Takes" }).getByRole("tab");
      await tabs.nth(choose(await tabs.count())).click({ timeout });
      await decide();
    },
  };
}

/** Whether each take on the screen is the active one, in any order. */
export async function shownTakes(page: Page): Promise<boolean[]> {
  const tabs = page.getByRole("tablist", { name: "Takes" }).getByRole("tab");
  const selected = await tabs.evaluateAll((list) => list.map((tab) => tab.ariaSelected === "true"));
  return selected.toSorted();
}
