import { expect } from "vitest";
import { type Flow, isFocusIn } from "./flow-page.ts";

/** Flows of the conversation: prompts, questions, entries, search. */
export const TALKING: readonly Flow[] = [
  {
    title: "[U1] [S5] a prompt is sent, another waits in the queue and is edited, the turn is stopped",
    run: async ({ page, place, hands, kind, named, button, row, prompt, file, open }) => {
      const notes = named("notes.txt");
      await open();
      await hands.write(prompt(), `write ${notes}: first idea`);
      if (kind === "mouse") await button("Send").click();
      else await page.keyboard.press("Enter");
      await file(notes).toContain("first idea");
      await place.turnsEnded(page);
      await hands.write(prompt(), "run sleep 1000");
      await hands.press(button("Send"));
      await row(/^Tool bash/)
        .getByText("runs …")
        .waitFor();
      for (const name of ["one", "two"]) {
        await hands.write(prompt(), `write ${named(name)}: later`);
        await hands.press(button("Queue"));
        await button(`write ${named(name)}: later`).waitFor();
      }
      await hands.press(button(`write ${named("one")}: later`));
      await expect.poll(() => prompt().inputValue()).toBe(`write ${named("one")}: later`);
      await hands.press(button(`Remove from the queue: write ${named("two")}: later`));
      await page.getByRole("list", { name: "Queued prompts" }).waitFor({ state: "detached" });
      if (kind === "mouse")
        await page.getByRole("form", { name: "Prompt" }).getByRole("button", { name: "Stop" }).click();
      else await page.keyboard.press("Control+.");
      await row(/^Tool bash/)
        .getByText("stopped")
        .waitFor();
      expect([place.file(named("one")), place.file(named("two"))]).toEqual([undefined, undefined]);
    },
  },
  {
    title: "[X8] [X13] a question is allowed, allowed for ever, and denied",
    run: async ({ page, place, hands, kind, named, prompt, client, file, open }) => {
      const thread = await open("say hello");
      const question = page.getByRole("region", { name: "Approval" });
      const answer = async (name: string, key: string) => {
        await question.getByText("May the agent run this?").waitFor();
        if (kind === "mouse") await question.getByRole("button", { name: new RegExp(`^${name}`) }).click();
        else {
          // The prompt has the focus: the question is the part before it in the order of Tab.
          for (let press = 0; press < 20 && !(await isFocusIn(question)); press += 1)
            await page.keyboard.press("Shift+Tab");
          await expect.poll(() => question.getByRole("button", { name: /^Allow/ }).isEnabled()).toBe(true);
          await page.keyboard.press(key);
        }
        await question.waitFor({ state: "detached" });
        await place.served.turnsEnded(thread);
      };
      const ask = async (command: string) => {
        await hands.write(prompt(), `run ${command}`);
        await page.keyboard.press("Enter");
      };
      await ask(`touch ${named("yes")}; git push`);
      await answer("Allow", "y");
      await file(named("yes")).toBe("");
      await ask(`touch ${named("no")}; git push`);
      await answer("Deny n", "n");
      expect(place.file(named("no"))).toBeUndefined();
      await ask(`touch ${named("why")}; git push`);
      await question.getByText("May the agent run this?").waitFor();
      await hands.press(question.getByRole("button", { name: "Deny with a reason" }));
      await page.getByRole("textbox", { name: "Reason, for the agent" }).waitFor();
      await page.keyboard.insertText("do not push anything");
      await page.keyboard.press("Enter");
      await question.waitFor({ state: "detached" });
      await place.served.turnsEnded(thread);
      expect(place.file(named("why"))).toBeUndefined();
      const { entries } = await client().listEntries(thread, { role: "Tool" });
      expect(entries.at(-1)?.content).toBe("Denied: the user says: do not push anything");
      await ask("git push");
      await answer("Always", "a");
      const { rules } = await client().getApprovals();
      expect(rules.at(-1)).toMatchObject({
        tool: "bash",
        decision: "allow",
        command: expect.stringContaining("git push"),
      });
      await client().changeApprovals({ remove: rules.length });
    },
  },
  {
    title: "[A1] [X7] an entry is edited, saved as a new take, and a prompt is run again",
    run: async ({ page, place, hands, kind, named, button, takes, client, file, open, act }) => {
      const [first, second, again] = [named("e1.txt"), named("e2.txt"), named("e3.txt")];
      const thread = await open(`write ${first}: 1`, `write ${second}: 2`);
      const texts = async () => (await client().listEntries(thread)).entries.map(({ content }) => content);
      const editor = page.getByRole("textbox", { name: "Text of the entry" });
      const edit = async (at: RegExp, name: string | RegExp, text: string) => {
        if (kind === "mouse") await button(name).first().click();
        else await act(at, "", "", "e");
        await editor.waitFor();
        await page.keyboard.press("Control+a");
        await page.keyboard.insertText(text);
      };
      await edit(/^User #1\.0/, "Edit entry #1.0", "another first prompt");
      await page.getByText(/must be sent again|Breaks nothing/).waitFor();
      await hands.press(button(/^Save Ctrl/));
      await expect.poll(async () => (await texts())[0]).toBe("another first prompt");
      await edit(/^User #2\.0/, "Edit entry #2.0", `write ${again}: 3`);
      await hands.press(button("Save and run again"));
      await file(again).toBe("3");
      expect(place.file(second)).toBeUndefined();
      await place.served.turnsEnded(thread);
      await edit(/^User #1\.0/, "Edit entry #1.0", `write ${second}: new`);
      await hands.press(button("Save and run again"));
      await takes().getByRole("tab", { selected: true, name: "main_take_1" }).waitFor();
      await file(second).toBe("new");
      await file(again).toBeUndefined();
      await place.served.turnsEnded(thread);
      await edit(/^User #\d+\.0/, /^Edit entry #\d+\.0/, "a take of its own");
      await hands.press(button("Save as a new take"));
      await expect.poll(() => takes().getByRole("tab").count()).toBe(3);
      expect(await texts()).toEqual(["a take of its own"]);
    },
  },
  {
    title: "[A3] [A4] [A5] [A6] an entry is inserted, gets another role, is collapsed and deleted, and undone",
    run: async ({ page, hands, button, row, client, open, act }) => {
      const thread = await open("Say hello");
      const entries = async () => (await client().listEntries(thread)).entries;
      await act(/^AI #1/, /^More for entry #1\.1/, "Insert before", "i");
      await page.getByRole("textbox", { name: "Text of the entry" }).waitFor();
      await page.keyboard.insertText("between");
      await hands.press(button(/^Save Ctrl/));
      await expect.poll(async () => (await entries())[1]?.content).toBe("between");
      await hands.choose(row(/^User(?! #)/).getByRole("button", { name: /^Role: User/ }), "System");
      await expect.poll(async () => (await entries())[1]?.role).toBe("System");
      const more = row(/^System(?! #)/).getByRole("button", { name: /^More for entry/ });
      const read = (await entries())[1]?.["read_mode"];
      await act(/^System(?! #)/, /^More for entry (?!#)/, read ? "Show as plain text" : "Show as Markdown", "m");
      await expect.poll(async () => (await entries())[1]?.["read_mode"]).toBe(!read);
      await hands.choose(more, "Collapse");
      await expect.poll(async () => (await entries())[1]?.collapsed).toBe(true);
      await hands.choose(more, "Delete");
      // The notices of the changes before it have the same button. It stays on the screen under the pointer.
      const removal = page.locator(".notice").filter({ hasText: "Remove System entry" });
      await removal.dispatchEvent("pointerover");
      await expect.poll(async () => (await entries()).length).toBe(2);
      await hands.press(removal.getByRole("button", { name: "Undo" }));
      await expect.poll(async () => (await entries()).length).toBe(3);
    },
  },
  {
    title: "[L11] words are found in the thread and in all threads",
    run: async ({ page, place, hands, named, button, open }) => {
      const word = named("word").replace("-", "");
      const other = await place.thread(`Tell me about ${word}`);
      const thread = await open("Say hello", `Say ${word}`, "Say more");
      await page.keyboard.press("Control+f");
      await page.locator("input:focus").waitFor();
      await page.keyboard.insertText(word);
      await page.getByText(/^\d of \d$/).waitFor();
      await hands.press(button("Previous match"));
      await hands.press(button("Close the search"));
      const field = page.getByRole("searchbox", { name: "Search all threads" });
      await hands.write(field, word);
      await hands.press(
        page
          .getByRole("list", { name: "Found" })
          .getByRole("link", { name: new RegExp(`about ${word}`) })
          .first(),
      );
      await page.waitForURL((url) => url.pathname === `/t/${other}`);
      expect(thread).not.toBe(other);
    },
  },
];
