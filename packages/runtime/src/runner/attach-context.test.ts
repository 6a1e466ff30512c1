import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addPath, removePath } from "@retake/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AnswerBlock } from "../model/testing/answer-script.ts";
import { MODELS, ModelSession } from "../model/testing/model-session.ts";
import { findInstructions, instructionsAbove } from "./find-instructions.ts";
import { imagesOf } from "./model-request.ts";
import { OutsideFiles } from "./outside-files.ts";

const CLAUDE = "anthropic/claude-sonnet-4-5";
let session: ModelSession;
beforeAll(async () => {
  session = await ModelSession.start();
});
beforeEach(() => session.newThread());
afterAll(() => session.close());

function put(path: string, text: string): void {
  mkdirSync(join(session.root, path, ".."), { recursive: true });
  writeFileSync(join(session.root, path), text);
}

function list(path: string): void {
  session.workspace.store.change(session.thread, (state, context) =>
    addPath(state, context, { list: "context", member: { path } }),
  );
}

const answer = (...blocks: AnswerBlock[]) => session.server.answerWith(() => ({ blocks }));
const sent = () => session.server.asked.map(({ text }) => text);

describe("the context of a request", () => {
  test("[D2] the system prompt names the directory, the system, the date, git, the model and the instructions", async () => {
    put("AGENTS.md", "Use tabs.");
    execFileSync("git", ["init", "-q", "-b", "trunk"], { cwd: session.root });
    answer({ type: "text", text: "Hello." });
    await session.turn("Hello?", CLAUDE);
    const { sent_system_prompt: system } = session.discussion();
    expect(system).toMatch(/^You are a coding agent\./);
    for (const line of [`Working directory: ${session.root}`, `Model: ${CLAUDE}`, "Branch: trunk", "Commit: none yet"])
      expect(system).toContain(`\n${line}`);
    expect(system).toMatch(/\nDate: \d{4}-\d\d-\d\d\n/);
    expect(system).toContain("Uncommitted changes when this was written: yes");
    expect(system).toContain("# Instructions in AGENTS.md\n\nUse tabs.");
    expect(JSON.stringify(session.server.asked[0]?.body["system"])).toContain(JSON.stringify(system).slice(1, -1));
    rmSync(join(session.root, ".git"), { recursive: true });
    rmSync(join(session.root, "AGENTS.md"));
  });

  test("[X7] the cached prefix stays byte for byte the same over 50 turns with edits of context files", async () => {
    put("notes.md", "first\n".repeat(100));
    put("AGENTS.md", "Rule 0.\n");
    list("notes.md");
    session.server.answerWith(({ number }) => ({ blocks: [{ type: "text", text: `Answer ${number}.` }] }));
    for (let turn = 1; turn <= 50; turn += 1) {
      await session.turn(`Prompt ${turn}.`, CLAUDE);
      put("notes.md", `${"first\n".repeat(100)}turn ${turn}\n`);
      if (turn % 10 === 0) put("AGENTS.md", `Rule ${turn}.\n`);
    }
    expect(session.server.refused).toEqual([]);
    expect(session.server.asked).toHaveLength(50);
    const bare = (value: unknown) => JSON.stringify(value).replaceAll(',"cache_control":{"type":"ephemeral"}', "");
    const requests = session.server.asked.map(({ body }) => ({
      // Its closing bracket is where the next one goes on.
      messages: bare(body["messages"]).slice(0, -1),
      head: bare([body["system"], body["tools"]]),
    }));
    requests.slice(1).forEach(({ messages, head }, index) => {
      expect(messages.startsWith(requests[index]?.messages ?? "none")).toBe(true);
      expect(head).toBe(requests[index]?.head);
    });
    const usages = session.entries().flatMap(({ usage }) => (usage ? [usage] : []));
    usages.slice(1).forEach((usage, index) => {
      const before = usages[index];
      const cached = Number(before?.cache_read_input_tokens) + Number(before?.cache_creation_input_tokens);
      expect(usage.cache_read_input_tokens).toBe(cached);
    });
    expect(requests.at(-1)?.messages).toContain("+turn 49");
    expect(requests.at(-1)?.messages).toContain("Rule 40.");
    rmSync(join(session.root, "AGENTS.md"));
  });

  test.each(MODELS)(
    "[X7] %s gets every byte of the request before over 8 turns with tools, thinking, edits of context files and a restart",
    async (model) => {
      put("notes.md", "first\n".repeat(100));
      put("AGENTS.md", "Rule 0.\n");
      list("notes.md");
      session.server.answerWith(({ number }) => ({
        blocks: [
          { type: "thinking", text: `Thought ${number}.` },
          ...(number % 3 === 0
            ? [{ type: "text", text: `Answer ${number}.` } as const]
            : [{ type: "call", id: `c${number}`, name: "read", input: { path: `file-${number}.txt` } } as const]),
        ],
      }));
      for (let turn = 1; turn <= 8; turn += 1) {
        await session.turn(`Prompt ${turn}.`, model);
        put("notes.md", `${"first\n".repeat(100)}turn ${turn}\n`);
        put(`file-${turn}.txt`, `content ${turn}\n`);
        if (turn % 4 === 0) put("AGENTS.md", `Rule ${turn}.\n`);
        if (turn === 3) list("file-1.txt");
        if (turn === 5) await session.reopen();
      }
      expect(session.server.refused).toEqual([]);
      const requests = session.server.asked.map(({ body }) => {
        const { messages, input, contents, system, tools, thinking } = body;
        // DeepSeek wants no reasoning of earlier turns: its requests differ in that alone.
        const reasoning = model === "deepseek/deepseek-reasoner" ? /,"reasoning_content":"[^"]*"/g : /$^/g;
        const bare = (value: unknown) =>
          JSON.stringify(value).replaceAll(',"cache_control":{"type":"ephemeral"}', "").replaceAll(reasoning, "");
        const list = bare(messages ?? input ?? contents).slice(0, -1);
        return { list, head: bare([system, tools, thinking, body["systemInstruction"]]) };
      });
      expect(requests.length).toBeGreaterThan(20);
      requests.slice(1).forEach(({ list, head }, index) => {
        expect(list.startsWith(requests[index]?.list ?? "none")).toBe(true);
        expect(head).toBe(requests[index]?.head);
      });
      for (const name of ["AGENTS.md", "notes.md"]) rmSync(join(session.root, name));
      for (let turn = 1; turn <= 8; turn += 1) rmSync(join(session.root, `file-${turn}.txt`));
    },
  );

  test("[D6] a context file that the user takes out of the thread is not sent any more", async () => {
    put("secret.md", "SECRET\n");
    list("secret.md");
    answer({ type: "text", text: "Yes." });
    await session.turn("One.", CLAUDE);
    session.workspace.store.change(session.thread, (state, context) =>
      removePath(state, context, { list: "context", path: "secret.md" }),
    );
    await session.turn("Two.", CLAUDE);
    expect(sent().map((text) => text.includes("SECRET"))).toEqual([true, false]);
  });

  test.each(MODELS)("[P6] %s reads instructions of a subdirectory with the first file touched there", async (model) => {
    put("lib/AGENTS.md", "Lib rules.");
    put("lib/a.txt", "a");
    const call: AnswerBlock = { type: "call", id: "r1", name: "read", input: { path: "lib/a.txt" } };
    const steps: AnswerBlock[][] = [[call], [{ ...call, id: "r2" }], [{ type: "text", text: "Done." }]];
    session.server.answerWith(() => ({ blocks: steps.shift() ?? [{ type: "text", text: "More." }] }));
    await session.turn("Read it.", model);
    await session.turn("And now?", model);
    expect(session.server.refused).toEqual([]);
    expect(sent().map((text) => text.split("Lib rules.").length - 1)).toEqual([0, 1, 1, 1]);
  });

  test("[AG46] an image that the provider refuses is only named, in this turn and in later ones", async () => {
    writeFileSync(join(session.root, "broken.png"), Buffer.from(`\x89PNG\r\n\x1a\n${"\0".repeat(100)}`, "latin1"));
    const error = { type: "invalid_request_error", message: "Could not process image" };
    const fault = { kind: "status", status: 400, body: { type: "error", error } } as const;
    const calls: AnswerBlock[] = [{ type: "call", id: "r1", name: "read", input: { path: "broken.png" } }];
    session.server.answerWith(({ text }) => {
      if (calls.length > 0) return { blocks: calls.splice(0) };
      return text.includes('"type":"image"') ? { fault } : { blocks: [{ type: "text", text: "Well." }] };
    });
    for (const prompt of ["Look.", "And now?"])
      expect(await session.turn(prompt, CLAUDE)).toMatchObject({ status: "finished" });
    expect(sent().map((text) => text.includes("The image broken.png is not shown"))).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
    rmSync(join(session.root, "broken.png"));
  });

  test("[S2] of more images than one request holds, the newest are shown", () => {
    const image = (digest: string) => ({ type: "image", path: digest, media_type: "image/png", digest }) as const;
    const messages = ["a", "b", "c", "d", "d"].map((digest) => ({ role: "user", parts: [image(digest)] }) as const);
    const sizes: Record<string, number> = { a: 1, b: 8_000_000, c: 10_000_000, d: 9_000_000 };
    const images = imagesOf({ messages }, (digest) => new Uint8Array(sizes[digest] ?? 0));
    expect([...images.keys()]).toEqual(["d", "c"]);
  });

  test.each(MODELS)("[P6] %s is shown an image that read finds, or told that it is not", async (model) => {
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    writeFileSync(join(session.root, "shot.png"), Buffer.from(png, "base64"));
    const steps: AnswerBlock[][] = [
      [
        { type: "call", id: "r1", name: "read", input: { path: "shot.png" } },
        { type: "call", id: "r2", name: "glob", input: { pattern: "*.none" } },
      ],
      [{ type: "text", text: "I see." }],
    ];
    session.server.answerWith(() => ({ blocks: steps.shift() ?? [{ type: "text", text: "More." }] }));
    await session.turn("Look.", model);
    rmSync(join(session.root, "shot.png"));
    await session.turn("And again?", model);
    expect(session.server.refused).toEqual([]);
    const shown = sent().map((text) => text.includes(png));
    const seen = model !== "deepseek/deepseek-reasoner";
    expect(shown).toEqual([false, seen, seen]);
    if (!seen) expect(sent()[1]).toContain("The image shot.png is not shown: this model takes no images.");
    expect(JSON.stringify(session.entries())).not.toContain(png);
  });

  test("instructions that were removed are said to be gone", async () => {
    put("CLAUDE.md", "Be brief.");
    answer({ type: "text", text: "Yes." });
    await session.turn("One.", CLAUDE);
    rmSync(join(session.root, "CLAUDE.md"));
    await session.turn("Two.", CLAUDE);
    await session.turn("Three.", CLAUDE);
    expect(sent().map((text) => text.split("It was removed").length - 1)).toEqual([0, 1, 1]);
  });
});

