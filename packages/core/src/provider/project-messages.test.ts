import { describe, expect, test } from "vitest";
import type { Entry, ToolStatus } from "../session/entry.ts";
import type { JsonObject } from "../values/json.ts";
import type { Message, ToolResultPart } from "./message.ts";
import { type Projection, projectMessages } from "./project-messages.ts";
import { Conversation, MODEL, SYSTEM_PROMPT } from "./testing/conversation.ts";
import { quickHash } from "./testing/quick-hash.ts";

describe("messages", () => {
  test("[P6] [PR13] all calls of a step are in one message, all results first in the next, in the order of the calls", () => {
    const { entries } = new Conversation()
      .prompt("fix it")
      .step({ text: "looking", calls: [{ output: "one" }, { output: "two" }] })
      .prompt("and that");
    expect(shape(project(moved(entries, 2, 3)))).toEqual([
      "user: text fix it",
      "assistant: text looking, tool-call e-call-1, tool-call e-call-2",
      "user: tool-result e-call-1 one, tool-result e-call-2 two, text and that",
    ]);
  });

  test("[D6] [PR10] sends the user's edited text with its surrounding whitespace", () => {
    const { entries } = new Conversation().prompt("first").step({ text: "answer" }).prompt("next");
    const sent = project(entries.with(1, { ...at(entries, 1), content: "  another answer \n" }));
    expect(shape(sent)[1]).toBe("assistant: text   another answer \n");
    expect(sent.repairs).toEqual([]);
  });

  test("[PR6] neighbours of one role share a message and keep their parts", () => {
    const sent = new Conversation()
      .prompt("one")
      .prompt("two")
      .step({ text: "a" })
      .step({ text: "b" })
      .prompt("x")
      .sent();
    expect(shape(sent)).toEqual(["user: text one, text two", "assistant: text a, text b", "user: text x"]);
    expect(repairs(sent)).toEqual(["answers-merged e2 e3"]);
  });

  test("[PR7] an answer at the start gets a line before it", () => {
    const sent = new Conversation().step({ text: "hello" }).prompt("yes").sent();
    expect(sent.messages[0]?.role).toBe("user");
    expect(repairs(sent)).toEqual(["opening-added e0"]);
  });

  test("[S2] [PR31] images stand before the text of their entry, and are part of the prefix", () => {
    const image = { kind: "screenshot", name: "a.png", media_type: "image/png", digest: "d1" } as const;
    const sent = new Conversation().prompt("look", [image]).sent();
    const part = { type: "image", path: "a.png", media_type: "image/png", digest: "d1" };
    expect(sent.messages).toEqual([{ role: "user", parts: [part, { type: "text", text: "look", entry_id: "e0" }] }]);
    const others = [[], [{ ...image, digest: "d2" }]].map((images) => new Conversation().prompt("look", images).sent());
    expect(new Set([sent, ...others].map(({ fingerprint }) => fingerprint)).size).toBe(3);
    expect(new Conversation().prompt(" ", [image]).sent().messages).toEqual([]);
  });

  test("[PR33] the first texts are in the system prompt, later ones before the text or after the results", () => {
    const long = "line\n".repeat(20);
    const file = (name: string, digest: string) => ({ kind: "context-file", name, digest }) as const;
    const rules = (digest: string) => ({ kind: "instructions", name: "lib/AGENTS.md", digest }) as const;
    const sent = new Conversation()
      .prompt("one", [file("a.md", long)])
      .step({ calls: [{ output: "x", attached: [rules("Use tabs.")] }, { output: "y" }] })
      .step({ text: "done" })
      .prompt("two", [file("a.md", `${long}more`), rules("Use tabs."), file("unwanted", "u"), file("b.md", "missing")])
      .sent();
    expect(sent.system).toBe(`${SYSTEM_PROMPT}\n\n# Context file a.md\n\n\`\`\`\n${long}\`\`\``);
    const [, , results, , last] = sent.messages;
    expect(results?.parts.map(({ type }) => type)).toEqual(["tool-result", "tool-result", "text"]);
    expect(results?.parts.at(-1)).toMatchObject({ attached: true, text: expect.stringContaining("Use tabs.") });
    expect(last?.parts).toMatchObject([
      { attached: true, text: expect.stringContaining("a.md, as it is now") },
      { text: "two" },
    ]);
    expect(JSON.stringify(last)).not.toMatch(/Use tabs|unwanted|b\.md/);
  });

  test("[PR8] an answer at the end is followed by a line that asks to continue", () => {
    const sent = new Conversation().prompt("go").step({ text: "half an ans" }).sent();
    expect(shape(sent)).toEqual(["user: text go", "assistant: text half an ans", "user: text Continue."]);
    expect(repairs(sent)).toEqual(["continue-added e1"]);
  });

  test("[PR8] an answer to that line keeps the line and its thinking", () => {
    const sent = new Conversation()
      .prompt("go")
      .step({ text: "half" })
      .step({ text: "rest", thinking: ["hm"] })
      .prompt("ok")
      .sent();
    expect(shape(sent)).toEqual([
      "user: text go",
      "assistant: text half",
      "user: text Continue.",
      "assistant: thinking hm, text rest",
      "user: text ok",
    ]);
  });

  test.each(["", " \n\t", "\u0085", "\u001c"])("[PR9] an entry that says nothing (%j) is not sent", (blank) => {
    const sent = new Conversation().prompt("go").says("User", blank).says("System", blank).step({ text: blank }).sent();
    expect(shape(sent)).toEqual(["user: text go"]);
    expect(repairs(sent)).toEqual(["empty-dropped e1", "empty-dropped e2", "empty-dropped e3"]);
    expect(new Conversation().prompt(blank).sent().messages).toEqual([]);
    expect(projectMessages({ entries: [], system: blank, model: MODEL, hash: quickHash }).system).toBe("");
  });

  test("[F36] [PR32] does not send the prompt of a failed turn without an answer, and that is no repair", () => {
    const { entries } = new Conversation().prompt("first").says("User", "second");
    const failed = entries.map((entry, index) => (index === 0 ? { ...entry, failed: true } : entry));
    const sent = projectMessages({ entries: failed, system: "", model: MODEL, hash: quickHash });
    expect(shape(sent)).toEqual(["user: text second"]);
    expect(repairs(sent)).toEqual([]);
  });

  test("[PR10] replaces broken surrogates everywhere", () => {
    const broken = "a\ud800b";
    const sent = new Conversation()
      .prompt(broken)
      .step({ calls: [{ name: broken, input: { [broken]: [broken] }, output: broken }] })
      .sent();
    expect(JSON.stringify(sent)).not.toMatch(/\\ud8/);
    expect(repairs(sent)).toEqual(["text-mended e0", "tool-name-changed e1", "input-changed e1", "text-mended e2"]);
    const system = projectMessages({ entries: [], system: broken, model: MODEL, hash: quickHash });
    expect([system.system, repairs(system)]).toEqual(["a\ufffdb", ["text-mended"]]);
  });
});

