/** The questions of approvals: what they show, and which presses answer them. */
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

const question = () => page.getByRole("region", { name: "Approval" });
const allow = () => question().getByRole("button", { name: /^Allow/ });

type Press = "click" | "y";

/** Presses twice as soon as a text is in the question, at the latest in the task after the one that draws it. */
async function pressTwice(text: string, press: Press): Promise<void> {
  await page.evaluate(
    ([wanted, kind]) => {
      const tryIt = () => {
        const card = document.querySelector<HTMLElement>("[data-approval]");
        const button = card?.querySelector<HTMLButtonElement>(".button.primary");
        if (!button || !card?.innerText.includes(wanted as string)) return false;
        const press = () => {
          if (kind === "click") button.click();
          else button.dispatchEvent(new KeyboardEvent("keydown", { key: "y", bubbles: true, cancelable: true }));
        };
        press();
        setTimeout(() => {
          press();
          document.body.dataset["pressed"] = wanted as string;
        });
        return true;
      };
      if (tryIt()) return;
      const observer = new MutationObserver(() => tryIt() && observer.disconnect());
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    },
    [text, press],
  );
}

test.each<Press>(["click", "y"])(
  "[F1] [F3] [X8] an answer (%s) counts once, and only for a question that was on the screen for a moment",
  async (press) => {
    const thread = await place.thread();
    page = await place.page(`/t/${thread}`);
    const answers: unknown[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/approvals/")) answers.push(request.postDataJSON());
    });
    const stillAsks = async (command: string) => {
      await page.locator(`body[data-pressed='${command}']`).waitFor();
      await expect.poll(() => allow().isEnabled()).toBe(true);
      expect(await page.locator(".approval-command").innerText()).toBe(command);
    };
    await page.getByRole("textbox", { name: "Prompt" }).waitFor();
    await pressTwice("git push origin one", press);
    const prompt = ["one", "two", "three"].map((name) => `run git push origin ${name}`).join("\n");
    await place.served.client().startTurn(thread, { prompt });
    await stillAsks("git push origin one");
    expect(answers).toEqual([]);
    await pressTwice("git push origin two", press);
    await pressTwice("git push origin one", press);
    await stillAsks("git push origin two");
    expect(answers).toEqual([{ decision: "allow" }]);
  },
);
