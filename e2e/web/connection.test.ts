import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebPlace } from "./web-place.ts";

describe("a page whose server goes away", () => {
  let place: WebPlace;
  beforeAll(async () => {
    place = await WebPlace.open();
  });
  afterAll(() => place?.close());

  test("[S9] [X9] says so, keeps what is typed, and sends nothing meanwhile", async () => {
    const thread = await place.thread("write kept.txt: 1");
    const page = await place.page(`/t/${thread}`);
    const prompt = page.getByRole("textbox", { name: "Prompt" });
    await page.getByRole("article", { name: "Turn #1" }).waitFor();
    await place.served.stop("SIGKILL");
    await prompt.fill("typed while nobody listened");
    await page.getByText("The server cannot be reached.").waitFor();
    expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    expect(await prompt.inputValue()).toBe("typed while nobody listened");
    await place.served.start();
    await page.close();
  });

  test("[P5] two windows share one event stream, and both follow", async () => {
    const thread = await place.thread("write shared.txt: 1");
    const pages = [
      await place.page(`/t/${thread}`),
      await place.page(`/t/${thread}`),
      await place.page(`/t/${thread}`),
    ];
    for (const page of pages) await page.getByRole("article", { name: "Turn #1" }).waitFor();
    await place.served.turn(thread, "write shared.txt: 2");
    for (const page of pages) await page.getByRole("article", { name: "Turn #2" }).waitFor();
    const streams = await Promise.all(
      pages.map((page) =>
        page.evaluate(
          () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/v1/events")).length,
        ),
      ),
    );
    expect(streams).toEqual([0, 0, 0]);
    for (const page of pages) await page.close();
    place.expectNoProblems();
  });

  test("[P5] a browser that is not signed in reads how to sign in, and gets no file of the page", async () => {
    const answer = await fetch(`${place.served.url}/t/anything`, { headers: { accept: "text/html" } });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain("retake web");
    const icon = await fetch(`${place.served.url}/icon.svg`);
    expect(icon.status).toBe(401);
  });
});
