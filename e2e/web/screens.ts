import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { BUSY, BusyModel } from "./busy-model.ts";
import { SCRIPT } from "./shown-script.ts";
import { WebPlace } from "./web-place.ts";

/** A screen of the page: where it is, and what a person does to see it. Pictures and checks of all screens use this list. */
export interface ShownScreen {
  readonly name: (typeof SCREENS)[number];
  readonly address: string;
  readonly open: (page: Page) => Promise<unknown>;
  /** The only part that differs from the screen `thread`, as a selector. */
  readonly part?: string;
}

/** The names of all screens. */
export const SCREENS = [
  "empty",
  "thread",
  "approval",
  "reason",
  "waiting",
  "undone",
  "undo",
  "conflict",
  "changes",
  "taken-back",
  "image",
  "history",
  "snapshots",
  "saves",
  "past",
  "takes",
  "compare",
  "compare-files",
  "context",
  "settings",
  "entry",
  "editor",
  "find",
  "menu",
  "palette",
  "keys",
  "search",
  "threads",
] as const;

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Pictures of the README, as files that change. */
const [LOGO, OTHER_LOGO] = ["thread", "undo"].map((name) =>
  readFileSync(new URL(`../../docs/images/${name}.png`, import.meta.url)),
) as [Buffer, Buffer];

/** A server without threads, and a model that has no time. */
export async function openEmptyPlace(): Promise<{ readonly place: WebPlace; readonly close: () => Promise<void> }> {
  const busy = await BusyModel.open();
  const place = await WebPlace.open({ ...busy.environment, RETAKE_SCRIPT: SCRIPT });
  const close = async () => {
    await place.close();
    await busy.close();
  };
  return { place, close };
}

