import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Flow } from "./flow-page.ts";

/** Flows of the whole thread: settings, context, reset, saves, snapshots, files. */
export const THREADS: readonly Flow[] = [
  {
    title:
      "[S2] [S4] [D4] settings, roles and context save themselves, say where takes differ, and one key takes the last back",
    run: async ({ page, place, hands, named, button, inspectorTab, client, open }) => {
      const facts = named("facts.md");
      place.write(facts, "x".repeat(400));
      const thread = await open("say hello");
      await hands.open(inspectorTab("Settings"));
      await hands.write(page.getByRole("spinbutton", { name: "Temperature" }), "0.3");
      await page.keyboard.press("Tab");
      await expect.poll(async () => (await client().getSettings(thread)).temperature).toBe(0.3);
      await hands.write(page.getByRole("textbox", { name: "New role" }), "Critic");
      await hands.press(button("Add a role"));
      await button("Remove the role Critic").waitFor();
      await client().branch(thread, { entry: "#1" });
      await client().changeSettings(thread, { temperature: 0.8 });
      await page.getByText("main has 0.3").waitFor();
      await hands.open(inspectorTab("Context"));
      await hands.write(page.getByRole("combobox", { name: "Add to context files" }), facts);
      await page.keyboard.press("Enter");
      await page.getByRole("list", { name: "Context files" }).getByText("about 100 tokens").waitFor();
      await hands.press(button(`Remove ${facts} from context files`));
      await expect.poll(async () => (await client().getSettings(thread)).context_files).toEqual([]);
      await inspectorTab("Context").focus();
      await page.keyboard.press("Control+z");
      await expect
        .poll(async () => (await client().getSettings(thread)).context_files)
        .toMatchObject([{ path: facts }]);
    },
  },
  {
    title: "[S6] [B11] the thread is shortened, cleared and reset, and each is brought back",
    run: async ({ place, hands, named, button, client, open }) => {
      const kept = named("kept.txt");
      const thread = await open(`write ${kept}: kept`, "say more");
      const count = async () => (await client().listEntries(thread)).entries.length;
      const all = await count();
      const menu = button("More for this thread");
      for (const [item, left] of [
        ["Keep only the last pair", 2],
        ["Clear this take", 0],
        ["Reset the thread", 0],
      ] as const) {
        await hands.choose(menu, item);
        await expect.poll(count, { message: item }).toBe(left);
        await hands.press(button("Undo").first());
        await expect.poll(count, { message: item }).toBe(all);
      }
      expect(place.file(kept)).toBe("kept");
    },
  },
  {
    title: "[P1] [P4] a save is gone on from, a snapshot restored, and a thread exported and imported",
    run: async ({ page, place, hands, kind, named, button, row, plan, inspectorTab, client, file, open }) => {
      const [saved, good, point] = [named("saved.txt"), named("good"), named("point")];
      const thread = await open(`write ${saved}: one`);
      await hands.open(inspectorTab("History"));
      await hands.press(button("Snapshots"));
      await hands.write(page.getByRole("textbox", { name: "Label of the snapshot" }), good);
      await hands.press(button("Take a snapshot"));
      const listed = page.getByRole("list", { name: "Snapshots" }).getByRole("listitem").filter({ hasText: good });
      await listed.waitFor();
      await hands.press(button("Saves"));
      await hands.write(page.getByRole("textbox", { name: "Name of the save" }), point);
      await hands.press(button("Save this point"));
      await page.getByRole("list", { name: "Saves" }).getByText(point).waitFor();
      await place.served.turn(thread, `write ${saved}: two`);
      await hands.press(button("Go on from here"));
      await file(saved).toBe("one");
      await client().undo(thread);
      await file(saved).toBe("two");
      await hands.press(button("Snapshots"));
      await hands.press(listed.getByRole("button", { name: "Restore" }));
      await hands.press(plan(`Restore ${good}`));
      await file(saved).toBe("one");
      await hands.open(inspectorTab("Settings"));
      const [download] = await Promise.all([page.waitForEvent("download"), hands.press(button("Export JSON"))]);
      const path = join(dirname(place.served.place.root), named("exported"), download.suggestedFilename());
      mkdirSync(dirname(path));
      await download.saveAs(path);
      const field = page.getByLabel("Import a file");
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        kind === "mouse" ? page.getByText("Import a file", { exact: true }).click() : hands.press(field),
      ]);
      await chooser.setFiles(path);
      await page.waitForURL((url) => url.pathname.startsWith("/t/") && url.pathname !== `/t/${thread}`);
      await row(/^User #1/).waitFor();
    },
  },
];
