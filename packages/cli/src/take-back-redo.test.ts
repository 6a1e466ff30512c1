import { afterEach, beforeEach, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

let session: CliSession;
beforeEach(() => {
  session = new CliSession();
});
afterEach(() => session.remove());

const FILES = ["a.txt", "b.txt", "c.txt"];
const A_STEP = ["settings", "temperature", "0.5"];
const UNDO = ["undo"];
const STEP = ["undo", "--step"];

/** The steps before, the redo, and the command that takes it back. */
const CASES: readonly (readonly [readonly string[][], string[], string | RegExp])[] = [
  [[UNDO], ["redo"], "undo"],
  [[["undo", "2"]], ["redo"], "undo 2"],
  [[UNDO, UNDO], ["redo", "2"], "undo 2"],
  [[["undo", "--scope", "files"]], ["redo"], "undo --scope files"],
  [[["undo", "2", "--scope", "conversation"]], ["redo"], "undo 2 --scope conversation"],
  [[["undo", "--scope", "files"], UNDO], ["redo"], "undo --scope conversation"],
  [[["undo", "--scope", "files"], UNDO], ["redo", "2"], "undo"],
  [[["undo", "--scope", "files"], UNDO, ["redo"]], ["redo"], "undo --scope files"],
  [[["undo", "--keep-prompt"]], ["redo"], "undo --keep-prompt"],
  [[A_STEP, STEP], ["redo"], "undo --step"],
  [[A_STEP, ["undo", "2", "--step"]], ["redo"], "undo 2 --step"],
  [[A_STEP, STEP, STEP], ["redo", "2"], "undo 2 --step"],
  [[A_STEP, UNDO], ["redo"], "undo"],
  // No undo takes the one file and both halves of the other turn.
  [[UNDO, ["undo", "--scope", "files"]], ["redo", "2"], /^jump [\w-]+\^$/],
  [
    [
      ["undo", "--keep-prompt"],
      ["undo", "--keep-prompt"],
    ],
    ["redo", "2"],
    /^jump [\w-]+\^$/,
  ],
];

test.each(CASES)("[U5] after %j, %j says how to take it back, and that does so exactly", async (before, redo, hint) => {
  const thread = await session.thread("T", ...FILES.map((path) => `printf 'one\\n' > ${path}`));
  for (const command of before) await session.text(...command);
  const state = async () => ({
    contents: await session.contents(thread),
    files: FILES.map((path) => session.read(path)),
    settings: await session.json("settings"),
  });
  const undone = await state();
  const said = await session.text(...redo);
  const [, command = ""] = /Take this back: retake (.*)\n$/.exec(said) ?? [];
  expect(command).toMatch(hint);
  if (typeof hint === "string") expect(command).toBe(hint);
  expect(await state()).not.toEqual(undone);
  await session.text(...command.split(" "));
  expect(await state()).toEqual(undone);
});
