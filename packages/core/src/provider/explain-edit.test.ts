import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import type { Entry } from "../session/entry.ts";
import { type EditEffects, explainEdit } from "./explain-edit.ts";
import { projectMessages } from "./project-messages.ts";
import { Conversation, MODEL, SYSTEM_PROMPT } from "./testing/conversation.ts";
import { quickHash } from "./testing/quick-hash.ts";
import { randomEdit } from "./testing/random-edit.ts";
import { play, turn } from "./testing/random-history.ts";

const { entries } = new Conversation()
  .prompt("first")
  .step({ text: "calling", thinking: ["why"], calls: [{ output: "A".repeat(400) }] })
  .step({ text: "answer", thinking: ["so"] })
  .prompt("second")
  .step({ thinking: ["then"], calls: [{ output: "B" }] });

const NOTHING: EditEffects = { thinking_left_out: [], thinking_turned_off: false, repairs: [], summary: "" };

describe("explainEdit", () => {
  test.each<[string, Entry[]]>([
    ["no edit", entries],
    ["an edit of what is not sent", edited(1, { collapsed: true, read_mode: false })],
    ["taking back the last turn", entries.slice(0, 4)],
    ["taking back the last turn but for its prompt", entries.slice(0, 5)],
    ["a new prompt", new Conversation(entries, MODEL, "n").prompt("third").entries],
    ["other ids, as a branch has", entries.map((entry) => ({ ...entry, id: `b-${entry.id}` }))],
    ["clearing the conversation", []],
  ])("[X7] [PR30] %s breaks nothing", (_, after) => {
    expect(explain(after)).toEqual(NOTHING);
  });

  test('[X7] [PR30] a prompt after a last answer breaks nothing, although the line "Continue." goes', () => {
    const ended = entries.slice(0, 4);
    expect(explain(new Conversation(ended, MODEL, "n").prompt("other").entries, ended)).toEqual(NOTHING);
  });

  test("[X7] [PR27] [PR28] an edit loses the cache and the thinking after it, and inside a tool loop turns thinking off", () => {
    expect(explain(edited(2, { content: "C".repeat(40) }))).toEqual({
      cache: {
        message: 2,
        entry_id: "e2",
        tokens: Math.ceil((40 + "answer".length + "second".length + "read{}".length + 1) / 4),
      },
      thinking_left_out: ["e3", "e5"],
      thinking_turned_off: true,
      repairs: [],
      summary:
        "About 15 tokens must be sent again. The thinking of 2 answers is left out. The next step is made without thinking.",
    });
  });

  test("[X7] [PR27] a changed system prompt loses the whole cache", () => {
    const effects = explainEdit({
      before: { entries, system: SYSTEM_PROMPT },
      after: { entries, system: "Be bold." },
      model: MODEL,
      hash: quickHash,
    });
    expect(effects.cache?.message).toBe(-1);
    expect(effects.thinking_left_out).toEqual(["e1", "e3", "e5"]);
  });

  test("[X7] [P6] removing a result announces that the call will be answered with an error", () => {
    const effects = explain(entries.toSpliced(2, 1));
    expect(effects.repairs.map(({ code, entry_ids }) => [code, ...entry_ids])).toEqual([["result-missing", "e1"]]);
    expect(effects.cache?.entry_id).toBe("e1");
    expect(effects.summary).toContain("The call of 'read' has no result, so the model is told that none is known.");
  });

  test("[X7] [PR28] thinking that was removed with its entry is not named", () => {
    expect(explain(entries.toSpliced(5, 2)).thinking_left_out).toEqual([]);
  });

  test("[X7] [PR29] repairs that were needed before the edit are not named again", () => {
    const broken = entries.toSpliced(2, 1);
    expect(explain(broken.with(0, { ...(broken[0] as Entry), content: "else" }), broken).repairs).toEqual([]);
  });

  test("[X7] [PR27] [PR28] for any edit, the request differs exactly as announced", () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), randomEdit, (turns, edit) => {
        const before = play(new Conversation(), turns).entries;
        const after = edit(before);
        const effects = explain(after, before);
        const [then, now] = [sentParts(before), sentParts(after)];
        const kept = now.filter(({ message }) => message < (effects.cache?.message ?? 0)).length;
        const common = effects.cache ? kept : Math.min(then.length, now.length);
        expect(now.slice(0, common).map(({ bytes }) => bytes)).toEqual(then.slice(0, common).map(({ bytes }) => bytes));
        const named = effects.thinking_left_out.length > 0 || effects.repairs.length > 0 || effects.cache !== undefined;
        expect(effects.summary !== "").toBe(named || effects.thinking_turned_off);
      }),
      cases(150),
    );
  });
});

function edited(index: number, change: Partial<Entry>): Entry[] {
  return entries.with(index, { ...(entries[index] as Entry), ...change } as Entry);
}

function explain(after: readonly Entry[], before: readonly Entry[] = entries): EditEffects {
  const system = SYSTEM_PROMPT;
  return explainEdit({
    before: { entries: before, system },
    after: { entries: after, system },
    model: MODEL,
    hash: quickHash,
  });
}

/** The parts as a provider sees them, without our own ids and the closing line. */
function sentParts(entries: readonly Entry[]): { message: number; bytes: string }[] {
  const { messages } = projectMessages({ entries, system: SYSTEM_PROMPT, model: MODEL, hash: quickHash });
  const parts = messages.flatMap(({ role, parts }, message) =>
    parts.map((part) => ({ message, bytes: JSON.stringify([role, { ...part, entry_id: undefined }]) })),
  );
  return messages.at(-1)?.parts.at(-1)?.entry_id === undefined ? parts.slice(0, -1) : parts;
}
