/** F4: whatever a model, a file, a name, a tool or an import holds, a terminal gets printable text, line ends and our own colours. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@retake/runtime";
import { coloured, terminalText, visible, visibleJson } from "@retake/tui/text";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { COMMANDS } from "./commands.ts";
import { TestWorld } from "./testing/test-world.ts";

/** Clears the screen, renames the window, writes the clipboard, colours, C1, backspace, carriage return, right to left. */
const HOSTILE =
  "\u001b[2J\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b[31m\u001b[8m\u009b2J\u009d0;x\u009c\b\b\r\u202exe\u2066\u0000end";
const NAME = "\u001b[2Jna\u001b]0;me\u0007\u009b2J.txt";
/** As `styleText` makes them: bold, dim, colours, and their ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const OUR_COLOURS = /\u001b\[(?:0|1|2|22|3[1-6]|39|90)m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-foreign-")));
const root = join(folder, "work");
const script = join(folder, "script.json");
const environment = { ...process.env, RETAKE_HOME: join(folder, "home"), RETAKE_SCRIPT: script };

/** A command at a terminal that is 100 columns wide; answers all that it was sent. */
async function shown(more: object, ...args: string[]): Promise<string> {
  const world = new TestWorld({ environment: { ...environment, ...more }, directory: root, columns: 100, input: "" });
  const { stdout, stderr } = await world.run(...args);
  return stdout + stderr;
}

