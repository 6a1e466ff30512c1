import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TurnEvent } from "@retake/runtime";
import { textWidth } from "@retake/tui/text";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "./commands.ts";
import { Output } from "./output.ts";
import { runCommand } from "./run-command.ts";
import { CliSession } from "./testing/cli-session.ts";
import { TestWorld } from "./testing/test-world.ts";
import { TurnPrinter } from "./turn-printer.ts";

const session = new CliSession();
const environment = () => ({ ...process.env, RETAKE_HOME: session.home, RETAKE_MODEL: undefined });
const call = (...args: string[]) => session.call(...args);
const LONG = `write long.txt: ${"many words ".repeat(200).trim()}`;

beforeAll(async () => {
  await session.thread("notes", "echo one > a.txt", "echo two > a.txt");
});
afterAll(() => session.remove());

/** A command on a terminal that is so wide. */
async function onTerminal(columns: number, ...args: string[]): Promise<string[]> {
  const world = new TestWorld({ environment: environment(), directory: session.root, columns });
  const { stdout } = await world.run(...args);
  return stdout.trimEnd().split("\n");
}

describe("[F62] a word of the user that cannot be used is explained, with what to do", () => {
  const write = (name: string, text: string) => writeFileSync(join(session.root, name), text);
  const SAID: readonly [readonly string[], RegExp][] = [
    [["export", "--output", "nowhere/x"], /the directory around it is not there\. Nothing was written/],
    [["export", "--format", "git", "--output", "nowhere/x"], /the directory around it is not there\. Nothing was/],
    [["export", "--output", "a.txt/x"], /a file is in the way.*Nothing was written/],
    [["import", "none.md"], /there is no such file\. Nothing was changed/],
    [["import", "empty.json"], /has no format\. Nothing was changed\. Retake imports .*json, toml or bundle/],
    [["import", "half.json"], /begins like JSON.*Nothing was changed\. Retake imports/],
    [["import", "words.md"], /Nothing was changed\. Retake imports .* Markdown is for reading only/],
    [["run", "--image", "none.png", "hello"], /there is no such file\. Nothing was started/],
    [["context", "add", ""], /retake context add <path>/],
    [["context", "add", "."], /is a directory\. Nothing was changed; name the files/],
    [["--thread", "x", "undo"], /The command comes before its options: retake <command> --thread/],
    [["edit", "1.0", "--file", "none.txt"], /there is no such file\. Nothing was changed/],
  ];

  test.each(SAID)("%j", async (args, expected) => {
    write("empty.json", "{}");
    write("half.json", '{"format": ');
    write("words.md", "# Words\n\nand **more**\n");
    const { status, stderr } = await call(...args);
    expect(stderr).toMatch(expected);
    expect(stderr).not.toMatch(/E[A-Z]{4,}|Invalid TOML|null/);
    expect(status).not.toBe(0);
  });
});

