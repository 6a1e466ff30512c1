import fc from "fast-check";
import { ATTACHMENT_KINDS, type Attachment } from "../../session/attachment.ts";
import { DEFAULT_ROLES, type Entry, type ToolStatus } from "../../session/entry.ts";
import type { JsonObject } from "../../values/json.ts";
import { type CallPlan, Conversation, MODEL, type StepPlan } from "./conversation.ts";

/** A turn without any edits: a prompt, steps with calls that end, an answer. */
export interface TurnPlan {
  readonly prompt: string;
  readonly attached: readonly Attachment[];
  readonly steps: readonly StepPlan[];
  readonly answer: StepPlan;
}

const said = fc.string({ minLength: 1, maxLength: 12 }).map((text) => `said ${text}`);
const thinking = fc.oneof(
  fc.constant([]),
  fc.array(fc.oneof({ weight: 4, arbitrary: said }, { weight: 1, arbitrary: fc.constant(null) }), { maxLength: 2 }),
);

/** Few names and texts, so that later ones are new versions of earlier ones. */
const attachment: fc.Arbitrary<Attachment> = fc.record({
  kind: fc.constantFrom(...ATTACHMENT_KINDS),
  name: fc.constantFrom("a.md", "b/a.md", "unwanted", "\ud800\n# c"),
  digest: fc.oneof(
    fc.constantFrom("", " ", "missing", "\ud800", "`````"),
    fc.constantFrom("v1", "v2", "long\n".repeat(50), `${"long\n".repeat(50)}more`),
  ),
});
export const attachments = fc.oneof(fc.constant([]), fc.array(attachment, { maxLength: 3 }));

const call: fc.Arbitrary<CallPlan> = fc.record({
  name: fc.constantFrom("read", "write", "run_shell"),
  input: fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), {
    maxKeys: 2,
  }) as fc.Arbitrary<JsonObject>,
  output: fc.string({ maxLength: 12 }),
  status: fc.constantFrom<ToolStatus>("completed", "completed", "failed"),
  attached: attachments,
});

export const turn: fc.Arbitrary<TurnPlan> = fc.record({
  prompt: said,
  attached: attachments,
  steps: fc.array(
    fc.record({
      text: fc.oneof(fc.constant(""), said),
      thinking,
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 3 },
  ),
  answer: fc.record({ text: said, thinking }),
});

export function play(conversation: Conversation, turns: readonly TurnPlan[]): Conversation {
  for (const { prompt, attached, steps, answer } of turns) {
    conversation.prompt(prompt, attached);
    for (const step of steps) conversation.step(step);
    conversation.step(answer);
  }
  return conversation;
}

export function playFrom(
  entries: readonly Entry[],
  turns: readonly TurnPlan[],
  prefix: string,
  model = MODEL,
): Conversation {
  return play(new Conversation(entries, model, prefix), turns);
}

/**
 * Texts that break careless code: blank, malformed, with surrounding whitespace, long, or with a meaning in some
 * format.
 */
export const hostileText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\n\t ",
    "\u0085",
    "\u001c\u001f",
    "\u2003\ufeff",
    "\ud800",
    "a\udc00b",
    "  rims  \n",
    "__proto__",
  ),
  fc.constantFrom(
    "toString",
    "[System]",
    "\u0000",
    "call",
    "e-call-1",
    "-2",
    "9lives",
    "naïve.tool:name",
    "x".repeat(100),
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
  said,
);

export const role = fc.oneof(
  fc.constantFrom(...DEFAULT_ROLES),
  fc.constantFrom("Reviewer", "", "\ud800\n x", "y".repeat(90)),
);

export const status = fc.constantFrom<ToolStatus>(
  "pending",
  "running",
  "completed",
  "failed",
  "denied",
  "interrupted",
  "unknown",
);
