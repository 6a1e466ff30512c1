import { branch } from "../history/branch.ts";
import { mergeHeads } from "../history/merge.ts";
import { addPath, addRole } from "../operations/change-lists.ts";
import { changeSetting, changeSettings } from "../operations/change-settings.ts";
import { editEntry, patchEntry, showAllEntries } from "../operations/edit-entry.ts";
import { noteFilesEdited, restoreFiles } from "../operations/files.ts";
import { importEntries } from "../operations/import-entries.ts";
import { insertEntry, removeEntry } from "../operations/insert-entry.ts";
import { resetSession } from "../operations/reset-session.ts";
import { deleteTake, keepTake, promoteTake, renameTake, switchTake } from "../operations/take.ts";
import { changeThread, noteGit, saveThread } from "../operations/thread.ts";
import {
  endTool,
  finishTurn,
  progressTool,
  proposeTool,
  startTool,
  startTurn,
  streamTurn,
} from "../operations/turn.ts";
import { clearEntries, compressEntries, replaceEntries, truncateEntries } from "../operations/whole-conversation.ts";
import { isRefusal } from "../session/refusal.ts";
import { entryAt, takes } from "../session/view.ts";
import { textSum } from "../values/text-sum.ts";
import { World } from "./world.ts";

/** A thread that contains every kind of operation. */
export function everyOperation(): World {
  const world = new World();
  const entry = (index: number) => entryAt(world.state, "t1", index)?.id ?? "";

  world.must(
    startTurn(world.state, world.context(), {
      turn_id: "turn-a",
      prompt: { id: "p1", content: "Add a login page" },
      model: "scripted/default",
    }),
  );
  const agent = { actor: { kind: "agent" } } as const;
  const call = { id: "call-1", name: "write", input: { path: "login.html", content: "<form>" } };
  world.must(
    streamTurn(world.state, world.context(agent), {
      turn_id: "turn-a",
      entry: "a1",
      text: "I will write ",
      fields: { thinking_segments: [{ text: "A form.", signature: "s1" }] },
    }),
  );
  world.must(
    streamTurn(world.state, world.context(agent), {
      turn_id: "turn-a",
      entry: "a1",
      text: "the page. 🙂",
      fields: { tool_calls: [call], usage: { input_tokens: 12 } },
    }),
  );
  world.must(proposeTool(world.state, world.context(agent), { turn_id: "turn-a", entry: "r1", call }));
  world.must(startTool(world.state, world.context(agent), { turn_id: "turn-a", entry: "r1", call }));
  world.must(
    progressTool(world.state, world.context(agent), {
      turn_id: "turn-a",
      entry: "r1",
      progress: { fraction: 0.5, message: "half", units: 1 },
      text: "writing",
    }),
  );
  world.must(
    endTool(world.state, world.context(agent), {
      turn_id: "turn-a",
      entry: "r1",
      status: "completed",
      content: "wrote login.html",
      tree: "tree-1",
    }),
  );
  world.must(finishTurn(world.state, world.context(agent), { turn_id: "turn-a", status: "finished", tree: "tree-3" }));

  world.must(editEntry(world.state, world.context(), { entry: entry(1), content: `${"long text ".repeat(20)}edited` }));
  world.must(
    editEntry(world.state, world.context(), { entry: entry(1), content: `${"long text ".repeat(20)}edited twice` }),
  );
  world.must(patchEntry(world.state, world.context(), { entry: entry(0), patch: { collapsed: true } }));
  world.must(patchEntry(world.state, world.context(), { entry: entry(0), patch: { role: "Architect" } }));
  world.must(
    insertEntry(world.state, world.context(), {
      entry: { id: "n1", content: "a note", custom: { kept: [1, null] } },
      before: entry(1),
    }),
  );
  world.must(removeEntry(world.state, world.context(), { entry: "n1" }));
  world.must(showAllEntries(world.state, world.context(), { collapsed: true }));
  world.must(addRole(world.state, world.context(), { role: "Architect" }));
  world.must(changeSetting(world.state, world.context(), { field: "draft", value: "next", typing: true }));
  world.must(changeSettings(world.state, world.context(), { settings: { temperature: 0.5, max_tokens: 100 } }));
  world.must(addPath(world.state, world.context(), { list: "context", member: { path: "src/a.ts" } }));
  world.must(changeThread(world.state, world.context(), { facts: { title: "Login", tags: ["web"] } }));
  world.must(saveThread(world.state, world.context(), { save: "before-branch" }));
  world.must(
    noteGit(world.state, world.context({ actor: { kind: "system" } }), { git: { branch: "main", commit: "abc" } }),
  );
  world.must(noteFilesEdited(world.state, world.context({ actor: { kind: "editor" } }), { tree: "tree-4" }));
  world.must(restoreFiles(world.state, world.context(), { tree: "tree-3", snapshot: "snapshot-1" }));

  world.must(branch(world.history, world.context(), { entry: entry(1), take: "t2" }));
  world.must(renameTake(world.state, world.context(), { take: "t2", name: "other" }));
  world.must(promoteTake(world.state, world.context(), { take: "t2", name: "Other way" }));
  world.must(keepTake(world.state, world.context({ actor: { kind: "sync" } }), { take: "t1" }));
  world.must(switchTake(world.state, world.context(), { take: "t2" }));
  world.must(switchTake(world.state, world.context(), { take: "t1" }));
  world.must(deleteTake(world.state, world.context(), { take: "t2" }));

  world.turn("second");
  const reverted = world.turn("third");
  world.must(truncateEntries(world.state, world.context(), { pairs: 2 }));
  world.must(
    replaceEntries(world.state, world.context(), { entries: [{ id: entry(1) }, { id: "new", content: "new" }] }),
  );
  world.undo({ count: 2 });
  world.redo();
  world.undo({ count: 2 });
  world.revert({ operation: world.startOf(reverted) });
  world.jump(world.log[20]?.id ?? "");
  world.must(compressEntries(world.state, world.context(), { summary: { id: "sum", content: "All of it, short." } }));
  world.must(clearEntries(world.state, world.context()));
  world.must(resetSession(world.state, world.context()));
  const turn = { id: "turn-i", number: 20, prompt: "asked elsewhere", status: "finished" };
  world.must(
    importEntries(world.state, world.context(), { turn, entries: [{ id: "i1", content: "asked elsewhere" }] }),
  );
  world.must(
    importEntries(world.state, world.context(), {
      entries: [{ id: "i2", content: "a note" }],
      discussion: { git_commit: "abc" },
    }),
  );
  merge(world);
  return world;
}

/** Lets another machine continue from three operations ago, and merges its work. */
function merge(world: World): void {
  const other = new World();
  other.history.state = world.history.stateAt(world.log.at(-4)?.id ?? "");
  const take = takes(other.state)[0]?.id ?? "";
  const elsewhere = { ...other.context(), id: "elsewhere", take };
  const operation = other.must(
    insertEntry(other.state, elsewhere, { entry: { id: "from-elsewhere", content: "hello" } }),
  );
  world.history.add(operation);
  const heads = [world.state.head ?? "", operation.id].map((id) => ({ operation: id, hash: id }));
  const text = (content: string) => `${textSum(content).toString(16)}0123456789abcdef`;
  const merged = mergeHeads(world.history, heads, { text, operation: ({ id }) => id });
  if (isRefusal(merged)) throw new Error(merged.message);
  world.log.push(operation);
  for (const { operation } of merged.operations) world.must({ kind: "operation", operation });
}