describe("[F62] [F64] help", () => {
  test.each([40, 60, 80])("every help text has room in %i columns, but for words that are longer", async (columns) => {
    for (const name of ["", ...Object.keys(COMMANDS)])
      for (const line of await onTerminal(columns, ...(name === "" ? [] : [name]), "--help"))
        if (line.trim().includes(" ")) expect(textWidth(line), line).toBeLessThanOrEqual(columns);
  });

  test("the list of commands is in groups and names every command", async () => {
    const { stdout } = await call("--help");
    for (const name of Object.keys(COMMANDS)) expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\S`, "m"));
    const titles = stdout.split("\n").filter((line) => /^[A-Z][a-z]+$/.test(line));
    expect(titles.slice(0, 7)).toEqual(["Turns", "History", "Takes", "Conversation", "Files", "Threads", "Setup"]);
  });

  test("a thread is called a thread in every help text", async () => {
    for (const name of ["", ...Object.keys(COMMANDS)]) {
      const { stdout } = await call(...(name === "" ? [] : [name]), "--help");
      expect(stdout, name).not.toMatch(/discussion|session/i);
    }
  });

  test("an option that takes one of several words refuses others, and says which it takes", async () => {
    expect(await call("undo", "--scope", "all")).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining(
        "--scope takes both, conversation, files, not 'all'.\nUsage: retake undo [N] [--step]",
      ),
    });
  });

  test("in the prompt, hints, messages and help speak as commands are typed there", async () => {
    for (const args of [["history"], ["undo", "--bogus"], ["undo", "--help"], ["nonsense"], ["switch", "nobody"]]) {
      const world = new TestWorld({ environment: environment(), directory: session.root });
      await runCommand(args, world, "prompt");
      expect(world.stdout + world.stderr, args.join(" ")).toMatch(/(^|\s)\/[a-z]+/);
      expect(world.stdout + world.stderr, args.join(" ")).not.toContain("retake ");
    }
  });
});

describe("[F62] one word for one thing", () => {
  test("a jump to a turn says which", async () => {
    expect((await call("jump", "1", "--thread", "notes", "--dry-run")).stdout).toContain(
      "Jump to: Turn: echo one > a.txt",
    );
  });

  test("a turn that did not finish says how it ended", () => {
    const world = new TestWorld({ directory: session.root });
    const event = {
      type: "turn-finished",
      turn_id: "t",
      turn_name: "#3",
      status: "cut-off",
      usage: { input_tokens: 114 },
    };
    new TurnPrinter(new Output(false, world)).print(event as unknown as TurnEvent);
    expect(world.stdout).toBe(
      "#3 The answer was cut off: it reached max_tokens, or the context window is full. 114 tokens: 114 in, 0 out. Take it back: retake undo\n",
    );
  });

  test("the history of a thread speaks of the thread", async () => {
    await call("rename", "notes", "notes2", "--thread", "notes");
    const { stdout } = await call("history", "--thread", "notes2");
    expect(stdout).toContain("Rename the thread to notes2");
    expect(stdout).toContain("New thread");
    await call("rename", "notes2", "notes", "--thread", "notes2");
  });
});

describe("[F65] log", () => {
  test("shows the conversation whole, one turn with its diff, or one entry", async () => {
    const all = (await call("log")).stdout;
    expect(all).toContain("#1.0 User");
    expect(all).toContain("● #2.1.1 bash\n    command: echo two > a.txt\n    ok");
    const turn = (await call("log", "2")).stdout;
    expect(turn).toContain("  echo two > a.txt");
    expect(turn).not.toContain("#1.0");
    expect(turn).toContain("-one\n+two");
    expect((await call("log", "#1.0")).stdout).toMatch(/^#1\.0 User {2}.*\n {2}echo one > a\.txt\n$/);
    const { stdout } = await call("log", "1.1.1", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ entries: [{ tool_result: { name: "bash" } }] });
    expect(await call("log", "99")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("no turn or entry 99"),
    });
  });

  test("an entry is not cut in a pipe", async () => {
    await call("insert", "--content", LONG);
    expect((await call("entries")).stdout).toContain(LONG);
    expect((await call("log")).stdout).toContain(LONG);
    expect((await onTerminal(60, "entries")).join("\n")).not.toContain(LONG);
    await call("undo", "--step");
  });

  test("takes the conversation of another take", async () => {
    await call("branch", "1");
    await call("switch", "main");
    const { stdout } = await call("log", "--take", "main_take_1");
    expect(stdout).toContain("echo one");
    expect(stdout).not.toContain("echo two");
  });
});

describe("[F67] prompts from a pipe", () => {
  const piped = (input: string, ...args: string[]) => session.world({ input }).run(...args);

  test.each([
    ["run -", ["run", "--new", "-"], "from the pipe"],
    ["run without words", ["run", "--new"], "from the pipe"],
    ["run with words", ["run", "--new", "Look", "at this:"], "Look at this:\n\nfrom the pipe"],
  ])("%s reads the standard input", async (_, args, prompt) => {
    expect(await piped("from the pipe\n", ...args)).toMatchObject({ status: 0 });
    const { entries } = JSON.parse((await call("entries", "--json")).stdout) as { entries: { content: string }[] };
    expect(entries[0]?.content).toBe(prompt);
  });

  test("retake alone takes what is piped into it as a prompt", async () => {
    expect(await piped("hello there\n")).toMatchObject({ status: 0 });
    expect((await call("log")).stdout).toContain("  hello there");
  });

  test("an empty input is wrong usage", async () => {
    for (const args of [[], ["run"], ["run", "-"]]) {
      const { status, stderr } = await piped(" \n", ...args);
      expect([status, stderr]).toEqual([2, expect.stringContaining("Give a prompt")]);
    }
  });
});

describe("[F68] what is probably a slip is said", () => {
  test("a role that is not in the list", async () => {
    const { stdout } = await call("role", "1.0", "Foo", "--thread", "notes");
    expect(stdout).toContain("Foo is a new role. Put it into the list: retake roles add Foo");
    expect((await call("role", "1.0", "User", "--thread", "notes")).stdout).not.toContain("new role");
  });

  test("a context file that is not there", async () => {
    expect((await call("context", "add", "nope.md")).stdout).toContain("There is no file nope.md");
    expect((await call("context", "add", "a.txt")).stdout).not.toContain("There is no file");
  });

  test("a model that is none", async () => {
    expect(await call("settings", "model", "foo")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("must be provider/model"),
    });
    expect(await call("settings", "model", "scripted/default")).toMatchObject({ status: 0 });
  });

  test("a context window is a number", async () => {
    expect(await call("config", "context_windows.compatible/llama3.1", "32000")).toMatchObject({ status: 0 });
    expect(await call("config", "context_windows.compatible/llama3.1", "many")).toMatchObject({ status: 2 });
  });
});

describe("[F69] small things", () => {
  test.each(["%", "=>"])("a search for %s finds nothing and says why", async (words) => {
    expect(await call("search", words)).toMatchObject({
      status: 0,
      stdout: `Nothing was found: search looks for words, and there is no letter or digit in '${words}'.\n`,
    });
  });

  test("a directory is not imported, in words", async () => {
    mkdirSync(join(session.root, "folder"), { recursive: true });
    const { status, stderr } = await call("import", "folder");
    expect([status, stderr]).toEqual([2, expect.stringMatching(/folder is a directory\. Nothing was changed\./)]);
  });

  test("an undo does not print a long prompt or a long path whole", async () => {
    const directory = Array.from({ length: 8 }, () => "deep".repeat(60)).join("/");
    await call("run", "--yes", "--new", `${LONG}\nwrite ${directory}/x.txt: x`);
    const { stdout } = await call("undo");
    expect(stdout).toContain("The prompt is your draft again:");
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThan(600);
  });
});

describe("[F69] counts", () => {
  test("a file in an empty directory is one file", async () => {
    mkdirSync(join(session.root, "empty"));
    const { stdout } = await call("run", "--yes", "--new", "write empty/c.txt: 1");
    expect(stdout).toContain("1 file changed: empty/c.txt\n");
    expect((await call("run", "--yes", "delete empty/c.txt")).stdout).toContain("1 file changed: empty/c.txt\n");
  });
});

describe("[F62] counts and records in words", () => {
  test("one of something is said in the singular", async () => {
    const said = (await call("run", "--yes", "--new", "write one.txt: 1")).stdout;
    expect(said).toContain("1 file changed: one.txt");
    const screens = [["entries"], ["log"], ["status"], ["takes"], ["usage"], ["undo"], ["redo"], ["gc", "--dry-run"]];
    for (const args of screens) expect((await call(...args)).stdout, args[0]).not.toMatch(/\b1 (?!s\b)([a-z]+s|one)\b/);
    expect((await call("entries")).stdout).toContain("Created one.txt (1 byte).");
  });

  test("the result of a tool has the role of a tool", async () => {
    expect((await call("entries", "--thread", "notes")).stdout).toMatch(/^#1\.1\.1 +Tool /m);
  });

  test("an operation names what it changed, and no record of the store", async () => {
    const { stdout } = await call("show", "1", "--thread", "notes");
    expect(stdout).toMatch(/^ {2}added +what was last sent to the model$/m);
    expect(stdout).not.toMatch(/^ {2}(added|changed|removed) +(discussion|numbers|group|agent|workspace)\b/m);
  });
});

describe("[F70] retries", () => {
  test("each says which attempt it is and when it comes", () => {
    const world = new TestWorld({ directory: session.root, now: () => 10_000 });
    const printer = new TurnPrinter(new Output(false, world));
    const message = "Anthropic failed to answer. (500: api_error)";
    const event: TurnEvent = { type: "retry", message, retry_at: 14_000, attempt: 2, attempts: 9 };
    printer.print(event);
    printer.print({ ...event, retry_at: 9000, attempt: 3 });
    expect(world.stdout).toBe(`${message}\n  attempt 2 of 9 in 4 s\n${message}\n  attempt 3 of 9 now\n`);
  });
});

describe("[F72] the scripted model", () => {
  test("is named once for a thread, unless it was asked for", async () => {
    const NAMED = "the scripted one answers";
    expect((await call("run", "--new", "hello")).stderr).toContain(NAMED);
    expect((await call("run", "hello again")).stderr).not.toContain(NAMED);
    expect((await call("run", "--new", "--model", "scripted/default", "hello")).stderr).not.toContain(NAMED);
  });
});

describe("[F73] gc", () => {
  test("gives up old files only after a yes", async () => {
    const before = JSON.parse((await call("gc", "--keep-turns", "1", "--dry-run", "--json")).stdout);
    expect(await call("gc", "--keep-turns", "1")).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("Nothing was changed."),
    });
    expect(JSON.parse((await call("gc", "--keep-turns", "1", "--dry-run", "--json")).stdout)).toEqual(before);
    expect(await call("gc", "--keep-turns", "1", "--yes")).toMatchObject({ status: 0 });
  });
});

describe("[X15] snapshots", () => {
  test("a label is a name", async () => {
    writeFileSync(join(session.root, "b.txt"), "labelled\n");
    await call("snapshot", "with b");
    writeFileSync(join(session.root, "b.txt"), "later\n");
    expect((await call("diff", "with b", "now")).stdout).toContain("-labelled\n+later");
    expect(await call("restore", "with b", "--on-conflict", "overwrite")).toMatchObject({ status: 0 });
    expect(session.read("b.txt")).toBe("labelled\n");
  });
});
