import { describe, expect, test } from "vitest";
import type { Entry } from "../session/entry.ts";
import { answerFingerprint } from "./fingerprint.ts";
import { withoutThinking } from "./message.ts";
import { type Projection, projectMessages } from "./project-messages.ts";
import { Conversation, MODEL, OTHER_MODEL, SYSTEM_PROMPT } from "./testing/conversation.ts";
import { quickHash } from "./testing/quick-hash.ts";

const { entries } = new Conversation()
  .prompt("first")
  .step({ text: "calling", thinking: ["why", null], calls: [{ output: "A" }] })
  .step({ text: "answer", thinking: ["so"] })
  .prompt("second")
  .step({ thinking: ["then"], calls: [{ output: "B" }] });

describe("thinking", () => {
  test("[P6] [PR22] is kept when nothing before it changed", () => {
    expect(thinking(project(entries))).toEqual(["why", "(hidden)", "so", "then"]);
    expect(project(entries).thinking).toBe("allowed");
  });

  test("[PR22] is left out after an edit before it, and kept when the edit comes later", () => {
    const sent = project(edited(4, { content: "another" }));
    expect(thinking(sent)).toEqual(["why", "(hidden)", "so"]);
    expect(codes(sent)).toEqual(["thinking-outdated"]);
  });

  test("[PR22] is left out when the system prompt changed", () => {
    expect(thinking(project(entries, MODEL, "Be bold."))).toEqual([]);
  });

  test("[PR22] of another model is left out, and is sent again after a switch back", () => {
    const sent = project(entries, OTHER_MODEL);
    expect([thinking(sent), new Set(codes(sent))]).toEqual([[], new Set(["thinking-of-another-model"])]);
    const later = new Conversation(entries, OTHER_MODEL, "g").step({ text: "mine" }).prompt("back").entries;
    expect(thinking(project(later))).toEqual(["why", "(hidden)", "so", "then"]);
  });

  test("[PR22] survives the loss of other thinking", () => {
    const { thinking_segments: _, ...plain } = entries[1] as Entry;
    expect(thinking(project(entries.with(1, plain as Entry)))).toEqual(["so", "then"]);
  });

  test("[PR22] survives a branch, in which entries have other ids", () => {
    expect(thinking(project(entries.map((entry) => ({ ...entry, id: `b-${entry.id}` }))))).toHaveLength(4);
  });

  test("[PR22] of one answer is sent all or none; unsigned thinking is only shown", () => {
    const segments = entries[1]?.thinking_segments ?? [];
    const half = segments.map((segment, index) => (index === 0 ? { ...segment, prefix: "x" } : segment));
    expect(thinking(project(edited(1, { thinking_segments: half })))).toEqual(["so", "then"]);
    const shown = project(edited(1, { thinking_segments: [...segments, { text: "for you" }] }));
    expect([thinking(shown), codes(shown)]).toEqual([["why", "(hidden)", "so", "then"], []]);
  });

  test("[PR22] with broken text is left out: its signature would not fit the repaired text", () => {
    const broken = (entries[3]?.thinking_segments ?? []).map((segment) => ({ ...segment, text: "\ud800" }));
    expect(thinking(project(edited(3, { thinking_segments: broken })))).toEqual(["why", "(hidden)", "then"]);
  });

  test("[PR24] stands before the text it led to, and is never last", () => {
    const thoughts = [0, 5, 11].map((text_before, index) => segment(`thought ${index}`, text_before));
    const content = "First\n\nthen";
    const step = { content, thinking_segments: thoughts };
    const answer = answerFingerprint(step, quickHash);
    const made = new Conversation().prompt("first").step({ text: content }).prompt("second").entries;
    const withThoughts = (changes: Partial<Entry> = {}) =>
      project(
        made.with(1, {
          ...(made[1] as Entry),
          thinking_segments: thoughts.map((thought) => ({ ...thought, answer })),
          ...changes,
        }),
      ).messages[1]?.parts.map((part) => ("text" in part ? part.text : part.type));

    expect(withThoughts()).toEqual(["thought 0", "First", "thought 1", "\n\nthen"]);
    expect(withThoughts({ content: "Other" })).toEqual(["Other"]);
  });

  test("[PR23] is left out when the thinking itself was edited", () => {
    const changed = (entries[3]?.thinking_segments ?? []).map((each) => ({ ...each, text: "never thought" }));
    expect(thinking(project(edited(3, { thinking_segments: changed })))).toEqual(["why", "(hidden)", "then"]);
  });

  test("[PR23] is left out when its own answer was edited", () => {
    expect(thinking(project(edited(3, { content: "another answer" })))).toEqual(["why", "(hidden)"]);
  });

  test("[PR22] [PR23] without a record of the answer, the prefix alone decides", () => {
    const segments = (entries[3]?.thinking_segments ?? []).map(
      ({ answer: _, ...segment }) => segment as typeof segment & { text: string },
    );
    expect(thinking(project(edited(3, { content: "another answer", thinking_segments: segments })))).toEqual([
      "why",
      "(hidden)",
      "so",
    ]);
  });

  test("[PR24] goes with its answer when that has neither words nor calls", () => {
    const sent = new Conversation()
      .prompt("go")
      .step({ text: " ", thinking: ["hm"] })
      .sent();
    expect(thinking(sent)).toEqual([]);
    expect(codes(sent)).toEqual(["empty-dropped"]);
  });

  test("[PR24] is left out of an answer that is merged into the one before", () => {
    const twice = entries.slice(0, 4).concat({ ...(entries[3] as Entry), id: "again" });
    expect(thinking(project(twice))).toEqual(["why", "(hidden)", "so"]);
  });

  test("[PR25] lost inside the current tool loop, it turns thinking off; after a prompt of the user it does not", () => {
    const lost = edited(4, { content: "another" });
    expect(project(lost).thinking).toBe("off");
    const answered = new Conversation(lost, MODEL, "h").step({ text: "done" }).prompt("next").entries;
    expect(project(answered).thinking).toBe("allowed");
  });

  test("[PR26] a call's signature is sent under the same conditions", () => {
    const signed = (model: string, prefix?: string) => {
      const base = new Conversation().prompt("go");
      const call = {
        id: "c",
        name: "read",
        input: {},
        signature: "sig",
        model,
        prefix: prefix ?? base.sent().fingerprint,
      };
      const step = { ...base.step({ calls: [{ output: "A" }] }).entries[1], tool_calls: [call] } as Entry;
      return project(base.entries.with(1, step)).messages[1]?.parts[0];
    };
    expect(signed(MODEL)).toHaveProperty("signature", "sig");
    expect(signed(OTHER_MODEL)).not.toHaveProperty("signature");
    expect(signed(MODEL, "stale")).not.toHaveProperty("signature");
  });

  test("can be removed from a request that is made with thinking off", () => {
    const messages = withoutThinking(project(entries).messages);
    expect(JSON.stringify(messages)).not.toContain("thinking");
    expect(messages.length).toBe(project(entries).messages.length);
  });
});

function edited(index: number, change: Partial<Entry>): Entry[] {
  return entries.with(index, { ...(entries[index] as Entry), ...change } as Entry);
}

function project(entries: readonly Entry[], model = MODEL, system = SYSTEM_PROMPT): Projection {
  return projectMessages({ entries, system, model, hash: quickHash });
}

function thinking({ messages }: Projection): string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "thinking" ? [part.redacted ? "(hidden)" : part.text] : [])),
  );
}

function codes(sent: Projection): string[] {
  return sent.repairs.map(({ code }) => code);
}

function segment(text: string, text_before: number) {
  const { fingerprint: prefix } = new Conversation().prompt("first").sent();
  return { text, signature: `signed ${text}`, model: MODEL, prefix, text_before };
}
