import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import {
  type Draft,
  type DraftTake,
  isUnsaved,
  NO_DRAFT,
  savedDraft,
  savingDraft,
  seeDraft,
  withoutPrompt,
} from "./draft.ts";

const MAIN: DraftTake = { thread: "T", id: "main" };
const OTHER: DraftTake = { thread: "T", id: "other" };
const clean = (stored: string, version = 5): Draft => ({ take: MAIN, stored, saving: undefined, version });

describe("[S2] the text field after a view of the thread", () => {
  const saving = { ...clean("a"), saving: "ab" };
  test.each<[string, Draft, string, { stored: string; version: number; take?: DraftTake }, string]>([
    ["shows the draft of the first view", NO_DRAFT, "", { stored: "given", version: 1 }, "given"],
    ["keeps words that were typed before the first view", NO_DRAFT, "mine", { stored: "given", version: 1 }, "mine"],
    ["shows another draft where nothing was typed", clean("a"), "a", { stored: "b", version: 6 }, "b"],
    ["is emptied with the record", clean("a"), "a", { stored: "", version: 6 }, ""],
    ["keeps words that are not saved", clean("a"), "ab", { stored: "b", version: 6 }, "ab"],
    ["keeps words that are being saved", saving, "ab", { stored: "a", version: 5 }, "ab"],
    ["keeps a deletion while the longer text is being saved", saving, "a", { stored: "ab", version: 6 }, "a"],
    ["ignores a view that is older than the last save", clean("ab", 6), "ab", { stored: "a", version: 5 }, "ab"],
    ["shows the draft of another take", clean("a"), "a", { stored: "o", version: 6, take: OTHER }, "o"],
  ])("%s", (_, draft, text, { take = MAIN, ...seen }, shown) => {
    expect(seeDraft(draft, text, { ...seen, take }).text).toBe(shown);
  });

  test("[X6] words that were typed in the take before are left to that take", () => {
    const seen = { stored: "o", version: 6, take: OTHER };
    expect(seeDraft(clean("a"), "ab", seen).left).toEqual({ take: MAIN, text: "ab" });
    expect(seeDraft(clean("a"), "a", seen).left).toBeUndefined();
    expect(seeDraft(savingDraft(clean("a"), "ab"), "ab", seen).left).toBeUndefined();
  });

  test("[S2] [X6] words that were typed in a take that is gone stay in the field", () => {
    const seen = { stored: "o", version: 6, take: OTHER, isGone: true };
    for (const draft of [clean("a"), savingDraft(clean("a"), "ab")]) {
      const after = seeDraft(draft, "ab", seen);
      expect(after).toMatchObject({ text: "ab", draft: { take: OTHER, stored: "o" } });
      expect(isUnsaved(after.draft, after.text)).toBe(true);
    }
    expect(seeDraft(clean("a"), "a", seen).text).toBe("o");
  });
});

test("[S2] words are unsaved until they are sent, and again after their save failed", () => {
  const draft = clean("a");
  expect(isUnsaved(draft, "ab")).toBe(true);
  const sent = savingDraft(draft, "ab");
  expect(isUnsaved(sent, "ab")).toBe(false);
  expect(isUnsaved(savedDraft(sent, MAIN, undefined), "ab")).toBe(true);
  expect(isUnsaved(savedDraft(sent, MAIN, 6), "ab")).toBe(false);
  // The answer of a save for another take says nothing about this one.
  expect(savedDraft(sent, OTHER, 6)).toBe(sent);
});

test.each([
  ["do it", "do it", ""],
  ["  do it\n", "do it", ""],
  ["do it and then this", "do it", "and then this"],
  ["another prompt", "do it", "another prompt"],
  ["", "do it", ""],
])("a field with %j keeps, after %j was sent from it, the words %j", (text, prompt, rest) => {
  expect(withoutPrompt(text, prompt)).toBe(rest);
});

test("[S2] [S9] the field shows the words that were typed last, however late saves, answers and views are", () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ do: fc.constant("type" as const), text: fc.constantFrom("", "a", "ab", "abc") }),
      fc.record({ do: fc.constantFrom("save" as const, "arrive" as const, "lose" as const) }),
      fc.record({ do: fc.constantFrom("answer" as const, "view" as const, "word" as const) }),
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (list) => {
      let draft = seeDraft(NO_DRAFT, "", { take: MAIN, stored: "", version: 1 }).draft;
      let text = "";
      const record = { stored: "", version: 1 };
      const events: (typeof record)[] = [{ ...record }];
      let request: string | undefined;
      let answer: { version: number | undefined } | undefined;
      const see = () => {
        const seen = events[0];
        if (seen) ({ draft, text } = seeDraft(draft, text, { ...seen, take: MAIN }));
      };
      const acts = {
        save: () => {
          if (draft.saving !== undefined || !isUnsaved(draft, text)) return;
          draft = savingDraft(draft, text);
          request = text;
        },
        arrive: () => {
          if (request === undefined) return;
          if (request !== record.stored) {
            Object.assign(record, { stored: request, version: record.version + 1 });
            events.push({ ...record });
          }
          request = undefined;
          answer = { version: record.version };
        },
        lose: () => {
          if (request === undefined) return;
          request = undefined;
          answer = { version: undefined };
        },
        answer: () => {
          if (answer) draft = savedDraft(draft, MAIN, answer.version);
          answer = undefined;
        },
        view: () => {
          if (events.length > 1) events.shift();
          see();
        },
        // A streamed word is a view with the same records.
        word: see,
      };
      let last = "";
      for (const step of list) {
        if (step.do === "type") {
          last = step.text;
          text = step.text;
        } else acts[step.do]();
        expect(text).toBe(last);
      }
      for (const act of ["arrive", "answer", "save", "arrive", "answer"] as const) acts[act]();
      for (const _ of events.slice()) acts.view();
      expect([text, record.stored, draft.stored]).toEqual([last, last, last]);
    }),
    cases(500),
  );
});
