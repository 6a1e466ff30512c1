import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { type Flow, lines, written } from "./flow-page.ts";

const IMAGES = ["thread.png", "undo.png"].map((name) =>
  readFileSync(new URL(`../../../docs/images/${name}`, import.meta.url)),
);

/** Flows of the review beyond taking back: several turns at once, marks, images. */
export const REVIEWING: readonly Flow[] = [
  {
    title: "[X3] a hunk of several turns is taken back, stays visible, and is brought back",
    run: async ({ page, hands, named, button, inspectorTab, client, file, open }) => {
      const long = named("range.txt");
      const thread = await open(
        written(long, lines()),
        written(long, lines({ 2: "two" })),
        written(long, lines({ 2: "two", 28: "twenty-eight" })),
      );
      await hands.open(inspectorTab("Changes"));
      await hands.select(page.getByRole("combobox", { name: "What to review" }), "Several turns");
      const second = written(long, lines({ 2: "two" })).slice(0, 40);
      await hands.select(page.getByRole("combobox", { name: "First turn" }), `#2 ${second}`);
      const hunk = page.getByRole("region", { name: "Hunk 1 of 2" });
      await hands.press(hunk.getByRole("button", { name: "Take back" }));
      await file(long).toBe(lines({ 28: "twenty-eight" }));
      await hands.press(hunk.getByRole("button", { name: "Bring back" }));
      await file(long).toBe(lines({ 2: "two", 28: "twenty-eight" }));
      await hunk.getByRole("button", { name: "Take back" }).waitFor();
      await hands.press(button("Take back this file"));
      await file(long).toBe(lines());
      await button("Bring back this file").waitFor();
      await client().undo(thread, { steps: 1 });
      await button("Take back this file").waitFor();
      await file(long).toBe(lines({ 2: "two", 28: "twenty-eight" }));
    },
  },
  {
    title: "[X3] files are marked as seen, and a change that becomes another one is not seen any more",
    run: async ({ page, place, hands, named, inspectorTab, open }) => {
      const [one, two] = [named("one.txt"), named("two.txt")];
      await open(`write ${one}: 1\nwrite ${two}: 2`);
      await hands.open(inspectorTab("Changes"));
      await hands.select(page.getByRole("combobox", { name: "What to review" }), "This take since it began");
      const panel = page.locator("#inspector-panel");
      const count = page.getByTestId("changed-count");
      for (const [seen, name] of [one, two].entries()) {
        await hands.press(panel.getByRole("button", { name: new RegExp(name) }));
        await page.getByRole("heading", { name, exact: true }).waitFor();
        await hands.press(page.getByRole("checkbox", { name: "Seen" }));
        await count.getByText(`${seen + 1} seen`).waitFor();
      }
      place.write(two, "another");
      await page.reload();
      await hands.select(page.getByRole("combobox", { name: "What to review" }), "This take since it began");
      await count.getByText("1 seen").waitFor();
      await panel.getByRole("button", { name: new RegExp(`${one}.*seen`) }).waitFor();
    },
  },
  {
    title: "[X3] each line says which turn wrote it, and leads there",
    run: async ({ page, place, hands, named, button, row, inspectorTab, open }) => {
      const poem = named("poem.txt");
      place.write(poem, "old\n");
      await open(`write ${poem}: old\\none\\n`, "say more", `write ${poem}: old\\none\\ntwo\\n`);
      place.write(poem, "old\none\ntwo\nmine\n");
      await hands.open(inspectorTab("Changes"));
      await hands.select(page.getByRole("combobox", { name: "What to review" }), "This take since it began");
      await hands.press(button("Who wrote it"));
      const lines = page.getByTestId("hunk-lines").getByRole("row");
      await expect.poll(() => lines.count()).toBe(4);
      await expect.poll(() => lines.locator(".writer").allInnerTexts()).toEqual(["older", "#1", "#3", "outside"]);
      await hands.press(button("Go to turn #1"));
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest("[data-row]")?.ariaLabel))
        .toMatch(/#1/);
      await row(/^User #1/).waitFor();
      expect(place.file(poem)).toBe("old\none\ntwo\nmine\n");
    },
  },
  {
    title: "[X3] an image is shown as it was and as it is, and taken back",
    run: async ({ page, place, hands, named, button, plan, inspectorTab, open }) => {
      const picture = named("picture.png");
      const [first, second] = IMAGES as [Buffer, Buffer];
      for (const [index, bytes] of IMAGES.entries()) place.write(named(`${index}.bin`), bytes);
      await open(`run cp ${named("0.bin")} ${picture}`, `run cp ${named("1.bin")} ${picture}`);
      expect(place.bytes(picture)).toEqual(second);
      await hands.open(inspectorTab("Changes"));
      const sizes = async () => {
        const shown = page.getByRole("figure").getByRole("img");
        return shown.evaluateAll((list) => list.map((image) => (image as HTMLImageElement).naturalWidth > 0));
      };
      await expect.poll(sizes).toEqual([true, true]);
      await page.getByRole("img", { name: `Before: ${picture}` }).waitFor();
      await hands.press(button("Take back this file"));
      // Where commands are not confined, what they did elsewhere stays, and the plan says so first.
      const isBack = () => place.bytes(picture)?.equals(first) === true;
      const apply = plan(/^Take back #2/);
      await expect.poll(async () => isBack() || (await apply.isVisible())).toBe(true);
      if (!isBack()) await hands.press(apply);
      await expect.poll(isBack).toBe(true);
    },
  },
];
