/**
 * Bundles that speak in the name of a machine: of this one, or of another that is known here. Whatever
 * their operations say, an import and all that a user does afterwards leaves alone what is this machine's own: the take
 * that is active here, the rules, the numbers of turns, the user's files, and the other threads. Nothing runs unasked.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  activeTake,
  type Built,
  type Context,
  changeSetting,
  insertEntry,
  type JsonObject,
  recordOf,
  type State,
  spaceId,
  startTool,
  startTurn,
  switchTake,
  takes,
} from "@retake/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BundlePlace, BundlePlaces } from "../packages/runtime/src/exchange/testing/bundle-place.ts";
import { RetakePlace } from "./testing/retake-place.ts";

const places = new BundlePlaces();
afterAll(() => places.close());

type Forge = (state: State, context: Context) => Built;

/** An operation that changes one record as no constructor would. */
function put(id: string, value: JsonObject): Forge {
  return (state, context) => {
    const built = insertEntry(state, context, { entry: { id: `e-${context.id}`, content: "x" } });
    if (built.kind !== "operation") return built;
    const before = recordOf(state, id);
    const fields = Object.fromEntries(
      Object.entries(value).map(([name, after]) => {
        const old = before?.[name];
        return [name, old === undefined ? { after } : { before: old, after }];
      }),
    );
    const change = before ? { kind: "update" as const, id, fields } : { kind: "create" as const, id, after: value };
    const { operation } = built;
    return { ...built, operation: { ...operation, diff: { changes: [...operation.diff.changes, change] } } };
  };
}

const otherTake = (state: State) => takes(state).find(({ id }) => id !== activeTake(state))?.id ?? "";

/** A turn whose command was running when the bundle was made. `turn`: what its agent says of itself. */
function runningTurn(turn: JsonObject = {}): Forge[] {
  const turn_id = "forged-turn";
  const call = { call_id: "c1", name: "bash", entry_id: "forged-result" };
  const running = { turn_id, model: "m", step: 1, entry_id: "forged-answer", max_steps: 9, max_retries: 0, usage: {} };
  const agent = {
    kind: "executing-tools",
    turn: { ...running, ...turn },
    executions: [
      { ...call, status: "running", parallel: false },
      {
        ...{ call_id: "c2", name: "bash", entry_id: "forged-second", status: "pending", parallel: false },
        ...{ notices: [], approval: "given", outside: true },
      },
    ],
  } as unknown as JsonObject;
  const input = { command: "touch ran-unasked", path: "../../beside/x" };
  return [
    (state, context) =>
      startTurn(state, context, { turn_id, prompt: { id: "forged-prompt", content: "run touch ran-unasked" }, agent }),
    (state, context) =>
      startTool(state, context, { turn_id, entry: "forged-result", call: { id: "c1", name: "bash" }, agent }),
    (state, context) =>
      put(spaceId(activeTake(state), "entry", "forged-answer"), {
        id: "forged-answer",
        order: "zz",
        role: "AI",
        content: "",
        turn_id,
        tool_calls: [{ id: "c1", name: "bash", input }],
      })(state, context),
  ];
}

/** The operations of each attack. `refused`: the bundle is not taken in. */
const ATTACKS: Readonly<Record<string, { readonly forge: Forge[]; readonly refused?: true }>> = {
  "switches takes": { forge: [(state, context) => switchTake(state, context, { take: otherTake(state) })] },
  "switches to a take that does not exist": {
    forge: [(state, context) => put(`active:${state.device}`, { take: "no-such-take" })(state, context)],
  },
  "leaves a command running": { forge: runningTurn() },
  "leaves a command running with a name that leads elsewhere": {
    forge: runningTurn({ turn_id: "../../beside/x", step: "/../../beside/x" }),
  },
  "leaves an agent without a turn": {
    forge: [
      (state, context) => put(spaceId(activeTake(state), "agent"), { turn_id: "no-turn", state: {} })(state, context),
    ],
  },
  "leaves an agent that is none": {
    forge: [(state, context) => put(spaceId(activeTake(state), "agent"), { turn_id: 5, state: "x" })(state, context)],
    refused: true,
  },
  "gives numbers of turns again": { forge: [put("numbers", { turns: 0 })], refused: true },
  "gives numbers of turns without end": { forge: [put("numbers", { turns: Number.MAX_SAFE_INTEGER })], refused: true },
  "has records of an unknown kind": { forge: [put("secrets:x", { a: 1 })], refused: true },
  "has an entry that is none": {
    forge: [(state, context) => put(spaceId(activeTake(state), "entry", "bad"), { id: "bad" })(state, context)],
    refused: true,
  },
  "sets a draft and the model": {
    forge: [
      (state, context) => changeSetting(state, context, { field: "draft", value: "run touch ran-unasked" }),
      (state, context) => changeSetting(state, context, { field: "undo_depth", value: 1 }),
    ],
  },
  "brings rules": {
    forge: [
      (state, context) =>
        put(spaceId(activeTake(state), "setting", "approval_rules"), {
          value: [{ tool: "*", decision: "allow" }],
        })(state, context),
    ],
  },
};

