import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  activeTake,
  type Built,
  branch,
  type Context,
  changeThread,
  completePlan,
  createThread,
  deleteTake,
  editEntry,
  entries,
  entryAt,
  entryCount,
  type History,
  insertEntry,
  liveTakes,
  noteGit,
  planRedo,
  planUndo,
  removeEntry,
  resetSession,
  switchTake,
} from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { SearchIndex } from "../store/search-index.ts";
import { openStorePart, type StorePart } from "../store/store-part.ts";
import { searchQuery } from "./search-query.ts";
import { byRelevance, searchThreads } from "./search-threads.ts";
import { snippetOf } from "./snippet.ts";

let folder: string;
let store: StorePart;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-search-"));
  store = openStorePart(folder, { outbox: true });
});
afterEach(() => {
  store.database.close();
  rmSync(folder, { recursive: true });
});

let ids = 0;
function context(): Context {
  ids += 1;
  return { id: `op${ids}`, at: Date.UTC(2026, 0, 1) + ids * 1000, actor: { kind: "user" } };
}

function thread(id: string, title: string, root = "/places/one"): void {
  const origin = { id, workspace_root: root, cwd: root, retake_version: "0", private: false };
  store.threads.place(id, root);
  store.threads.change(id, () => createThread(context(), { origin, take: `${id}-main`, title }));
}

function say(id: string, content: string, role = "User"): void {
  const done = store.threads.change(id, ({ state }) =>
    insertEntry(state, context(), { entry: { id: `e${++ids}`, content, role } }),
  );
  if ("code" in done) throw new Error(done.message);
}

const found = async (words: string, more: object = {}) =>
  (await searchThreads(store, { words, ...more })).sort(byRelevance).map(({ thread: { title } }) => title);

describe("what is found", () => {
  test("[L11] all words in one entry, or in title and tags; the last may be a prefix", async () => {
    thread("T-1", "Login page");
    thread("T-2", "Other");
    say("T-1", "The quick brown fox");
    say("T-1", "jumps over the lazy dog");
    say("T-2", "A brown study, the foxglove");
    expect((await found("brown fox")).sort()).toEqual(["Login page", "Other"]);
    expect(await found("fox brown the quick")).toEqual(["Login page"]);
    expect(await found("quick dog")).toEqual([]);
    expect(await found("fox brown")).toEqual(["Login page"]);
    expect(await found("login")).toEqual(["Login page"]);
    expect(await found("PAGE log")).toEqual(["Login page"]);
    store.threads.change("T-2", ({ state }) => changeThread(state, context(), { facts: { tags: ["Release-2"] } }));
    expect(await found("release")).toEqual(["Other"]);
    expect(await found("", { tag: "release-2" })).toEqual(["Other"]);
    expect(await found("", { title: "log" })).toEqual(["Login page"]);
  });

  test("[L11] no typed character is an error or has a special meaning", async () => {
    thread("T-1", "One");
    say("T-1", 'see open-retake.ts AND "quoted words" (or not) a*b c:d NEAR^2 -minus {x} don\'t');
    for (const words of [
      ...["open-retake.ts", "AND", "not", '"quoted words"', "a*b", "c:d", "NEAR^2", "-minus", "{x}", "don't", "'", '"'],
      ...['"quoted', "retake.t", "OR", "(", "words:quoted", "\\", "%", "NEAR(a b)", "\u0000", '" "'],
    ]) {
      await expect(found(words), words).resolves.toBeDefined();
    }
    expect(await found("open-retake.ts")).toEqual(["One"]);
    expect(await found("retake-open")).toEqual([]);
    expect(await found('"quoted words"')).toEqual(["One"]);
    expect(await found('"words quoted"')).toEqual([]);
    expect(await found("AND NEAR")).toEqual(["One"]);
  });

  test("[L11] text without spaces is found by any part, and accents and forms do not matter", async () => {
    thread("T-1", "One");
    say("T-1", "これは日本語のテストです。Café ﬁle ÜBER 한국어를 찾기");
    for (const words of [
      "日本語",
      "本語",
      "テスト",
      "cafe",
      "CAFÉ",
      "file",
      "uber",
      "über",
      "한국어",
      "찾",
      "日本 cafe",
    ])
      expect(await found(words), words).toEqual(["One"]);
    expect(await found("語本")).toEqual([]);
  });

  test("[L11] filters: role, branch, commit, directory, date", async () => {
    thread("T-1", "One", "/places/one");
    thread("T-2", "Two", "/places/two/deep");
    say("T-1", "needle", "User");
    say("T-2", "needle", "AI");
    const git = {
      start: { branch: "main", commit: "abc123" },
      now: { branch: "feature", commit: "def456" },
      commits: ["abc123", "999aaa"],
    };
    store.threads.change("T-2", ({ state }) => noteGit(state, context(), { git }));
    expect(await found("needle", { role: "ai" })).toEqual(["Two"]);
    expect(await found("", { role: "User" })).toEqual(["One"]);
    expect(await found("two", { role: "User" })).toEqual([]);
    for (const name of ["main", "feature"]) expect(await found("needle", { branch: name })).toEqual(["Two"]);
    for (const commit of ["ABC", "def456", "999"]) expect(await found("", { commit })).toEqual(["Two"]);
    expect(await found("needle", { branch: "mai" })).toEqual([]);
    expect(await found("needle", { directory: "/places/two" })).toEqual(["Two"]);
    expect(await found("needle", { directory: "/places/tw" })).toEqual([]);
    expect(await found("needle", { directory: "/places" })).toHaveLength(2);
    const now = Date.UTC(2026, 0, 1) + ids * 1000;
    expect(await found("needle", { since: now + 1000 })).toEqual([]);
    expect(await found("needle", { until: Date.UTC(2025, 0, 1) })).toEqual([]);
    expect(await found("needle", { since: Date.UTC(2025, 0, 1), until: now })).toHaveLength(2);
  });

  test("[L11] the better match comes first: a title, then an entry that mostly consists of the word", async () => {
    thread("T-1", "One");
    thread("T-2", "Two");
    thread("T-3", "About needles");
    say("T-1", `needle ${"hay ".repeat(200)}`);
    say("T-2", "needle");
    expect(await found("needle")).toEqual(["About needles", "Two", "One"]);
  });

  test("[L11] [F51] finds the last hundred matches of a thread, and still those of earlier threads", async () => {
    for (const [id, count] of [
      ["T-1", 3],
      ["T-2", 700],
      ["T-3", 100],
      ["T-4", 101],
      ["T-5", 400],
    ] as const) {
      thread(id, id);
      store.database.transaction(() => {
        for (let index = 0; index < count; index += 1) say(id, `needle ${index}`, index === 0 ? "System" : "User");
      });
    }
    for (const words of ["needle", "need"]) {
      const all = await searchThreads(store, { words });
      const counts = all.map(({ thread: { id }, hits, more }) => [id, hits.length, more]);
      expect(counts.sort()).toEqual([
        ["T-1", 3, false],
        ["T-2", 100, true],
        ["T-3", 100, false],
        ["T-4", 100, true],
        ["T-5", 100, true],
      ]);
      expect((await searchThreads(store, { words, role: "system" })).map(({ hits }) => hits.length)).toEqual([
        1, 1, 1, 1, 1,
      ]);
    }
    expect(await found("needle 0")).toHaveLength(5);
  });

  test("a deleted thread or take is not found, and is found again after undo", async () => {
    thread("T-1", "One");
    thread("T-2", "Two");
    say("T-1", "needle");
    store.threads.change("T-1", ({ state }) => changeThread(state, context(), { facts: { deleted: true } }));
    expect(await found("needle")).toEqual([]);
    store.threads.change("T-1", ({ state }) => changeThread(state, context(), { facts: { deleted: false } }));
    expect(await found("needle")).toEqual(["One"]);
  });
});

