import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { type Entry, TOOL } from "../session/entry.ts";
import { prefixFingerprint } from "./fingerprint.ts";
import type { Message } from "./message.ts";
import { type Projection, projectMessages } from "./project-messages.ts";
import { CONTENTS, Conversation, MODEL, OTHER_MODEL, SYSTEM_PROMPT } from "./testing/conversation.ts";
import { isBlank } from "./testing/json-rules.ts";
import { PROVIDERS } from "./testing/provider-rules.ts";
import { quickHash } from "./testing/quick-hash.ts";
import { randomEdit } from "./testing/random-edit.ts";
import { hostileText, play, playFrom, turn } from "./testing/random-history.ts";

const turns = fc.array(turn, { maxLength: 4 });
const edits = fc.array(randomEdit, { maxLength: 8 });
const model = fc.constantFrom(MODEL, OTHER_MODEL);

/** A history that was made, edited, continued (perhaps by another model) and edited again. */
const history = fc
  .tuple(turns, edits, turns, model, edits)
  .map(([made, edited, later, model, again]): readonly Entry[] => {
    const before = apply(edited, play(new Conversation(), made).entries);
    return apply(again, playFrom(before, later, "f", model).entries);
  });

describe("projectMessages, after any edits of the conversation", () => {
  test("[P6] [D6] [L9] [PR1] no provider refuses the request", () => {
    fc.assert(
      fc.property(history, fc.oneof(fc.constant(SYSTEM_PROMPT), hostileText), model, (entries, system, model) => {
        const sent = projectMessages({ entries, system, model, hash: quickHash, attached: CONTENTS });
        expect(sent.messages.length > 0).toBe(entries.some(hasSomethingToSay));
        if (sent.messages.length === 0) return;
        for (const { name, problems } of PROVIDERS)
          expect({ name, problems: problems(sent, model) }).toEqual({ name, problems: [] });
      }),
      cases(600),
    );
  });

  test("[P6] [PR2] the same entries give the same request, and its fingerprint is that of its messages", () => {
    fc.assert(
      fc.property(history, (entries) => {
        const sent = project(entries);
        expect(project(structuredClone(entries) as Entry[])).toEqual(sent);
        expect(prefixFingerprint(sent, quickHash)).toBe(sent.fingerprint);
      }),
      cases(100),
    );
  });

  test("[P6] [PR3] appending changes no earlier message, and only adds to the last one", () => {
    fc.assert(
      fc.property(history, turns, fc.boolean(), (entries, later, goesOn) => {
        const before = project(entries).messages;
        const grown = new Conversation(entries, MODEL, "new");
        if (goesOn) grown.step({ text: "and", thinking: ["on"], calls: [{ output: "done" }] });
        const after = project(play(grown, later).entries).messages;
        const complete = before.slice(0, -1);
        expect(after.slice(0, complete.length)).toEqual(complete);
        const last = withoutClosingLine(before.at(-1));
        expect(after[complete.length]?.parts.slice(0, last.length) ?? []).toEqual(last);
      }),
      cases(150),
    );
  });

  test("[P6] [PR4] an unedited history needs no repair and keeps all its thinking", () => {
    fc.assert(
      fc.property(turns, turn, (made, { prompt, attached, steps }) => {
        const conversation = play(new Conversation(), made).prompt(prompt, attached);
        for (const step of steps) conversation.step(step);
        const sent = conversation.sent();
        expect(sent.repairs).toEqual([]);
        expect(thinkingOf(sent)).toEqual(
          conversation.entries.flatMap((entry) => entry.thinking_segments ?? []).map((each) => each.signature),
        );
      }),
      cases(100),
    );
  });
});

function project(entries: readonly Entry[]): Projection {
  return projectMessages({ entries, system: SYSTEM_PROMPT, model: MODEL, hash: quickHash, attached: CONTENTS });
}

function apply(
  edits: readonly ((entries: readonly Entry[]) => Entry[])[],
  entries: readonly Entry[],
): readonly Entry[] {
  return edits.reduce((edited, edit) => (edited.length === 0 ? edited : edit(edited)), entries);
}

function hasSomethingToSay(entry: Entry): boolean {
  const result = entry.role === TOOL && entry.tool_result !== undefined;
  return result || !isBlank(entry.content) || (entry.tool_calls?.length ?? 0) > 0;
}

function withoutClosingLine(message: Message | undefined): Message["parts"] {
  const parts = message?.parts ?? [];
  return parts.at(-1)?.entry_id === undefined ? parts.slice(0, -1) : parts;
}

function thinkingOf(sent: Projection): (string | undefined)[] {
  return sent.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "thinking" ? [part.signature] : [])),
  );
}
