import { expect, test } from "vitest";
import { PacedModel } from "./paced-model.ts";
import { WebPlace } from "./web-place.ts";

const WORDS = 60;

test("[A2] an answer that pauses stays rendered and busy, although all its words are saved", async () => {
  const model = await PacedModel.open(200, WORDS);
  const place = await WebPlace.open(model.environment);
  try {
    const thread = await place.thread();
    const page = await place.page(`/t/${thread}`);
    await place.served.client().startTurn(thread, { prompt: "Tell me a story" });
    const saved = async () => (await place.served.client().listEntries(thread, { last: 1 })).entries[0]?.content ?? "";
    await expect.poll(saved).toContain(`w${WORDS - 1} `);
    const answer = page.getByRole("article", { name: /^AI #1/ });
    await answer.getByText(`w${WORDS - 1}`).waitFor();
    // The events of the last save were sent before its answer to this request; the page draws them in its next frames.
    await place.served.client().changeThread(thread, { title: "After the last words" });
    await page.getByRole("heading", { name: "After the last words" }).waitFor();
    expect(await answer.locator(".prose").count()).toBe(1);
    expect(await answer.locator("[aria-busy=true]").count()).toBe(1);
    model.finish();
    await page.getByTestId("status").getByText("Done: 0 files changed").waitFor();
    expect(await answer.locator("[aria-busy=true]").count()).toBe(0);
    place.expectNoProblems();
  } finally {
    await place.close();
    await model.close();
  }
});

test("[U7] a turn that begins and ends between two frames is announced", async () => {
  const place = await WebPlace.open();
  try {
    const thread = await place.thread("write one.txt: 1");
    const page = await place.page(`/t/${thread}`);
    await page.getByRole("article", { name: "Turn #1" }).waitFor();
    // Without frames the page draws nothing of the turn until it is over.
    await page.evaluate(() => {
      const waiting: FrameRequestCallback[] = [];
      const { requestAnimationFrame: draw } = window;
      Object.assign(window, {
        requestAnimationFrame: (callback: FrameRequestCallback) => waiting.push(callback),
        drawAgain: () => {
          window.requestAnimationFrame = draw;
          for (const callback of waiting) draw(callback);
        },
      });
    });
    const operation = page.waitForResponse(/summary/);
    await place.served.turn(thread, "write two.txt: 2");
    await operation;
    await page.evaluate(() => (window as unknown as { drawAgain(): void }).drawAgain());
    await page.getByTestId("status").getByText("Done: 1 file changed").waitFor();
    place.expectNoProblems();
  } finally {
    await place.close();
  }
});