/** Makes threads that show everything, and answers the list of all screens. */
export async function fillScreens(place: WebPlace): Promise<readonly ShownScreen[]> {
  const client = place.served.client();
  const named = async (title: string, ...prompts: readonly string[]) => {
    const thread = await place.thread(...prompts);
    await client.changeThread(thread, { title });
    return thread;
  };
  /** A thread in a directory of its own, so that its turns and files are in nobody's way. */
  const apart = async (folder: string, title: string, ...prompts: readonly string[]) => {
    mkdirSync(folder);
    const { thread } = await client.createThread({ title, workspace_root: folder });
    for (const prompt of prompts) await place.served.turn(thread.id, prompt);
    return thread.id;
  };
  const empty = await named("New idea");
  await client.changeThread(await named("Release notes", "Say hello"), { pinned: true, tags: ["docs"] });
  const around = dirname(place.served.place.root);
  const [asked, fought, waited, drawn] = ["asked", "fought", "waited", "drawn"].map((name) => join(around, name)) as [
    string,
    string,
    string,
    string,
  ];
  const asking = await apart(asked, "Push it", "one", "two", "three");
  const conflict = await apart(fought, "Both of us", "Start a todo list", "Count the open items");
  writeFileSync(join(fought, "todo.md"), "# My own list\n\n- [ ] rest\n");
  const undone = await named("Second thoughts", "Start a todo list", "Count the open items");
  await client.undo(undone);
  const thread = await named(
    "Todo list",
    "Start a todo list in todo.md",
    "Add a script that counts the open items",
    "Explain what it does",
  );
  await client.changeContext(thread, { add: "todo.md" });
  await client.addScreenshot(thread, { name: "screen.png", content: PNG.toString("base64") });
  await client.branch(thread, { entry: "#1" });
  await place.served.turn(thread, "Count them another way");
  place.write("notes.md", "Only in this take.\n");
  await client.changeSettings(thread, { temperature: 0.2 });
  const { takes } = await client.listTakes(thread);
  const [main, other] = [takes.find(({ name }) => name === "main")?.id, takes.find(({ name }) => name !== "main")?.id];
  await client.switchTake(thread, main as string);
  await client.startTurn(asking, { prompt: "Push it" });
  const waiting = await apart(waited, "No answer");
  await client.changeSettings(waiting, { model: BUSY });
  await client.startTurn(waiting, { prompt: "Are you there?" });
  const pictures = await apart(drawn, "A new logo");
  writeFileSync(join(drawn, "logo.png"), LOGO);
  await place.served.turn(pictures, "Start a todo list");
  writeFileSync(join(drawn, "logo.png"), OTHER_LOGO);
  const home = `/t/${thread}`;
  const tab = (name: string) => async (page: Page) => {
    if (!(await page.getByRole("complementary", { name: "Inspector" }).isVisible()))
      await page.keyboard.press("Control+j");
    await page.getByRole("tab", { name, exact: true }).click();
  };
  const history = async (page: Page, list: string) => {
    await tab("History")(page);
    await page.getByRole("button", { name: list, exact: true }).click();
  };
  const answered = (page: Page) => page.getByText("counts the lines").first().waitFor();
  const talk = (open: (page: Page) => Promise<unknown>) => async (page: Page) => {
    await answered(page);
    await open(page);
  };
  const screens: ShownScreen[] = [
    {
      name: "empty",
      address: `/t/${empty}`,
      part: "main",
      open: (page) => page.getByText("try one of these").waitFor(),
    },
    { name: "thread", address: home, open: answered },
    {
      name: "approval",
      address: `/t/${asking}`,
      open: (page) => page.getByRole("region", { name: "Approval" }).waitFor(),
    },
    {
      name: "reason",
      address: `/t/${asking}`,
      part: "[data-approval]",
      open: async (page) => {
        await page.getByRole("button", { name: "Deny with a reason" }).click();
        await page.getByRole("textbox", { name: "Reason, for the agent" }).waitFor();
      },
    },
    {
      name: "waiting",
      address: `/t/${waiting}`,
      part: "main",
      open: (page) => page.getByRole("button", { name: "Try now" }).waitFor(),
    },
    {
      name: "undone",
      address: `/t/${undone}`,
      part: "main",
      open: (page) => page.getByRole("region", { name: "Undone" }).waitFor(),
    },
    {
      name: "undo",
      address: home,
      open: talk(async (page) => {
        await page.keyboard.press("Control+Alt+z");
        await page.getByTestId("plan-counts").getByText("turn").waitFor();
      }),
    },
    {
      name: "conflict",
      address: `/t/${conflict}`,
      open: async (page) => {
        await page.getByRole("article", { name: "Turn #2" }).waitFor();
        await page.keyboard.press("Control+Alt+z");
        await page.getByText("In conflict").first().waitFor();
        await page.getByText("Show the sides").first().click();
      },
    },
    {
      name: "changes",
      address: home,
      part: "#inspector",
      open: talk(async (page) => {
        await tab("Changes")(page);
        await page.getByRole("combobox", { name: "Turn", exact: true }).selectOption("#2");
        await page.getByTestId("open-file").getByText("+").first().waitFor();
      }),
    },
    {
      name: "taken-back",
      address: home,
      part: "#inspector",
      open: async (page) => {
        // A thread of its own every time: looking at it takes something back.
        const folder = join(around, `back-${Date.now()}`);
        const own = await apart(folder, "Not like this", "Start a todo list", "Count the open items");
        await page.goto(`${place.served.url}/t/${own}`);
        await page.getByRole("article", { name: "Turn #2" }).waitFor();
        await tab("Changes")(page);
        const panel = page.locator("#inspector");
        await panel.getByRole("button", { name: /todo\.md/ }).click();
        await page.getByRole("heading", { name: "todo.md" }).waitFor();
        await page.getByRole("checkbox", { name: "Seen" }).click();
        await panel.getByRole("button", { name: "Take back", exact: true }).click();
        // Where commands are not confined, what they did elsewhere stays, and the plan says so first.
        const [apply, back] = [panel.getByRole("button", { name: /^Take back 1 hunk/ }), panel.getByText("Bring back")];
        await apply.or(back).first().waitFor();
        if (await apply.isVisible()) await apply.click();
        await back.waitFor();
      },
    },
    {
      name: "image",
      address: `/t/${pictures}`,
      part: "#inspector",
      open: async (page) => {
        await tab("Changes")(page);
        await page.getByRole("combobox", { name: "What to review" }).selectOption("working");
        await page.getByRole("img", { name: "After: logo.png" }).waitFor();
      },
    },
    {
      name: "history",
      address: home,
      part: "#inspector",
      open: talk(async (page) => {
        await history(page, "Steps");
        await page.getByRole("list", { name: "Steps" }).getByText("Explain").first().waitFor();
      }),
    },
    { name: "snapshots", address: home, part: "#inspector", open: talk((page) => history(page, "Snapshots")) },
    { name: "saves", address: home, part: "#inspector", open: talk((page) => history(page, "Saves")) },
    {
      name: "past",
      address: home,
      part: "main",
      open: talk(async (page) => {
        await history(page, "Steps");
        await page.getByRole("button", { name: "Show as it was" }).nth(2).click();
        await page.getByTestId("time-travel").getByText("Nothing on disk has changed").waitFor();
        await page.getByTestId("time-travel").getByRole("article").first().waitFor();
      }),
    },
    {
      name: "takes",
      address: home,
      part: "#inspector",
      open: talk(async (page) => {
        await tab("Takes")(page);
        await page.getByText("#1 of main").waitFor();
      }),
    },
    {
      name: "compare",
      address: `${home}/compare/${main}/${other}`,
      open: (page) => page.getByTestId("compare").getByText("entries in common").waitFor(),
    },
    {
      name: "compare-files",
      address: `${home}/compare/${main}/${other}`,
      part: "main",
      open: async (page) => {
        await page.getByRole("button", { name: /^Files/ }).click();
        await page.getByRole("region", { name: "notes.md" }).waitFor();
      },
    },
    {
      name: "context",
      address: home,
      part: "#inspector",
      open: talk(async (page) => {
        await tab("Context")(page);
        await page.getByRole("img", { name: "screen.png" }).waitFor();
      }),
    },
    {
      name: "settings",
      address: home,
      part: "#inspector",
      open: talk(async (page) => {
        await tab("Settings")(page);
        await page.getByRole("spinbutton", { name: "Temperature" }).waitFor();
      }),
    },
    {
      name: "entry",
      address: home,
      part: "#inspector",
      open: talk(async (page) => {
        await tab("Entry")(page);
        await page.getByText("What the model was sent").click();
        await page.getByTestId("sent").waitFor();
      }),
    },
    {
      name: "editor",
      address: home,
      part: "main",
      open: talk(async (page) => {
        await page
          .getByRole("article", { name: /^AI #3/ })
          .first()
          .focus();
        await page.keyboard.press("e");
        await page.getByRole("textbox", { name: "Text of the entry" }).waitFor();
      }),
    },
    {
      name: "find",
      address: home,
      part: "main",
      open: talk(async (page) => {
        await page.keyboard.press("Control+f");
        await page.getByRole("searchbox", { name: "Find in this thread" }).fill("todo");
        await page.getByText(/^\d+ of \d+$/).waitFor();
      }),
    },
    {
      name: "menu",
      address: home,
      part: "[role=menu]",
      open: talk(async (page) => {
        await page.getByRole("button", { name: "More for turn #3" }).click();
        await page.getByRole("menu").waitFor();
      }),
    },
    {
      name: "palette",
      address: home,
      part: "[role=dialog]",
      open: talk(async (page) => {
        await page.keyboard.press("Control+k");
        await page.getByRole("dialog").waitFor();
      }),
    },
    {
      name: "keys",
      address: home,
      part: "[role=dialog]",
      open: talk(async (page) => {
        await page.keyboard.press("Control+k");
        await page.getByRole("dialog").waitFor();
        await page.keyboard.type("keys");
        await page.keyboard.press("Enter");
        await page.getByRole("dialog", { name: "Keys" }).waitFor();
      }),
    },
    {
      name: "search",
      address: "/search?q=todo",
      open: (page) => page.getByRole("list", { name: "Results" }).getByText("todo").first().waitFor(),
    },
    {
      name: "threads",
      address: home,
      open: talk(async (page) => {
        const show = page.getByRole("button", { name: "Show the threads" });
        if (await show.isVisible()) await show.click();
        await page.getByRole("navigation", { name: "Threads" }).getByText("Release notes").waitFor();
      }),
    },
  ];
  return screens;
}
