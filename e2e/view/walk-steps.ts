import type { ViewWalk } from "./view-walk.ts";

export interface Step {
  readonly name: string;
  readonly take: (walk: ViewWalk, thread: string) => Promise<unknown>;
}

/** Things that can happen to a thread; frequent ones are listed several times. */
export const STEPS: readonly Step[] = [
  step("add", (walk, thread) => walk.client.addEntry(thread, { content: walk.text() })),
  step("add", (walk, thread) => walk.client.addEntry(thread, { content: walk.text(), index: walk.below(3) })),
  step("insert", async (walk, thread) =>
    walk.client.addEntry(thread, { content: walk.text(), before: await anEntry(walk, thread) }),
  ),
  step("edit", async (walk, thread) => {
    const entry = await anEntry(walk, thread);
    return walk.client.editEntry(thread, entry, { content: walk.text(), typing: walk.below(2) === 0 });
  }),
  step("role", async (walk, thread) =>
    walk.client.editEntry(thread, await anEntry(walk, thread), { role: "Reviewer" }),
  ),
  step("remove", async (walk, thread) => walk.client.removeEntry(thread, await anEntry(walk, thread))),
  step("replace", (walk, thread) =>
    walk.client.replaceEntries(thread, {
      entries: [{ content: walk.text() }, { role: "Assistant", content: walk.text() }],
    }),
  ),
  step("settings", (walk, thread) =>
    walk.client.changeSettings(thread, { draft: walk.text(), temperature: walk.below(3), typing: true }),
  ),
  step("title", (walk, thread) => walk.client.changeThread(thread, { title: `Title ${walk.text().slice(0, 40)}` })),
  step("turn", turn),
  step("turn", turn),
  step("turn begun", (walk, thread) =>
    walk.client.startTurn(thread, { prompt: `write begun.txt: ${walk.text()}`, approve: "all" as const }),
  ),
  step("turn interrupted", async (walk, thread) => {
    const { turn_id } = await walk.client.startTurn(thread, { prompt: "run sleep 10", approve: "all" as const });
    return walk.client.interruptTurn(thread, turn_id, {});
  }),
  step("retry", async (walk, thread) => {
    const { seq } = await walk.client.getCheckpoint(thread);
    const { turn_id } = await walk.client.retry(thread, { approve: "all" as const });
    if (turn_id !== undefined) await walk.served.ended(thread, turn_id, seq);
  }),
  step("undo", (walk, thread) => walk.client.undo(thread, { turns: 1 + walk.below(2), on_conflict: "overwrite" })),
  step("undo a step", (walk, thread) =>
    walk.client.undo(thread, { steps: 1 + walk.below(4), on_conflict: "overwrite" }),
  ),
  step("redo", (walk, thread) => walk.client.redo(thread, { on_conflict: "overwrite" })),
  step("revert", async (walk, thread) =>
    walk.client.revert(thread, { op: await anOperation(walk, thread), on_conflict: "overwrite" }),
  ),
  step("jump", async (walk, thread) =>
    walk.client.jump(thread, { op: await anOperation(walk, thread), on_conflict: "overwrite" }),
  ),
  step("branch", async (walk, thread) =>
    walk.client.branch(thread, { entry: await anEntry(walk, thread), on_conflict: "overwrite" }),
  ),
  step("switch", async (walk, thread) =>
    walk.client.switchTake(thread, await aTake(walk, thread), { on_conflict: "overwrite" }),
  ),
  step("promote", async (walk, thread) =>
    walk.client.promoteTake(thread, await aTake(walk, thread), { name: `take ${walk.text().slice(0, 40)}` }),
  ),
  step("delete take", async (walk, thread) => walk.client.deleteTake(thread, await aTake(walk, thread))),
  step("truncate", (walk, thread) => walk.client.truncate(thread, { pairs: 1 + walk.below(3) })),
  step("reset", (walk, thread) => walk.client.reset(thread, {})),
  step("restore", async (walk, thread) => {
    const { snapshots } = await walk.client.listSnapshots({ thread });
    const snapshot = walk.pick(snapshots.filter((each) => each.thread_id === thread));
    if (snapshot) await walk.client.restoreSnapshot(snapshot.id, { on_conflict: "overwrite" });
  }),
  step("command inserts", (walk, thread) => command(walk, thread, "insert", "--content", walk.text())),
  step("command undoes", (walk, thread) => command(walk, thread, "undo", "--step", "--on-conflict", "overwrite")),
  step("command runs", (walk, thread) => command(walk, thread, "run", `write command.txt: ${walk.text()}`, "--yes")),
];

function step(name: string, take: Step["take"]): Step {
  return { name, take };
}

async function turn(walk: ViewWalk, thread: string): Promise<void> {
  const lines = [
    `append notes.txt: ${walk.text()}`,
    `write ${walk.below(4)}.txt: ${walk.text()}`,
    "delete 0.txt",
    "Hello",
  ];
  await walk.served.turn(thread, lines.slice(walk.below(4)).join("\n"));
}

/** Runs a command in another process, which may refuse it. */
async function command(walk: ViewWalk, thread: string, ...args: string[]): Promise<void> {
  const { status, stderr } = await walk.served.place.spawnBeside([...args, "--thread", thread]);
  if (status === null) throw new Error(`retake ${args[0]} was killed: ${stderr}`);
}

function anEntry(walk: ViewWalk, thread: string): Promise<string> {
  return walk.entryOf(thread);
}

async function aTake(walk: ViewWalk, thread: string): Promise<string> {
  const { takes } = await walk.client.listTakes(thread);
  return walk.pick(takes)?.id ?? "none";
}

async function anOperation(walk: ViewWalk, thread: string): Promise<string> {
  const { operations } = await walk.client.getHistory(thread, { all: true, limit: 30 });
  return walk.pick(operations.slice(0, 30))?.id ?? "none";
}