describe("instruction files", () => {
  test("come from the user, the directories up to the git root, and the workspace, in this order", () => {
    const folder = mkdtempSync(join(tmpdir(), "retake-instructions-"));
    const root = join(folder, "repository", "packages", "one");
    const config = join(folder, "config");
    for (const directory of [config, join(root, "src", "deep")]) mkdirSync(directory, { recursive: true });
    const files: Record<string, string> = {
      "AGENTS.md": "above the repository",
      "config/AGENTS.md": "mine",
      "repository/AGENTS.md": "repository",
      "repository/CLAUDE.md": "x".repeat(40_000),
      "repository/packages/one/AGENTS.md": "workspace",
      "repository/packages/one/src/AGENTS.md": "sources",
      "repository/packages/one/src/deep/CLAUDE.md": "sources",
    };
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    mkdirSync(join(folder, "repository", ".git"));
    symlinkSync("../../AGENTS.md", join(folder, "repository", "packages", "AGENTS.md"));
    symlinkSync("AGENTS.md", join(root, "CLAUDE.md"));
    const outside = new OutsideFiles({ state: config, data: config }, root);
    const found = findInstructions({ root, config, outside });
    expect(found.map(({ name, bytes }) => [name, bytes])).toEqual([
      ["AGENTS.md of the user's configuration", 4],
      ["../../AGENTS.md", 10],
      ["../../CLAUDE.md", 40_000],
      ["AGENTS.md", 9],
    ]);
    expect(found[2]?.text).toHaveLength(32 * 1024 + "\n\n(Cut here: the file is longer than 32 KB.)".length);
    expect(instructionsAbove(["src/deep/a.ts", "b.ts"], outside).map(({ name }) => name)).toEqual(["src/AGENTS.md"]);
    rmSync(folder, { recursive: true });
  });
});
