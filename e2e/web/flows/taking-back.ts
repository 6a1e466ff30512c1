import { expect } from "vitest";
import { type Flow, isFocusIn, lines, written } from "./flow-page.ts";

/** Flows of taking back: review, undo, conflicts, takes, history. */
export const TAKING_BACK: readonly Flow[] = [
  {
    title: "[X3] a review takes back a hunk, chosen hunks, a file and several turns",
    run: async ({ page, hands, named, button, inspectorTab, client, file, open }) => {
      const [long, other, third] = [named("long.txt"), named("other.txt"), named("third.txt")];
      const changed = written(long, lines({ 2: "two", 15: "fifteen", 28: "twenty-eight" }));
      const thread = await open(written(long, lines()), `${changed}\nwrite ${other}: new`, `write ${third}: 3`);
      await hands.open(inspectorTab("Changes"));
      const panel = page.locator("#inspector-panel");
      await hands.select(page.getByRole("combobox", { name: "Turn", exact: true }), `#2 ${`${changed}`.slice(0, 40)}`);
      await page.getByTestId("changed-count").getByText("2 changed files").waitFor();
      await hands.press(panel.getByRole("button", { name: new RegExp(long) }));
      await page.getByTestId("open-file").getByText("+twenty-eight").waitFor();
      await hands.press(page.getByRole("region", { name: "Hunk 3 of 3" }).getByRole("button", { name: "Take back" }));
      await file(long).toBe(lines({ 2: "two", 15: "fifteen" }));
      for (const hunk of [1, 2]) await hands.press(page.getByRole("checkbox", { name: `Select hunk ${hunk}` }));
      await hands.press(button("Take back 2 hunks"));
      await file(long).toBe(lines());
      await hands.press(panel.getByRole("button", { name: new RegExp(other) }));
      await page.getByTestId("open-file").getByText("+new").waitFor();
      await hands.press(button("Take back this file"));
      await file(other).toBeUndefined();
      await client().undo(thread, { steps: 3 });
      await file(long).toBe(lines({ 2: "two", 15: "fifteen", 28: "twenty-eight" }));
      await hands.select(page.getByRole("combobox", { name: "What to review" }), "Several turns");
      await hands.select(page.getByRole("combobox", { name: "First turn" }), `#2 ${`${changed}`.slice(0, 40)}`);
      await page.getByTestId("changed-count").getByText("3 changed files").waitFor();
      await hands.press(button("Take back these turns"));
      await file(third).toBeUndefined();
      await file(long).toBe(lines());
      await file(other).toBeUndefined();
      expect((await client().listTurns(thread)).turns.map(({ name }) => name)).toEqual(["#1"]);
    },
  },
  {
    title: "[U1] [U3] [U6] undo is previewed, left, narrowed to the files, done, and brought back",
    run: async ({ page, place, hands, kind, named, button, row, prompt, plan, client, file, open }) => {
      const [one, two] = [named("u1.txt"), named("u2.txt")];
      const thread = await open(`write ${one}: 1`, `write ${two}: 2`);
      const start = () =>
        kind === "mouse" ? button("Undo to before #2").click() : page.keyboard.press("Control+Alt+z");
      await start();
      await page.getByTestId("plan-counts").getByText("1 file").waitFor();
      expect(place.file(two)).toBe("2");
      if (kind === "mouse") await button(/^Leave/).click();
      else await page.keyboard.press("Escape");
      await page.getByTestId("plan-counts").waitFor({ state: "detached" });
      await start();
      await hands.press(page.getByRole("group", { name: "What to take back" }).getByRole("button", { name: "Files" }));
      await expect.poll(() => page.getByTestId("plan-counts").innerText()).not.toContain("entr");
      await hands.press(plan(/^Undo 1 turn/));
      await file(two).toBeUndefined();
      await row("Turn #2").waitFor();
      await hands.press(page.getByRole("region", { name: "Undone" }).getByRole("button", { name: "Bring back" }));
      await file(two).toBe("2");
      await hands.write(prompt(), "/undo 2");
      await page.keyboard.press("Enter");
      await hands.press(plan(/^Undo 2 turns/));
      await file(one).toBeUndefined();
      await file(two).toBeUndefined();
      await expect.poll(() => prompt().inputValue()).toBe(`write ${one}: 1`);
      if (kind === "mouse") await button("Redo").click();
      else {
        // The preview gives the focus back when it is done.
        await expect.poll(() => isFocusIn(prompt())).toBe(true);
        await page.keyboard.press("Escape");
        await page.keyboard.press("Control+y");
      }
      await file(two).toBe("2");
      expect((await client().listTurns(thread)).turns).toHaveLength(2);
    },
  },
  {
    title: "[X1] [U4] conflicts are decided one by one, and nothing changes until then",
    run: async ({ page, place, hands, kind, named, button, plan, file, open }) => {
      const [mine, theirs, both] = ["mine.txt", "theirs.txt", "both.txt"].map(named) as [string, string, string];
      const each = (text: string) => [mine, theirs, both].map((name) => `write ${name}: ${text}`).join("\n");
      await open(each("base"), each("agent"));
      for (const name of [mine, theirs, both]) place.write(name, "user\n");
      const start = () =>
        kind === "mouse" ? button("Undo to before #2").click() : page.keyboard.press("Control+Alt+z");
      await start();
      await page.getByText("0 of 3 decided").waitFor();
      await page.waitForURL((url) => url.pathname.includes("/resolve/"));
      await page.goBack();
      await page.getByText("0 of 3 decided").waitFor({ state: "detached" });
      expect(place.file(mine)).toBe("user\n");
      await start();
      await page.getByText("0 of 3 decided").waitFor();
      const choice = (name: string, use: string) =>
        page.getByRole("group", { name: `${name}: which version` }).getByRole("button", { name: use });
      await hands.press(choice(mine, "Keep mine"));
      await page.getByText("1 of 3 decided").waitFor();
      await hands.press(choice(theirs, "Take back"));
      await page.getByText("2 of 3 decided").waitFor();
      expect(place.file(theirs)).toBe("user\n");
      const sides = page.locator("li").filter({ has: page.getByRole("group", { name: `${both}: which version` }) });
      await hands.press(sides.getByText("Show the sides"));
      await hands.write(page.getByRole("textbox", { name: `Result for ${both}` }), "user and agent\n");
      await hands.press(sides.getByRole("button", { name: "Use this result" }));
      await hands.press(plan(/^Undo 1 turn/));
      // The files are put in place one after the other.
      await file(both).toBe("user and agent\n");
      await file(theirs).toBe("base");
      expect(place.file(mine)).toBe("user\n");
    },
  },
  {
    title: "[A7] [X6] [D3] takes are made, renamed, switched with their files, promoted and deleted",
    run: async ({ page, hands, named, button, takes, file, open, act }) => {
      const [base, later] = [named("base.txt"), named("later.txt")];
      await open(`write ${base}: base`, `write ${later}: later`);
      await act("Turn #1", "More for turn #1", "Branch here", "b");
      await takes().getByRole("tab", { selected: true, name: "main_take_1" }).waitFor();
      await file(later).toBeUndefined();
      const name = async (item: string, text: string) => {
        await hands.choose(button(/^More for take/), item);
        await page.getByRole("textbox", { name: "Name" }).fill(text);
        await page.keyboard.press("Enter");
        await takes().getByRole("tab", { selected: true, name: text }).waitFor();
      };
      await name("Rename take", "idea");
      await hands.open(takes().getByRole("tab", { name: "main", exact: true }));
      await file(later).toBe("later");
      await hands.open(takes().getByRole("tab", { name: "idea" }));
      await file(later).toBeUndefined();
      await name("Promote to a name of its own", "chosen");
      await hands.choose(button(/^More for take/), "Delete take");
      await takes().getByRole("tab", { selected: true, name: "main", exact: true }).waitFor();
      await file(later).toBe("later");
    },
  },
  {
    title: "[X6] takes are compared; a hunk, then a file of the other one is taken over",
    run: async ({ page, place, hands, named, button, row, inspectorTab, client, file, show }) => {
      const [long, other] = [named("long.txt"), named("only.txt")].map((name) => `c-${name}`) as [string, string];
      const thread = await place.thread(
        written(long, lines()),
        `${written(long, lines({ 2: "two", 28: "twenty-eight" }))}\nwrite ${other}: main`,
      );
      await client().branch(thread, { entry: "#1" });
      await client().changeSettings(thread, { temperature: 0.7 });
      await show(thread, 1);
      await hands.open(inspectorTab("Takes"));
      await hands.press(button("Compare with main"));
      const compare = page.getByTestId("compare");
      await compare.getByRole("region", { name: "main #2", exact: true }).waitFor();
      await hands.press(compare.getByRole("button", { name: "Settings" }));
      await compare.getByRole("row", { name: /temperature/ }).waitFor();
      await hands.press(compare.getByRole("button", { name: "Files (2)" }));
      const changed = compare.getByRole("region", { name: long });
      await changed.getByText("+twenty-eight").waitFor();
      await hands.press(
        changed.getByRole("region", { name: "Hunk 2 of 2" }).getByRole("button", { name: "Take over" }),
      );
      await file(long).toBe(lines({ 28: "twenty-eight" }));
      expect(place.file(other)).toBeUndefined();
      await hands.press(compare.getByRole("region", { name: other }).getByRole("button", { name: /^Take over from/ }));
      await file(other).toBe("main");
      await hands.press(compare.getByRole("button", { name: "Back" }));
      await row("Turn #1").waitFor();
    },
  },
  {
    title:
      "[S1] [L12] history is filtered, looked at, walked through, gone to, branched at, and one step of it is taken back",
    run: async ({ page, place, hands, kind, named, plan, takes, inspectorTab, client, file, show }) => {
      const story = named("story.txt");
      const thread = await place.thread(`write ${story}: one`, `write ${story}: two`);
      await client().changeSettings(thread, { temperature: 0.9 });
      await show(thread, 2);
      await hands.open(inspectorTab("History"));
      const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
      await steps.first().waitFor();
      await hands.select(page.getByRole("combobox", { name: "Kind" }), "Setting");
      await expect.poll(() => steps.count()).toBe(1);
      await hands.press(steps.getByRole("button", { name: "Take back only this" }));
      await expect.poll(async () => (await client().getSettings(thread)).temperature).not.toBe(0.9);
      await hands.select(page.getByRole("combobox", { name: "Kind" }), "Any kind");
      await hands.write(page.getByRole("searchbox", { name: "Filter steps" }), `${story}: one`);
      await expect.poll(() => steps.count()).toBe(1);
      await hands.press(steps.getByRole("button", { name: "Show as it was" }));
      const past = page.getByTestId("time-travel");
      await past.getByText("Nothing on disk has changed").waitFor();
      await past.getByText(`${story}: one`).first().waitFor();
      expect(place.file(story)).toBe("two");
      const slider = page.getByRole("slider", { name: "Moment" });
      if (kind === "mouse") {
        const { width, height } = (await slider.boundingBox()) ?? { width: 0, height: 0 };
        await slider.click({ position: { x: width - 2, y: height / 2 } });
      } else {
        await hands.reach(slider);
        await page.keyboard.press("End");
      }
      await past.getByText(`${story}: two`).first().waitFor();
      expect(place.file(story)).toBe("two");
      await hands.press(past.getByRole("button", { name: /^Back to now/ }));
      await past.waitFor({ state: "detached" });
      await hands.press(steps.getByRole("button", { name: "Go here" }));
      await hands.press(plan(/^Go to/));
      await file(story).toBe("one");
      await client().undo(thread);
      await file(story).toBe("two");
      await hands.press(steps.getByRole("button", { name: "Branch here" }).last());
      await takes().getByRole("tab", { selected: true, name: "main_take_1" }).waitFor();
      await file(story).toBe("one");
    },
  },
];