describe("roles", () => {
  test.each([
    ["System", "[System]\nbe brief"],
    ["Vendor API", "[Vendor API]\nbe brief"],
    ["Reviewer\n two", "[Reviewer two]\nbe brief"],
    ["", "[no role]\nbe brief"],
  ])("[PR11] %j speaks as the user, marked with its role", (role, text) => {
    const sent = new Conversation().prompt("go").says(role, "be brief").sent();
    expect(shape(sent)).toEqual([`user: text go, text ${text}`]);
    expect(repairs(sent)).toEqual(["role-labelled e1"]);
  });

  test("[PR12] [PR17] a step whose role is no longer AI is sent as text, and so are its results", () => {
    const { entries } = new Conversation()
      .prompt("go")
      .step({ text: "I call", calls: [{ input: { path: "a" }, output: "A" }] });
    const sent = project(entries.with(1, { ...at(entries, 1), role: "User" }));
    expect(shape(sent)).toEqual([
      `user: text go, text I call\n[Call of the tool 'read']\n{"path":"a"}, text [Result of the tool 'read', completed]\nA`,
    ]);
    expect(repairs(sent)).toEqual(["calls-as-text e1", "result-orphaned e2"]);
  });
});

describe("tools", () => {
  const turn = () => new Conversation().prompt("go").step({ calls: [{ output: "A" }, { output: "B" }] });

  test("[PR14] a copied turn pairs with itself, and [PR18] its calls get unique ids", () => {
    const { entries } = turn();
    const copy = entries.map((entry, index) => ({
      ...entry,
      id: `c${index}`,
      content: entry.content && `${entry.content}2`,
    }));
    const sent = project([...entries, ...copy]);
    expect(results(sent)).toEqual(["e-call-1 A", "e-call-2 B", "e-call-1-2 A2", "e-call-2-2 B2"]);
    expect(repairs(sent)).toEqual(["call-id-changed c1", "call-id-changed c1"]);
  });

  test("[PR14] two calls with one id in one step pair in order", () => {
    const sent = new Conversation()
      .prompt("go")
      .step({
        calls: [
          { id: "x", output: "A" },
          { id: "x", output: "B" },
        ],
      })
      .sent();
    expect(results(sent)).toEqual(["x A", "x-2 B"]);
  });

  test("[PR14] a result that stands before its call is sent after it", () => {
    const sent = project(moved(turn().entries, 2, 0));
    expect(results(sent)).toEqual(["e-call-1 A", "e-call-2 B"]);
    expect(repairs(sent)).toEqual(["result-moved e1 e2"]);
  });

  test("[PR13] a later result is moved up to its call", () => {
    const { entries } = turn().step({ text: "done" }).prompt("thanks");
    const sent = project(moved(entries, 2, 5));
    expect(results(sent)).toEqual(["e-call-1 A", "e-call-2 B"]);
    expect(repairs(sent)).toEqual(["result-moved e1 e2"]);
  });

  test("[L9] [PR15] a call without a result gets an error that says that no result is known", () => {
    const sent = project(turn().entries.toSpliced(2, 1));
    expect(resultParts(sent).map((part) => part.is_error)).toEqual([true, false]);
    expect(resultParts(sent)[0]?.output).toContain("may or may not have run");
    expect(repairs(sent)).toEqual(["result-missing e1"]);
  });

  test("[PR15] a result with another role is sent as text, and the call's error says where it is", () => {
    const { entries } = turn();
    const sent = project(entries.with(2, { ...at(entries, 2), role: "Notes" }));
    expect(resultParts(sent)[0]?.output).toContain("[Notes]");
    expect(shape(sent)[2]).toMatch(/text \[Notes\]\nA$/);
    expect(repairs(sent)).toEqual(["result-missing e1 e2", "role-labelled e2", "result-moved e1 e3"]);
  });

  test.each<[ToolStatus, RegExp]>([
    ["pending", /was not started/],
    ["running", /has not ended/],
    ["denied", /call was not allowed/],
    ["interrupted", /interrupted before it ended/],
    ["unknown", /nobody knows how far it got/],
    ["toString" as ToolStatus, /'toString'.*not known whether it has run/],
  ])("[L9] [PR16] a call that is %s gets an error with what is known", (status, known) => {
    const sent = new Conversation()
      .prompt("go")
      .step({ calls: [{ output: "part", status }] })
      .sent();
    const [part] = resultParts(sent);
    expect(part?.is_error).toBe(true);
    expect(part?.output).toMatch(known);
    expect(part?.output).toMatch(/part$/);
    expect(repairs(sent)).toEqual(["result-unfinished e1 e2"]);
  });

  test("[PR16] a failed call is sent as an error in its own words", () => {
    const sent = new Conversation()
      .prompt("go")
      .step({ calls: [{ output: "no such file", status: "failed" }] })
      .sent();
    expect(resultParts(sent)[0]).toMatchObject({ output: "no such file", is_error: true });
    expect(sent.repairs).toEqual([]);
  });

  test("[PR17] of two results for one call the first is its result and the second is text", () => {
    const { entries } = new Conversation().prompt("go").step({ calls: [{ output: "A" }] });
    const sent = project([...entries, { ...at(entries, 2), id: "again", content: "later" }]);
    expect(shape(sent)[2]).toBe("user: tool-result e-call-1 A, text [Result of the tool 'read', completed]\nlater");
    expect(repairs(sent)).toEqual(["result-duplicated again"]);
  });

  test("[PR14] [PR17] a result before its call is its result, and one after it is text", () => {
    const { entries } = new Conversation().prompt("go").step({ calls: [{ output: "A" }] });
    const sent = project([{ ...at(entries, 2), id: "early", content: "first" }, ...entries]);
    expect(shape(sent)[2]).toBe("user: tool-result e-call-1 first, text [Result of the tool 'read', completed]\nA");
    expect(repairs(sent)).toEqual(["result-moved e1 early", "result-duplicated e2"]);
  });

  test("[PR18] [PR19] a long id used twice stays short", () => {
    const id = "x".repeat(40);
    const sent = new Conversation()
      .prompt("go")
      .step({
        calls: [
          { id, output: "A" },
          { id, output: "B" },
        ],
      })
      .sent();
    expect(results(sent)).toEqual([`${id} A`, `${"x".repeat(38)}-2 B`]);
  });

  test.each([
    ["", "call"],
    ["functions.read:0", "functions_read_0"],
    ["x".repeat(41), "x".repeat(40)],
  ])("[PR19] the call id %j is sent as %j, in the call and in its result", (id, sentId) => {
    const sent = new Conversation()
      .prompt("go")
      .step({ calls: [{ id, output: "A" }] })
      .sent();
    expect(results(sent)).toEqual([`${sentId} A`]);
    expect(shape(sent)[1]).toBe(`assistant: tool-call ${sentId}`);
    expect(repairs(sent)).toEqual(["call-id-changed e1"]);
  });

  test.each([
    ["", "tool"],
    ["files.read", "files_read"],
    ["2fast", "_2fast"],
    ["n".repeat(70), "n".repeat(64)],
  ])("[PR19] the tool %j is sent as %j", (name, sentName) => {
    const sent = new Conversation()
      .prompt("go")
      .step({ calls: [{ name, output: "A" }] })
      .sent();
    expect(resultParts(sent)[0]?.name).toBe(sentName);
    expect(repairs(sent)).toEqual(["tool-name-changed e1"]);
  });

  test.each<[unknown, unknown]>([
    [null, { input: null }],
    ["ls", { input: "ls" }],
    [[1], { input: [1] }],
    [{ "\ud800": [1] }, { "\ufffd": [1] }],
  ])("[PR20] the input %j is sent as the object %j", (input, object) => {
    const sent = new Conversation()
      .prompt("go")
      .step({ calls: [{ input: input as JsonObject, output: "A" }] })
      .sent();
    expect(sent.messages[1]?.parts[0]).toMatchObject({ input: object });
    expect(repairs(sent)).toEqual(["input-changed e1"]);
  });

  test("[PR20] cuts an input that is nested too deeply, and keeps a __proto__ key as a key", () => {
    let deep: JsonObject = JSON.parse('{"__proto__": 1}');
    for (let depth = 0; depth < 100_000; depth += 1) deep = { in: deep };
    const proto = JSON.parse('{"__proto__": "\\ud800"}');
    const sent = new Conversation()
      .prompt("go")
      .step({ calls: [{ input: deep }, { input: proto }] })
      .sent();
    expect(JSON.stringify(sent.messages[1]).length).toBeLessThan(1000);
    expect(JSON.stringify(sent.messages[1])).toContain('{"__proto__":"\ufffd"}');
  });

  test("[PR21] a tool without output says so, and that is no repair", () => {
    const sent = new Conversation()
      .prompt("go")
      .step({ calls: [{ output: " \n" }] })
      .sent();
    expect(results(sent)).toEqual(["e-call-1 (no output)"]);
    expect(sent.repairs).toEqual([]);
  });
});

