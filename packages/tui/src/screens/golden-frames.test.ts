import { approvalsIn, type RetakeEvent } from "@retake/client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { lineText } from "../draw/line.ts";
import type { Event, Tag } from "../model/effect.ts";
import { initialModel, type ListName, type Model } from "../model/model.ts";
import { update } from "../model/update.ts";
import { askingView, modelOf, talkedView } from "../testing/talked-view.ts";
import { openingView } from "./opening-view.ts";
import { viewOf } from "./view-of.ts";

// Times are shown as the clock on the wall shows them.
beforeAll(() => void vi.stubEnv("TZ", "UTC"));
afterAll(() => void vi.unstubAllEnvs());

const TALK = [
  [
    "write notes about the plan",
    'I will **write** them:\n\n- first `notes.txt`\n- then the *rest*\n\n```ts\nconst plan = "simple"; // one line\n```',
  ],
  ["a prompt that is long enough to be broken into two lines where the terminal is small", "Done. 世界 👩‍👩‍👧"],
] as const;

const SIZES = [
  [140, 24],
  [100, 24],
  [60, 20],
  [30, 10],
] as const;

const frameOf = (model: Model) =>
  `\n${viewOf(model)
    .lines.map((each) => lineText(each).trimEnd())
    .join("\n")}\n`;

const after = (model: Model, ...events: readonly Event[]) =>
  events.reduce((each, event) => update(each, event).model, model);

test.each(SIZES)("the conversation at %i by %i", (columns, rows) => {
  expect(frameOf(modelOf(talkedView(TALK), columns, rows))).toMatchSnapshot();
});

test("the keys", () => {
  const model = modelOf(talkedView(TALK), 100, 40);
  expect(frameOf(after(model, { type: "key", key: "?", text: "?" }))).toMatchSnapshot();
});

test.each(
  [...SIZES, [1, 1], [300, 100]].flatMap(([columns = 0, rows = 0]) => [
    [columns, rows, "undo"] as const,
    [columns, rows, "suspend"] as const,
  ]),
)(
  "the frame before anything is loaded is that of an empty model, at %i by %i where Ctrl+Z is %s",
  (columns, rows, ctrlZ) => {
    const root = "/home/someone/some project";
    const model = initialModel({ size: { columns, rows }, now: 0, root, prompts: [], mouse: true, ctrlZ });
    const { lines, cursor } = openingView({ columns, rows }, root, ctrlZ);
    const whole = viewOf(model);
    expect(lines.slice(0, rows)).toEqual(whole.lines);
    expect(cursor?.row === undefined || cursor.row >= rows ? undefined : cursor).toEqual(whole.cursor);
  },
);

const HUNK = { old_start: 1, new_start: 1, lines: ["-first idea", "+second idea"], edits: [0] };
const FILE = { path: "notes.txt", status: "modified", additions: 1, deletions: 1 };
const OPERATION = {
  ...{ id: "op-2", name: "kmxq", kind: "turn-finished", description: "Turn: write notes about the plan" },
  ...{ actor: { kind: "agent", name: "scripted/default" }, created_at: "2026-11-17T10:00:00.000Z", undone: false },
};
const TURNS = [
  { id: "t1", name: "#1", prompt: "write notes about the plan", status: "finished" },
  { id: "t2", name: "#2", prompt: "a longer prompt that has no room in the list", status: "failed" },
];
const TAKES = [
  { id: "main", name: "main", base_name: "main", active: true, entries: 4 },
  { id: "other", name: "main_take_1", base_name: "main", active: false, entries: 2 },
];
const THREADS = [
  {
    ...{ id: "T-1", title: "A thread", preview: "write notes about the plan", turns: 2, takes: 2 },
    ...{ updated_at: "2026-11-17T10:00:00.000Z", running_turn: null },
  },
  {
    ...{ id: "T-2", title: "Another one, with a title that is rather long", preview: "fix 世界", turns: 1, takes: 1 },
    ...{ updated_at: "2026-11-16T09:30:00.000Z", running_turn: "t9" },
  },
];
const MATCHES = [
  { entry_id: "turn1.prompt", take: "take-1", role: "User", snippet: "write notes about the plan" },
  { entry_id: "turn1.1", take: "take-1", role: "AI", snippet: "I will write them:\n\n- first notes.txt 世界" },
];
const COMPARED = {
  ...{ a: { id: "main", name: "main" }, b: { id: "other", name: "main_take_1" }, common: 2 },
  entries: {
    a: [{ role: "AI", content: "Done. 世界 👩‍👩‍👧" }],
    b: [{ role: "AI", content: "Done in another way.", tool_calls: [{ name: "write" }] }],
  },
  files: [{ ...FILE, hunks: [HUNK] }],
};
const LISTS: readonly (readonly [ListName, unknown, unknown?])[] = [
  ["review", { files: [FILE], total: 1 }, { files: [{ ...FILE, hunks: [HUNK] }] }],
  ["history", { operations: [OPERATION] }, { ...OPERATION, changes: [], files: [{ ...FILE, hunks: [HUNK] }] }],
  ["turns", { turns: TURNS }, { files: [] }],
  ["takes", { takes: TAKES }],
  ["settings", { model: "", temperature: 0, max_tokens: 0, auto_compress: true, budget: 2.5 }],
  ["context", { context: [] }],
  ["threads", { threads: THREADS }],
  ["search", { threads: [{ ...THREADS[0], matches: MATCHES }] }],
  ["compare", COMPARED],
];