beforeAll(async () => {
  mkdirSync(root);
  writeFileSync(join(root, "text.txt"), `${HOSTILE}\nsecond\n`);
  writeFileSync(join(root, "lines.txt"), HOSTILE.replace("\0", ""));
  writeFileSync(join(root, "import.json"), "{}");
  const shell = `printf '%b' '\\033[2J\\033]0;x\\007\\0233out'; printf x > "$(printf 'na\\033[2Jme')"; echo "${"\\u001b"}" >> text.txt`;
  const calls = [
    { name: "bash", input: { command: shell } },
    { name: "write", input: { path: NAME, content: HOSTILE } },
    { name: "edit", input: { path: "text.txt", old_text: "second", new_text: HOSTILE.replace("\0", "") } },
    { name: `no${HOSTILE}`, input: { path: HOSTILE } },
  ];
  const steps = [{ thinking: HOSTILE, text: `Says ${HOSTILE}`, tool_calls: calls }, { text: `Done ${HOSTILE}` }];
  writeFileSync(script, JSON.stringify({ turns: [{ steps }] }));
  for (const prompt of [`First ${HOSTILE.replace("\0", "")}`, "Second"]) await shown({}, "run", "--yes", prompt);
  await shown({}, "insert", "--role", `Role ${HOSTILE.replace("\0", "")}`, "--content", HOSTILE.replace("\0", ""));
  await shown({}, "settings", "draft", HOSTILE.replace("\0", ""));
  await shown({}, "export", "--output", "exported.json");
  const database = openDatabase(join(folder, "home", "data", "retake.db"));
  const request = JSON.stringify({ prompt: `Paused ${HOSTILE.replace("\0", "")}`, model: HOSTILE, isNamed: false });
  database.run("INSERT INTO queued_prompts (turn, thread, request) SELECT 'paused', id, ? FROM threads", request);
  database.close();
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The same command in a pipe, which may end at a terminal. */
async function piped(...args: string[]): Promise<string> {
  const { stdout, stderr } = await new TestWorld({ environment, directory: root, input: "" }).run(...args);
  return stdout + stderr;
}

/** For each command, words that make it print what it can of foreign text. A server prints only its own address. */
const LINES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  run: [
    ["run", "--yes", `again ${HOSTILE}`],
    ["run", `denied ${HOSTILE}`],
  ],
  queue: [["queue"], ["queue", "continue"], ["queue", "remove", HOSTILE], ["queue", HOSTILE]],
  history: [["history"], ["history", "--all"]],
  show: [
    ["show", "1"],
    ["show", HOSTILE],
  ],
  log: [["log"], ["log", "1"]],
  entries: [["entries"], ["entries", "--role", HOSTILE]],
  bisect: [
    ["bisect", `echo ${HOSTILE.replace("\0", "")}; exit 1`],
    ["bisect", `test ! -e text.txt || ! grep -q Second text.txt`],
  ],
  blame: [
    ["blame", "lines.txt"],
    ["blame", HOSTILE],
  ],
  diff: [["diff", "1^", "1"], ["diff"], ["diff", HOSTILE]],
  status: [["status"]],
  threads: [["threads"], ["threads", "--all"]],
  search: [
    ["search", "end"],
    ["search", HOSTILE],
  ],
  takes: [["takes"]],
  settings: [["settings"], ["settings", "draft"], ["settings", HOSTILE, HOSTILE]],
  roles: [["roles"], ["roles", "add", HOSTILE], ["roles", "remove", HOSTILE]],
  context: [["context"], ["context", "add", HOSTILE], ["context", "add", NAME]],
  snapshot: [["snapshot", `label ${HOSTILE}`]],
  snapshots: [["snapshots"]],
  undo: [["undo", "--dry-run"], ["undo"], ["undo", HOSTILE]],
  redo: [["redo"], ["redo", HOSTILE]],
  retry: [["retry", "--yes"]],
  revert: [
    ["revert", "1", "--dry-run"],
    ["revert", HOSTILE],
  ],
  jump: [
    ["jump", "1"],
    ["jump", HOSTILE],
  ],
  restore: [["restore", HOSTILE]],
  branch: [
    ["branch", "1"],
    ["branch", HOSTILE],
  ],
  switch: [
    ["switch", "main"],
    ["switch", HOSTILE],
  ],
  compare: [
    ["compare", "main", "main_take_1"],
    ["compare", HOSTILE, HOSTILE],
  ],
  promote: [["promote", "main_take_1", HOSTILE]],
  rename: [
    ["rename", "main", HOSTILE],
    ["rename", HOSTILE, "x"],
  ],
  delete: [["delete", HOSTILE]],
  edit: [["edit", "1.0", "--content", HOSTILE.replace("\0", "")]],
  insert: [["insert", "--content", HOSTILE.replace("\0", ""), "--role", HOSTILE.replace("\0", "")]],
  remove: [
    ["remove", "1.0"],
    ["remove", HOSTILE],
  ],
  role: [["role", "1.1", HOSTILE.replace("\0", "")]],
  mcp: [["mcp"]],
  models: [["models"]],
  truncate: [
    ["truncate", "1"],
    ["truncate", HOSTILE],
  ],
  compress: [["compress"]],
  clear: [["clear"]],
  reset: [["reset"], ["undo"]],
  export: [["export", "--format", "markdown"], ["export"], ["export", "--format", HOSTILE]],
  import: [
    ["import", "exported.json"],
    ["import", HOSTILE],
    ["import", "text.txt"],
  ],
  config: [["config", HOSTILE, HOSTILE], ["config"]],
  completion: [
    ["completion", "bash"],
    ["completion", HOSTILE],
  ],
  doctor: [["doctor"]],
  gc: [["gc", "--dry-run"]],
  materialize: [
    ["materialize", "1", join(folder, "there")],
    ["materialize", HOSTILE, HOSTILE],
  ],
  approvals: [["approvals"], ["approvals", "add", HOSTILE]],
  stop: [["stop"]],
  usage: [["usage"]],
  sync: [
    ["sync"],
    ["sync", HOSTILE],
    ["sync", "login", HOSTILE],
    ["sync", "link", HOSTILE],
    ["sync", "recover", HOSTILE, HOSTILE],
    ["sync", "revoke", HOSTILE],
    ["sync", "devices", "--name", HOSTILE],
  ],
};
const SILENT = ["serve", "sync-server", "web"];

describe("[F4] hostile text in every field", () => {
  test("every command is tried", () => {
    const missing = Object.keys(COMMANDS).filter((name) => !(name in LINES) && !SILENT.includes(name));
    expect(missing).toEqual([]);
  });

  test.each(Object.entries(LINES).filter(([name]) => name in COMMANDS))(
    "retake %s prints nothing that a terminal obeys",
    async (_, lines) => {
      for (const line of lines) {
        // An argument of a process cannot hold a NUL.
        const args = line.map((word) => word.replaceAll("\0", ""));
        const text = await shown({ PAGER: "cat" }, ...args);
        expect(text.replaceAll(OUR_COLOURS, ""), JSON.stringify(args)).not.toMatch(OBEYED);
        expect(await shown({ PAGER: "cat", NO_COLOR: "1" }, ...args), JSON.stringify(args)).not.toMatch(OBEYED);
        expect(await shown({ PAGER: "cat" }, ...args, "--json")).not.toMatch(OBEYED);
      }
    },
    120_000,
  );
});

test("[F4] a pipe gets nothing that a terminal obeys, but exact text where a program reads it", async () => {
  for (const args of [["run", "--yes", "--new", "again"], ["log"], ["log", "1"], ["show", "1"]])
    expect(await piped(...args), args.join(" ")).not.toMatch(OBEYED);
  expect(await piped("export", "--format", "markdown")).toContain("\u001b[2J");
  const draft = HOSTILE.replace("\0", "");
  await piped("settings", "draft", draft);
  expect(await piped("settings", "draft")).toBe(`${draft}\n`);
});

test("[F4] the error of a model prints nothing that a terminal obeys", async () => {
  const failing = join(folder, "failing.json");
  writeFileSync(failing, JSON.stringify({ turns: [{ steps: [{ error: HOSTILE }] }] }));
  // The model is asked again without a wait.
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  for (const args of [["run", "--new", "hello"], ["log"], ["entries"], ["history", "--all"], ["status"]]) {
    const text = await shown({ PAGER: "cat", RETAKE_SCRIPT: failing }, ...args);
    expect(text.replaceAll(OUR_COLOURS, ""), args.join(" ")).not.toMatch(OBEYED);
  }
  random.mockRestore();
});

describe("[F4] text for a terminal", () => {
  test("holds nothing that a terminal obeys but the colours that were put around it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (inside, after) => {
        const text = terminalText(`${coloured("red", inside)}${after}`);
        expect(text.startsWith("\u001b[31m")).toBe(true);
        expect(text.replace("\u001b[31m", "").replace("\u001b[39m", "")).not.toMatch(OBEYED);
      }),
    );
  });

  test("keeps everything else as it is", () => {
    for (const text of ["plain", "tab\there", "two\nlines", "日本語 é 👩‍👩‍👧 עברית العربية"])
      expect(visible(text)).toBe(text);
    expect(visible("a\r\nb\rc\u001bd")).toBe("a\nb␍c␛d");
  });

  test("a JSON text means the same", () => {
    const value = { text: HOSTILE, [HOSTILE]: ["\u2028", "é"] };
    const json = visibleJson(JSON.stringify(value));
    expect(JSON.parse(json)).toEqual(value);
    expect(json).not.toMatch(OBEYED);
  });
});