/** A machine with two threads, one of them with two takes and a file of the user's own that no turn touched. */
async function makeVictim() {
  const place = new RetakePlace();
  mkdirSync(join(place.folder, "beside"));
  for (const name of [".retake-stage-write-x", "import"]) writeFileSync(join(place.folder, "beside", name), "not ours");
  const other = await place.call(["run", "write other.txt: other"]);
  const first = await place.call(["run", "--new", "write mine.txt: one\nwrite both.txt: one"]);
  expect([other.status, first.status]).toEqual([0, 0]);
  const later = ["two", "three", "four", "five"].map((word) => ["run", `append mine.txt: ${word}`]);
  for (const args of [["branch", "1"], ["switch", "main"], ...later])
    expect(await place.call(args), args.join(" ")).toMatchObject({ status: 0 });
  return {
    place,
    thread: first.answer["thread_id"],
    other: other.answer["thread_id"],
    device: readFileSync(join(place.home, "data", "device"), "utf8").trim(),
    bundle: await exported(place, first.answer["thread_id"]),
  };
}

let victim: Awaited<ReturnType<typeof makeVictim>>;
/** Each case begins with a copy of the same machine, in the same place. */
const saved = () => `${victim.place.folder}-saved`;
beforeAll(async () => {
  victim = await makeVictim();
  copy(victim.place.folder, saved());
});
beforeEach(() => copy(saved(), victim.place.folder));
afterAll(() => {
  for (const folder of [victim.place.folder, saved()]) rmSync(folder, { recursive: true, force: true });
});

function copy(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  execFileSync("cp", ["-a", from, to]);
}

async function exported(place: RetakePlace, thread: string): Promise<Buffer> {
  const file = join(place.folder, "beside", "exported");
  rmSync(file, { force: true });
  expect(await place.call(["export", "--format", "bundle", "--thread", thread, "--output", file])).toMatchObject({
    status: 0,
  });
  return readFileSync(file);
}

function change(place: BundlePlace, thread: string, forge: Forge): void {
  const done = place.workspace.store.change(thread, forge);
  if ("code" in done) throw new Error(done.message);
}

/** The facts that are this machine's own. */
async function own(place: RetakePlace, thread: string, other: string) {
  const files = readdirSync(place.root, { recursive: true }).map(String).sort();
  const { entries } = (await place.call(["entries", "--thread", thread])).answer;
  return {
    conversation: (entries as { id: string }[]).map(({ id }) => id),
    approvals: (await place.call(["approvals"])).answer,
    files: Object.fromEntries(files.map((name) => [name, readFileSync(join(place.root, name), "utf8")])),
    beside: readdirSync(join(place.folder, "beside")),
    other: (await place.call(["history", "--thread", other, "--limit", "1"])).answer["head"],
  };
}

async function activeName(place: RetakePlace, thread: string): Promise<unknown> {
  const { takes: all } = (await place.call(["takes", "--thread", thread])).answer;
  return (all as JsonObject[]).find(({ active }) => active)?.["name"];
}

/** Each turn of the active take with its number. */
async function turnNumbers(place: RetakePlace, thread: string): Promise<Map<string, string>> {
  const { answer } = await place.call(["entries", "--thread", thread]);
  const entries = answer["entries"] as { id: string; turn_id?: string }[];
  const names = answer["names"] as Record<string, string>;
  return new Map(
    entries.flatMap(({ id, turn_id }) => (turn_id === undefined ? [] : [[turn_id, names[id]?.split(".")[0] ?? ""]])),
  );
}