test.each(LISTS.flatMap(([name, list, detail]) => SIZES.map((size) => [name, ...size, list, detail] as const)))(
  "%s at %i by %i",
  (name, columns, rows, list, detail) => {
    const about: Readonly<Record<string, string>> =
      name === "review"
        ? { turn: "#1", from: "#1^", to: "#1" }
        : name === "search"
          ? { words: "notes" }
          : name === "compare"
            ? { a: "main", b: "other" }
            : {};
    const opened = after(
      modelOf(talkedView(TALK), columns, rows),
      { type: "open", name, about },
      { type: "answered", tag: { for: "list", name, about }, answer: list },
    );
    const place = opened.places.at(-1);
    const key = place?.kind === "list" ? (place.items?.[place.selected]?.key ?? "") : "";
    const tag: Tag = { for: "detail", name, key };
    expect(
      frameOf(detail === undefined ? opened : after(opened, { type: "answered", tag, answer: detail })),
    ).toMatchSnapshot();
  },
);

const SIDES = {
  mine: { kind: "file", content: "my own idea\n" },
  theirs: { kind: "file", content: "first idea\n" },
  base: { kind: "file", content: "second idea\n" },
  hunks: [HUNK],
};

test.each(SIZES)("a conflict, asked about and decided, at %i by %i", (columns, rows) => {
  const model = modelOf(talkedView(TALK), columns, rows);
  const opened = update(model, { type: "key", key: "Escape" }).model;
  const { model: asked, effects } = update(opened, { type: "key", key: "u", text: "u" });
  const request = effects.flatMap((each) =>
    each.kind === "call" && each.tag.for === "plan" ? [each.tag.request] : [],
  );
  const answer = {
    ...{ description: "Undo: Turn: write notes about the plan", turns_undone: 1, messages_removed: 2, plan_id: "p" },
    conflicts: [{ path: "notes.txt", kind: "overlap", sides: SIDES }],
    files: [{ path: "other.txt", became: "restored" }],
    entries: [{ name: "#2.0", role: "User", preview: "a prompt", becomes: "removed" }],
  };
  const tag: Tag = { for: "plan", request: request[0] as (typeof request)[number] };
  const shown = after(asked, { type: "answered", tag, answer });
  expect(frameOf(shown)).toMatchSnapshot();
  expect(frameOf(after(shown, { type: "key", key: "2", text: "2" }))).toMatchSnapshot();
});

const LONG_COMMAND = `for each in one two three; do\n  echo "$each" && curl -s https://example.org/$each\ndone`;
const QUESTIONS = {
  command: {
    ...{ name: "bash", input: { command: LONG_COMMAND, background: true } },
    notices: [{ kind: "irreversible", what: "curl sends a request" }],
    always: { tool: "bash", command: "curl *", decision: "allow" },
  },
  write: { name: "write", input: { path: "notes.txt", content: "second idea\n" }, notices: [] },
  budget: { message: "", cost: 2.37, budget: 2, raised: 4 },
} as const;

test.each(Object.keys(QUESTIONS).flatMap((name) => SIZES.map((size) => [name, ...size] as const)))(
  "the question about a %s at %i by %i",
  (name, columns, rows) => {
    const view = askingView(TALK, QUESTIONS[name as keyof typeof QUESTIONS]);
    const question = approvalsIn(view)[0]?.call_id ?? "";
    const asked = { call_id: question, directory: "/home/hello", number: 1, of: 1 };
    const preview = name === "write" ? { preview: "-first idea\n+second idea" } : {};
    const model = after(
      modelOf(undefined, columns, rows),
      { type: "viewed", view, now: 1_700_000_100_000 },
      { type: "told", event: { type: "approval-asked", ...asked, ...preview } as unknown as RetakeEvent },
    );
    const quiet: Event = { type: "question-quiet", call: question, keys: model.keys };
    expect(frameOf(after({ ...model, thread: "T-1" }, quiet))).toMatchSnapshot();
  },
);