describe("snippets", () => {
  test("of a long text show its first match, wherever that is, and no half of a word", () => {
    for (const before of [0, 15_350, 15_360, 16_380, 16_383, 40_000, 300_000]) {
      const text = `${"needles ".repeat(Math.ceil(before / 8)).slice(0, before)} a needle here. ${"more ".repeat(9000)}`;
      const { snippet, highlights } = snippetOf(text, searchQuery('"needle here"'));
      expect(highlights.map(({ start, end }) => snippet.slice(start, end))).toEqual(["needle here"]);
    }
    const cut = `${"x ".repeat(8189)}needles and pins ${"y ".repeat(9000)}`;
    expect(snippetOf(cut, searchQuery('"needle"')).highlights).toEqual([]);
  });

  test("one line around the first match, with the places of all words in it", () => {
    const text = `${"before ".repeat(30)}\n\n  the   NEEDLE  and the\tthread ${"after ".repeat(30)}`;
    const { snippet, highlights } = snippetOf(text, searchQuery("thread needle"));
    expect(snippet).toMatch(/^….*the NEEDLE and the thread .*…$/);
    expect(highlights.map(({ start, end }) => snippet.slice(start, end))).toEqual(["NEEDLE", "thread"]);
  });

  test("positions are right when folding changes lengths, and no character is cut in two", () => {
    const text = `${"😀".repeat(80)} Straße ﬁlé İstanbul 日本語 cafe\u0301s ${"😀".repeat(80)}`;
    for (const [words, expected] of [
      ["file", "ﬁlé"],
      ["日本", "日本"],
      ["caf", "cafe\u0301s"],
    ] as const) {
      const { snippet, highlights } = snippetOf(text, searchQuery(words));
      expect(highlights.map(({ start, end }) => snippet.slice(start, end))).toEqual([expected]);
      expect(snippet.isWellFormed()).toBe(true);
    }
  });
});

