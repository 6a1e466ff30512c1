/** The page in the hands of someone who does not wait, beside other screens that do not wait either. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { WebPlace } from "./web-place.ts";

let place: WebPlace;
let page: Page;
beforeAll(async () => {
  place = await WebPlace.open();
});
afterEach(async () => {
  await page?.close();
  await place.served.client().stopTurns({});
  place.expectNoProblems();
});
afterAll(() => place?.close());

const prompt = () => page.getByRole("textbox", { name: "Prompt" });
const row = (name: string | RegExp) => page.getByRole("article", { name });

test("[U3] Enter that is pressed again on a preview never sends the prompt that the undo brings back", async () => {
  const thread = await place.thread("write twice.txt: base", "write twice.txt: agent");
  page = await place.page(`/t/${thread}`);
  await row("Turn #2").waitFor();
  await prompt().focus();
  await page.keyboard.press("Control+Alt+z");
  await page.getByTestId("plan-counts").getByText("1 turn").waitFor();
  // Sooner than a test could press it: with the prompt that comes back. Then once more, and held down.
  const pressed = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const look = () => {
          const field = document.querySelector<HTMLTextAreaElement>("#composer");
          if (!field?.value) return void requestAnimationFrame(look);
          for (const repeat of [false, false, true])
            field.dispatchEvent(
              new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, repeat }),
            );
          resolve();
        };
        look();
      }),
  );
  await page.locator(".inspector footer .button.primary").press("Enter");
  await pressed;
  await expect.poll(() => place.file("twice.txt")).toBe("base");
  await expect.poll(() => prompt().evaluate((field) => field === document.activeElement)).toBe(true);
  // However late: on a slow machine, or by someone who saw nothing happen.
  await page.waitForTimeout(600);
  await page.keyboard.press("Enter");
  await page.getByText("These words came after you pressed Enter").first().waitFor();
  const turns = async () => (await place.served.client().listTurns(thread)).turns.length;
  // A turn that was sent by mistake would be before this one.
  await place.served.turn(thread, "say something else");
  expect(await turns()).toBe(2);
  expect(place.file("twice.txt")).toBe("base");
  // Words that the user has turned to are sent.
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect.poll(turns).toBe(3);
  await place.turnsEnded(page);
  expect(place.file("twice.txt")).toBe("agent");
});

test("[D5] a thread that another screen deletes says so, keeps its name, and comes back with one press", async () => {
  const client = place.served.client();
  await place.thread("say another thread");
  const thread = await place.thread("say hello");
  await client.changeThread(thread, { title: "To be deleted" });
  page = await place.page(`/t/${thread}`);
  await row("Turn #1").waitFor();
  await client.deleteThread(thread);
  const bar = page.getByText("This thread was deleted");
  await bar.waitFor();
  const listed = page.getByRole("navigation", { name: "Threads" }).getByText("To be deleted");
  await listed.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "To be deleted" }).waitFor();
  // Words that are typed meanwhile are a later step, and stay.
  await prompt().fill("a thought");
  await expect.poll(async () => (await client.getSettings(thread)).draft).toBe("a thought");
  await page.getByRole("button", { name: "Bring it back" }).click();
  await bar.waitFor({ state: "detached" });
  await listed.waitFor();
  expect(await prompt().inputValue()).toBe("a thought");
});

test("[X8] [S9] a reason that is being written when another screen answers the question is kept as the prompt", async () => {
  const client = place.served.client();
  const { thread } = await client.createThread({});
  page = await place.page(`/t/${thread.id}`);
  await prompt().fill("run git push nowhere");
  await prompt().press("Enter");
  const reason = page.getByRole("textbox", { name: "Reason, for the agent" });
  const ask = async () => {
    await page.getByRole("button", { name: "Deny with a reason", disabled: false }).click();
    await reason.fill("use a file of your own instead");
  };
  await ask();
  const [turn] = (await client.listTurns(thread.id)).turns;
  const call = turn?.approvals[0]?.call_id ?? "";
  // The card: the line for screen readers holds one sentence, which the turn replaces with its own. It goes after a while, so
  // the test looks for it from before it comes.
  const notice = page.locator(".notice").getByText("Your reason is in the prompt").waitFor();
  await client.decideApproval(thread.id, turn?.id ?? "", call, { decision: "deny" });
  await notice;
  await expect.poll(() => prompt().inputValue()).toBe("use a file of your own instead");
  // A reason that is sent from here is with the agent, and not in the prompt.
  await place.turnsEnded(page);
  await prompt().fill("run git push nowhere");
  await prompt().press("Enter");
  await ask();
  await reason.press("Enter");
  await place.turnsEnded(page);
  expect(await prompt().inputValue()).toBe("");
});

test("[L11] words that are typed right after Ctrl+F are looked for, and are no commands", async () => {
  const thread = await place.thread("say hello");
  page = await place.page(`/t/${thread}`);
  await row(/^User #1/).focus();
  // The next key may come before the next frame.
  const name = await page.evaluate(async () => {
    const key = { key: "f", ctrlKey: true, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", key));
    for (let count = 0; count < 10; count += 1) await undefined;
    return document.activeElement?.getAttribute("aria-label");
  });
  expect(name).toBe("Find in this thread");
  // Also where the bar is open already.
  await row(/^User #1/).focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("hello");
  const field = page.getByRole("searchbox", { name: "Find in this thread" });
  expect(await field.inputValue()).toBe("hello");
});

test("keys that are pressed before the list of commands is loaded are no commands", async () => {
  const thread = await place.thread("say hello");
  page = await place.page(`/t/${thread}`);
  const released = Promise.withResolvers<void>();
  await page.route("**/palette-*.js", async (route) => {
    await released.promise;
    await route.fallback();
  });
  await row(/^User #1/).focus();
  await page.keyboard.press("Control+k");
  for (const key of ["d", "i", "c"]) await page.keyboard.press(key);
  released.resolve();
  await page.getByRole("dialog", { name: "All commands" }).waitFor();
  await page.keyboard.press("Escape");
  // A command that ran would be before this one.
  await place.served.client().addEntry(thread, { role: "User", content: "the last" });
  const { entries } = await place.served.client().listEntries(thread, { limit: 20 });
  expect(entries.map(({ collapsed }) => collapsed)).toEqual([false, false, false]);
});