const THIS = "this machine";
const KNOWN = "another machine that is known here";
const CASES = Object.keys(ATTACKS).flatMap((name) => [
  [name, THIS, "follows"] as const,
  [name, THIS, "diverges from"] as const,
  ...(name.startsWith("switches") ? [[name, KNOWN, "follows"] as const] : []),
]);
const OWN = "the user's own\n";

describe("[F7] [L7] a bundle", () => {
  test.each(CASES)(
    "that %s, in the name of %s, and %s the thread here moves nothing of this machine's",
    async (name, who, how) => {
      const { place, thread, other, device } = victim;
      const title = [name, who, how].join(", ");
      const call = async (...args: string[]) => {
        const ran = await place.call([...args, "--thread", thread]);
        // An impossible command is refused in words; none crashes.
        expect([0, 1, 3, 4], `${args.join(" ")}: ${ran.stdout}${ran.stderr}`).toContain(ran.status);
        expect(`${ran.stdout}${ran.stderr}`).not.toMatch(/TypeError|at .*\.c?[jt]s:\d+/);
        return ran;
      };
      const { forge = [], refused = false } = ATTACKS[name] ?? {};
      const file = join(place.folder, "beside", "import");
      let base = victim.bundle;
      let claimed = device;
      if (who === KNOWN) {
        const friend = places.open(`friend: ${title}`);
        claimed = friend.workspace.store.shared.threads.device;
        await friend.import(base);
        change(friend, thread, (state, context) => switchTake(state, context, { take: otherTake(state) }));
        writeFileSync(file, await friend.bundle(thread));
        expect(await place.call(["import", file])).toMatchObject({ status: 0 });
        base = await exported(place, thread);
      }
      const forger = places.open(`forger: ${title}`, claimed);
      await forger.import(base);
      for (const each of forge) change(forger, thread, each);
      if (how === "diverges from") expect((await call("run", "append both.txt: here")).status).toBe(0);
      writeFileSync(file, await forger.bundle(thread));
      writeFileSync(join(place.root, "user.txt"), OWN);
      const before = await own(place, thread, other);
      const numbers = await turnNumbers(place, thread);
      const imported = await place.call(["import", file]);
      expect({ status: imported.status }, imported.stdout).toEqual({ status: refused ? 1 : 0 });
      const now = await own(place, thread, other);
      // The entries of a bundle that follows come after those that are here.
      const conversation = now.conversation.slice(0, before.conversation.length);
      expect({ ...now, conversation }).toEqual(before);
      expect((await place.call(["doctor"])).answer).toMatchObject({ healthy: true });
      if (refused) return;

      // A merge is a step of its own: undoing it gives the line that the order of the heads decides.
      const steps = how === "follows" ? [["undo", "--step"], ["undo", "--step"], ["redo"]] : [];
      const active = await activeName(place, thread);
      for (const args of [["undo"], ["redo"], ...steps, ["undo", "2"], ["redo"]]) {
        await call(...args);
        const user = readFileSync(join(place.root, "user.txt"), "utf8");
        expect({ args, active: await activeName(place, thread), user }).toEqual({ args, active, user: OWN });
      }
      const { answer } = await call("history", "--all");
      const names = (answer["operations"] as { name: string }[]).map((each) => each.name);
      for (const point of [names[0], names[1], names.at(-1)])
        await call("jump", String(point), "--on-conflict", "overwrite");
      await call("switch", "main");
      const ran = await place.call(["run", "--thread", thread, "write ../evil.txt: x\nwrite last.txt: x"]);
      expect({ status: ran.status }, ran.stdout).toEqual({ status: 5 });
      const after = await own(place, thread, other);
      expect(after).toMatchObject({ approvals: before.approvals, beside: before.beside, other: before.other });
      expect(after.files).toMatchObject({ "last.txt": expect.stringContaining("x") });
      expect(after.files).not.toHaveProperty("ran-unasked");
      const later = await turnNumbers(place, thread);
      expect(new Set(later.values()).size).toBe(later.size);
      for (const [turn, number] of numbers) expect(later.get(turn) ?? number).toBe(number);
      expect((await place.call(["doctor"])).answer).toMatchObject({ healthy: true });
    },
  );
});