describe("the index", () => {
  const WORDS = ["apple", "Apples", "pear", "plum-tree", "日本語", "café", "x"];

  /** As plain as it gets: every entry of every take that is there, by its words. */
  function naive(words: readonly string[]): string[] {
    const list: string[] = [];
    for (const { id } of store.threads.list().filter(({ deleted }) => !deleted)) {
      store.threads.read(id, ({ state }) => {
        for (const take of liveTakes(state)) {
          for (const entry of entries(state, take.id)) {
            const said = entry.content.toLowerCase().replaceAll("é", "e").replace("日本語", "日 本 語").split(/[ -]/);
            if (words.every((word) => said.includes(word))) list.push(`${id} ${entry.id}`);
          }
        }
      });
    }
    return [...new Set(list)].sort();
  }

  type Deed = (history: History, number: number, text: string) => Built | undefined;
  const some = ({ state }: History, number: number) =>
    entryAt(state, activeTake(state), number % Math.max(1, entryCount(state, activeTake(state))))?.id ?? "";
  const DEEDS: Record<string, Deed> = {
    insert: ({ state }, _, content) => insertEntry(state, context(), { entry: { id: `e${++ids}`, content } }),
    edit: (history, number, content) => editEntry(history.state, context(), { entry: some(history, number), content }),
    remove: (history, number) => removeEntry(history.state, context(), { entry: some(history, number) }),
    branch: (history, number) => branch(history, context(), { entry: some(history, number), take: `take${++ids}` }),
    switch: ({ state }, number) =>
      switchTake(state, context(), { take: liveTakes(state)[number % liveTakes(state).length]?.id ?? "" }),
    "delete take": ({ state }, number) =>
      deleteTake(state, context(), { take: liveTakes(state)[number % liveTakes(state).length]?.id ?? "" }),
    delete: ({ state }, number) => changeThread(state, context(), { facts: { deleted: number % 2 === 0 } }),
    reset: ({ state }) => resetSession(state, context()),
    undo: (history, number) => {
      const plan = planUndo(history, { steps: number % 2 === 0, count: (number % 3) + 1, on_conflict: "keep" });
      return plan.kind === "plan" ? completePlan(history, context(), plan) : undefined;
    },
    redo: (history) => {
      const plan = planRedo(history, { on_conflict: "keep" });
      return plan.kind === "plan" ? completePlan(history, context(), plan) : undefined;
    },
  };

  test("[L11] [F50] finds the same as reading every entry, after any operations", async () => {
    const deed = fc.record({
      deed: fc.constantFrom("insert", "insert", "insert", "undo", ...Object.keys(DEEDS)),
      thread: fc.constantFrom("T-1", "T-2"),
      number: fc.nat({ max: 1000 }),
      text: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(" ")),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(deed, { minLength: 10, maxLength: 60, size: "max" }),
        fc.boolean(),
        async (deeds, layered) => {
          const place = mkdtempSync(join(folder, "walk-"));
          store.database.close();
          store = openStorePart(place, { outbox: true, ...(layered ? { few: 0 } : {}) });
          thread("T-1", "One");
          thread("T-2", "Two");
          for (const [index, { deed: name, thread: id, number, text }] of deeds.entries()) {
            store.threads.change(
              id,
              (history) =>
                (DEEDS[name] as Deed)(history, number, text) ?? { kind: "refused", code: "nothing-to-do", message: "" },
            );
            if (index % 10 !== 9 && index !== deeds.length - 1) continue;
            for (const words of [
              ["apple"],
              ["pear", "apples"],
              ["plum", "tree"],
              ["日", "本"],
              ["cafe", "x"],
              ["none"],
            ]) {
              // In quotes, so that the last one is not the beginning of others.
              const quoted = words.map((word) => `"${word}"`).join(" ");
              const hits = await searchThreads(store, { words: quoted }, layered ? 0 : undefined);
              const list = hits.flatMap((hit) => hit.hits.map(({ entry }) => `${hit.thread.id} ${entry}`));
              expect(list.sort()).toEqual(naive(words));
            }
          }
          // The index has no words that no entry has.
          const counts = store.database
            .prepare(
              "SELECT (SELECT count(*) FROM entry_words) AS words, (SELECT count(DISTINCT words) FROM entries WHERE words > 0) AS entries",
            )
            .get();
          expect(counts?.["words"]).toBe(counts?.["entries"]);
        },
      ),
      cases(20, 300),
    );
  });

  test("[S3] finds entries older than the index, and a rebuilt index is the same", async () => {
    thread("T-1", "One");
    for (let index = 0; index < 30; index += 1) say("T-1", `entry ${index} apple`);
    const before = await searchThreads(store, { words: "apple entry" });
    new SearchIndex(store.database).clear();
    expect(await searchThreads(store, { words: "apple entry" })).toEqual(before);
    expect(before[0]?.hits).toHaveLength(30);
  });

  test("does not index an entry with the same words again, and a branch adds nothing", async () => {
    thread("T-1", "One");
    say("T-1", "apple");
    const places = () => store.database.prepare("SELECT count(*) AS n, max(rowid) AS last FROM entry_words").get();
    const before = places();
    store.threads.change("T-1", (history) =>
      branch(history, context(), {
        entry: entryAt(history.state, activeTake(history.state), 0)?.id ?? "",
        take: "other",
      }),
    );
    expect(places()).toEqual(before);
    expect(await searchThreads(store, { words: "apple" })).toMatchObject([{ hits: [{ take: "other" }] }]);
  });
});
