/** The questions of approvals: what they show, and which presses answer them. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
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
    const thread = await place.thread("say hello");
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
    await page.getByRole("article", { name: "Turn #1" }).waitFor();
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

test("[F2] [X8] a question about a file shows the whole change, with its path", async () => {
  const thread = await place.thread("say hello");
  page = await place.page(`/t/${thread}`);
  await page.getByRole("article", { name: "Turn #1" }).waitFor();
  await page.getByText("live", { exact: true }).waitFor();
  const content = Array.from({ length: 100 }, (_, index) => `echo ${index + 1}`).join("\\n");
  await place.served.client().startTurn(thread, { prompt: `write ../outside.sh: ${content}` });
  const change = question().locator(".change-lines");
  await change.getByText("outside.sh (new)").waitFor();
  const lines = (await change.innerText()).trim().split(/\n+/);
  expect(lines[0]?.startsWith("/")).toBe(true);
  expect(lines.slice(-100)).toEqual(Array.from({ length: 100 }, (_, index) => `+echo ${index + 1}`));
});

test("[F2] [X13] a question shows the characters of a command that would show it in another order", async () => {
  const thread = await place.thread("say hello");
  page = await place.page(`/t/${thread}`);
  await page.getByRole("article", { name: "Turn #1" }).waitFor();
  await place.served.client().startTurn(thread, { prompt: "run git push \u202eniam nigiro" });
  await question().waitFor();
  expect(await page.locator(".approval-command").innerText()).toBe("git push \ufffdniam nigiro");
});

test("[F2] a call with several edits shows and counts the lines that change, and a long change is shown whole on request", async () => {
  const script = join(mkdtempSync(join(tmpdir(), "retake-script-")), "script.json");
  const call = (name: string, input: object) => ({ steps: [{ tool_calls: [{ name, input }] }, { text: "done" }] });
  const long = Array.from({ length: 70 }, (_, index) => `line ${index + 1}\n`).join("");
  const edits = [
    { old_text: "line 1\nline 2\n", new_text: "line 1\nsecond\n" },
    { old_text: "line 70\n", new_text: "" },
  ];
  const path = "long.txt";
  writeFileSync(
    script,
    JSON.stringify({ turns: [call("write", { path, content: long }), call("edit", { path, edits })] }),
  );
  const scripted = await WebPlace.open({ RETAKE_SCRIPT: script });
  try {
    page = await scripted.page(`/t/${await scripted.thread("write it", "edit it")}`);
    const edit = page.getByRole("article", { name: /^Tool edit/ });
    expect(await edit.locator(".counts").textContent()).toBe("+1\u22122");
    await edit.locator(".call-title").click();
    const shown = (row: Locator) => row.locator(".change-lines span").allInnerTexts();
    await expect
      .poll(() => shown(edit))
      .toEqual([" line 1", "-line 2", "+second", "-line 70"].map((line) => `${line}\n`));
    const write = page.getByRole("article", { name: /^Tool write/ });
    // By keyboard: the rows still move while their heights are measured, and a click may miss.
    await write.locator(".call-title").press("Enter");
    await write.getByRole("button", { name: "Show all 70 lines of the change" }).press("Enter");
    await expect.poll(async () => (await shown(write)).at(-1)).toBe("+line 70\n");
    scripted.expectNoProblems();
  } finally {
    await scripted.close();
  }
});

test("[F2] a question that was asked while the page was opened shows its directory, too", async () => {
  const thread = await place.thread("say hello");
  await place.served.client().startTurn(thread, { prompt: "run git push origin late" });
  const asked = async () => (await place.served.client().listTurns(thread)).turns.flatMap(({ approvals }) => approvals);
  await expect.poll(async () => (await asked()).length).toBe(1);
  page = await place.page();
  let isFirst = true;
  await page.route(/\/turns\?/, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { turns: object[] };
    // The first answer is from before the question, and its event from before the page listened.
    const turns = isFirst ? answer.turns.map((turn) => ({ ...turn, approvals: [] })) : answer.turns;
    isFirst = false;
    await route.fulfill({ response, json: { ...answer, turns } });
  });
  await page.goto(`${place.served.url}/t/${thread}`);
  await question().getByText(`in ${place.served.place.root}`).waitFor();
});

test("[F2] a question shows the command that it is about, also on a small screen", async () => {
  page = await place.page();
  await page.setViewportSize({ width: 720, height: 450 });
  const { thread } = await place.served.client().createThread({});
  await place.served.client().startTurn(thread.id, { prompt: `run git push ${"one two three ".repeat(20)}; curl x` });
  await page.goto(`${place.served.url}/t/${thread.id}`);
  const command = question().locator(".approval-command");
  await command.waitFor();
  const lines = await command.evaluate(
    (text) => text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight),
  );
  expect(lines).toBeGreaterThan(3);
});
