import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** How a person works a page: with the mouse, or with the keyboard alone. */
export interface Hands {
  readonly kind: "mouse" | "keyboard";
  /** Goes to something that has keys of its own. */
  reach(target: Locator): Promise<void>;
  /** Presses a button, a link or a check box. */
  press(target: Locator): Promise<void>;
  /** Opens a menu and chooses from it. */
  choose(menu: Locator, item: string): Promise<void>;
  /** Chooses one of several tabs. */
  open(tab: Locator): Promise<void>;
  /** Writes a text in the place of the one in a field. */
  write(field: Locator, text: string): Promise<void>;
  /** Chooses a value of a list, by its text. */
  select(field: Locator, text: string): Promise<void>;
}

export function mouse(page: Page): Hands {
  return {
    kind: "mouse",
    reach: (target) => target.click(),
    press: (target) => target.click(),
    async choose(menu, item) {
      await menu.click();
      await page.getByRole("menuitem", { name: startingWith(item) }).click();
    },
    open: (tab) => tab.click(),
    async write(field, text) {
      await field.click();
      await field.fill(text);
    },
    async select(field, text) {
      await field.selectOption({ label: text });
    },
  };
}

/** A menu moves the focus a moment after the key: a person sees that before the next press, which else goes past the target. */
const MOVES_WITHIN_MS = 2000;

/** Presses of a key until something has the focus; more than any page needs. */
const MOST_PRESSES = 200;

/** Reaches everything with F6, Tab and arrow keys, as a person does who has no mouse. */
export function keyboard(page: Page): Hands {
  const { keyboard: keys } = page;
  const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);
  const walk = async (target: Locator, key: string) => {
    for (let press = 0; press < MOST_PRESSES; press += 1) {
      if (await isFocused(target)) return;
      const before = await page.evaluateHandle(() => document.activeElement);
      await keys.press(key);
      await page
        .waitForFunction((left) => document.activeElement !== left, before, { timeout: MOVES_WITHIN_MS })
        .catch(() => undefined);
    }
    throw new Error(`${target} is not reached with ${key}`);
  };
  /** The parts of the page are left with F6, everything in them is reached with Tab. */
  const reach = async (target: Locator) => {
    await target.waitFor();
    for (let press = 0; press < 4 && !(await isNear(target)); press += 1) await keys.press("F6");
    // A person sees how far it is, and which way is shorter.
    const steps = await stepsTo(target);
    for (let press = 0; press < Math.abs(steps); press += 1) await keys.press(steps < 0 ? "Shift+Tab" : "Tab");
    await walk(target, "Tab");
  };
  return {
    kind: "keyboard",
    reach,
    async press(target) {
      await reach(target);
      await expect.poll(() => target.isEnabled()).toBe(true);
      await keys.press((await target.getAttribute("type")) === "checkbox" ? "Space" : "Enter");
    },
    async choose(menu, item) {
      await reach(menu);
      await keys.press("Enter");
      const wanted = page.getByRole("menuitem", { name: startingWith(item) });
      await wanted.waitFor();
      await walk(wanted, "ArrowDown");
      await keys.press("Enter");
    },
    async open(tab) {
      await tab.waitFor();
      const list = tab.locator("xpath=ancestor::*[@role='tablist'][1]");
      await reach(list.locator("[tabindex='0']"));
      await walk(tab, "ArrowRight");
      await keys.press("Enter");
    },
    async write(field, text) {
      await reach(field);
      await keys.press("Control+a");
      await keys.insertText(text);
    },
    async select(field, text) {
      await reach(field);
      const chosen = () => field.evaluate((list) => (list as HTMLSelectElement).selectedOptions[0]?.label ?? "");
      await keys.press("Home");
      for (let press = 0; press < MOST_PRESSES && (await chosen()) !== text; press += 1) await keys.press("ArrowDown");
      expect(await chosen()).toBe(text);
    },
  };
}

/** An item of a menu is named by its words and its key. */
function startingWith(words: string): RegExp {
  return new RegExp(`^${words}(?: \\S+)?$`);
}

/** How many presses of Tab lead from the focus to the target; fewer than none where it comes before. A guess that is checked. */
function stepsTo(target: Locator): Promise<number> {
  return target.evaluate((element) => {
    const all = [
      ...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, [tabindex]"),
    ];
    const reached = all.filter(
      (each) =>
        each.tabIndex >= 0 &&
        !(each as HTMLButtonElement).disabled &&
        each.checkVisibility({ visibilityProperty: true }),
    );
    const [from, to] = [
      reached.indexOf(document.activeElement as HTMLElement),
      reached.indexOf(element as HTMLElement),
    ];
    return from < 0 || to < 0 ? 0 : to - from;
  });
}

/** Whether the focus is in the same part of the page, or on a dialog. */
function isNear(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    if (element === document.activeElement) return true;
    const part = (node: Element | null) => node?.closest("[data-region], [role=dialog]") ?? null;
    return part(element) === null || part(element) === part(document.activeElement);
  });
}
