import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebPlace } from "./web-place.ts";

describe("the web page", () => {
  let place: WebPlace;
  beforeAll(async () => {
    place = await WebPlace.open();
  });
  afterAll(() => place?.close());

  test("[S5] [U1] sends a prompt, shows the answer, and undo takes conversation and file back", async () => {
    const page = await place.page();
    await page.getByRole("button", { name: "New thread" }).click();
    const prompt = page.getByRole("textbox", { name: "Prompt" });
    await prompt.fill("write notes.txt: first idea");
    await prompt.press("Enter");
    await page.getByText("write notes.txt").last().waitFor();
    await expect.poll(() => place.file("notes.txt")).toContain("first idea");
    await place.turnsEnded(page);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect.poll(() => place.file("notes.txt")).toBeUndefined();
    place.expectNoProblems();
    await page.close();
  });
});