function project(entries: readonly Entry[]): Projection {
  return projectMessages({ entries, system: SYSTEM_PROMPT, model: MODEL, hash: quickHash });
}

function at(entries: readonly Entry[], index: number): Entry {
  const entry = entries[index];
  if (!entry) throw new Error(`no entry at ${index}`);
  return entry;
}

function moved(entries: readonly Entry[], from: number, to: number): Entry[] {
  return entries.toSpliced(from, 1).toSpliced(to, 0, at(entries, from));
}

/** One line a message, so that a whole request is easy to read. */
function shape({ messages }: Projection): string[] {
  return messages.map(({ role, parts }) => `${role}: ${parts.map(line).join(", ")}`);
}

function line(part: Message["parts"][number]): string {
  if (part.type === "tool-call") return `tool-call ${part.call_id}`;
  if (part.type === "tool-result") return `tool-result ${part.call_id} ${part.output}`;
  if (part.type === "image") return `image ${part.path}`;
  return `${part.type} ${part.text}`;
}

function resultParts({ messages }: Projection): ToolResultPart[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool-result" ? [part] : [])));
}

function results(sent: Projection): string[] {
  return resultParts(sent).map((part) => `${part.call_id} ${part.output}`);
}

function repairs(sent: Projection): string[] {
  return sent.repairs.map(({ code, entry_ids }) => [code, ...entry_ids].join(" "));
}
