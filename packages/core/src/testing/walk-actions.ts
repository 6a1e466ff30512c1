import { addPath, addRole, type PathList, removePath, removeRole } from "../operations/change-lists.ts";
import { changeSetting } from "../operations/change-settings.ts";
import { editEntry, patchEntry, showAllEntries } from "../operations/edit-entry.ts";
import { insertEntry, removeEntry } from "../operations/insert-entry.ts";
import { deleteTake, promoteTake, renameTake, switchTake } from "../operations/take.ts";
import { changeThread, saveThread } from "../operations/thread.ts";
import type { SettingField } from "../session/setting.ts";
import type { Facts } from "./naive-model.ts";
import { branchAt, jump, redo, retry, revert, undo } from "./walk-history.ts";
import { type Action, liveTakes, onEntry, onTake, patch, rolesIn, rolesOf, step } from "./walk-parts.ts";
import { runTurn } from "./walk-turn.ts";
import { WHOLES } from "./walk-wholes.ts";

/** The steps of a random walk. Each is made in core and in the model. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  insert: (walker, a, b) => {
    const { world, order, take } = walker;
    const index = a % (order.length + 1);
    const before = order[index];
    const id = world.id("e");
    const place = b % 2 === 0 && before !== undefined ? { before } : { index };
    const role = b % 3 === 0 ? { role: `Role ${b % 5}` } : {};
    const fields = { content: `text of ${id}`, collapsed: false, read_mode: false, ...role };
    const first = rolesOf(walker)[0] ?? "User";
    walker.act(
      insertEntry(world.state, world.context(), { entry: { id, content: fields.content, ...role }, ...place }),
      step(take, (facts) => facts.set(`entry:${id}`, { role: first, ...fields })),
    );
    if (walker.order[index] !== id) throw new Error(`${id} does not stand where it was inserted`);
  },
  edit: (walker, a, b) =>
    onEntry(walker, a, (entry) => {
      for (let stroke = 0; stroke < (b % 3 === 0 ? 3 : 1); stroke += 1) {
        if (stroke > 0) walker.world.now -= 1500;
        const content = `edit ${walker.world.id("c")} of a text that is long enough to be kept as a splice of its middle`;
        const input = { entry, content, typing: b % 3 === 0 };
        const edited = editEntry(walker.world.state, walker.world.context(), input);
        walker.act(edited, step(walker.take, patch(`entry:${entry}`, { content })));
      }
    }),
  show: (walker, a, b) =>
    onEntry(walker, a, (entry) => {
      const fields = b % 2 === 0 ? { collapsed: b % 4 === 0 } : { read_mode: b % 3 === 0 };
      const shown = patchEntry(walker.world.state, walker.world.context(), { entry, patch: fields });
      walker.act(shown, step(walker.take, patch(`entry:${entry}`, fields)));
    }),
  showAll: (walker, a) => {
    const collapsed = a % 2 === 0;
    const { order } = walker;
    const run = (facts: Facts) => {
      for (const id of order) patch(`entry:${id}`, { collapsed })(facts);
    };
    walker.act(showAllEntries(walker.world.state, walker.world.context(), { collapsed }), step(walker.take, run));
  },
  role: (walker, a, b) =>
    onEntry(walker, a, (entry) => {
      const role = `Role ${b % 5}`;
      const changed = patchEntry(walker.world.state, walker.world.context(), { entry, patch: { role } });
      walker.act(changed, step(walker.take, patch(`entry:${entry}`, { role })));
    }),
  remove: (walker, a) =>
    onEntry(walker, a, (entry) => {
      const removed = removeEntry(walker.world.state, walker.world.context(), { entry });
      walker.act(
        removed,
        step(walker.take, (facts) => facts.delete(`entry:${entry}`)),
      );
    }),
  ...WHOLES,
  setting: (walker, a, b) => {
    const values: readonly [SettingField, string | number][] = [
      ["temperature", (b % 20) / 10],
      ["top_p", (b % 10) / 10],
      ["max_tokens", 1 + (b % 500)],
      ["base_system_prompt", `prompt ${b}`],
      ["draft", b % 4 === 0 ? "" : `draft ${b}`],
    ];
    const [field, value] = values[a % values.length] as [SettingField, string | number];
    const changed = changeSetting(walker.world.state, walker.world.context(), { field, value: value as never });
    walker.act(changed, step(walker.take, set(field, value)));
  },
  addRole: (walker, a) => {
    const role = `Role ${a % 5}`;
    const run = (facts: Facts) => setRoles(facts, [...rolesIn(facts).filter((each) => each !== role), role]);
    const added = addRole(walker.world.state, walker.world.context(), { role });
    walker.act(added, { ...step(walker.take, run), refusals: ["already-exists"] });
  },
  removeRole: (walker, a) => {
    const list = rolesOf(walker);
    const role = list[a % Math.max(1, list.length)];
    if (role === undefined) return;
    const run = (facts: Facts) =>
      setRoles(
        facts,
        rolesIn(facts).filter((each) => each !== role),
      );
    const removed = removeRole(walker.world.state, walker.world.context(), { role });
    walker.act(removed, step(walker.take, run));
  },
  addPath: (walker, a, b) => {
    const [list, path] = listed(a, b);
    const added = addPath(walker.world.state, walker.world.context(), { list, member: { path, kept: true } });
    // Taken out and added again, a member has another place: a jump to before that changes it.
    const [made] = added.kind === "operation" ? added.operation.diff.changes : [];
    const order = made?.kind === "create" ? made.after["order"] : undefined;
    const run = (facts: Facts) => facts.set(`${list}:${path}`, { kept: true, order });
    walker.act(added, { ...step(walker.take, run), refusals: ["already-exists"] });
  },
  removePath: (walker, a, b) => {
    const [list, path] = listed(a, b);
    const removed = removePath(walker.world.state, walker.world.context(), { list, path });
    const run = (facts: Facts) => facts.delete(`${list}:${path}`);
    walker.act(removed, { ...step(walker.take, run), refusals: ["not-found"] });
  },
  turn: runTurn,
  turnAgain: runTurn,
  retry,
  branch: branchAt,
  switch: (walker, a) =>
    onTake(walker, a, (take) => {
      const switched = switchTake(walker.world.state, walker.world.context(), { take });
      walker.act(switched, { role: "step", thread: (facts) => facts.set("active", { take }) });
    }),
  rename: (walker, a, b) =>
    onTake(walker, a, (take) => {
      const name = b % 3 === 0 ? `main_take_${b % 4}` : `name ${b % 6}`;
      const input = { take, name };
      const built = (b % 2 === 0 ? renameTake : promoteTake)(walker.world.state, walker.world.context(), input);
      const run = patch(`take:${take}`, { name });
      walker.act(built, { role: "step", thread: run, refusals: ["already-exists", "invalid-input"] });
    }),
  deleteTake: (walker, a) =>
    onTake(walker, a, (take) => {
      const others = liveTakes(walker.model.threadFacts).filter(([id]) => id !== take);
      const next = others.sort(([, one], [, two]) => (one < two ? -1 : 1))[0]?.[0];
      const run = (facts: Facts) => {
        patch(`take:${take}`, { deleted: true })(facts);
        if (facts.get("active")?.["take"] === take && next !== undefined) facts.set("active", { take: next });
      };
      const deleted = deleteTake(walker.world.state, walker.world.context(), { take });
      walker.act(deleted, { role: "step", thread: run, refusals: ["last-take"] });
    }),
  thread: (walker, a, b) => {
    const facts = a % 2 === 0 ? { title: `title ${b}` } : { pinned: b % 2 === 0 };
    const changed = changeThread(walker.world.state, walker.world.context(), { facts });
    walker.act(changed, { role: "step", thread: patch("thread", facts) });
  },
  save: (walker) => {
    const save = walker.world.id("save");
    const saved = saveThread(walker.world.state, walker.world.context(), { save });
    walker.act(saved, { role: "step", thread: (facts) => facts.set(`save:${save}`, {}) });
  },
  undo: (walker, a, b) => undo(walker, { count: 1 + (a % 3), steps: false, scope: "both" }, b % 4 === 0),
  undoStep: (walker, a) => undo(walker, { count: 1 + (a % 4), steps: true, scope: "both" }),
  undoHalf: (walker, a, b) =>
    undo(walker, { count: 1 + (a % 2), steps: false, scope: a % 3 === 0 ? "files" : "conversation" }, b % 3 === 0),
  redo: (walker, a) => redo(walker, 1 + (a % 3)),
  revert: (walker, a) => revert(walker, a),
  jump: (walker, a) => jump(walker, a),
};

const LISTS: readonly PathList[] = ["file", "context", "screenshot"];

function listed(a: number, b: number): [PathList, string] {
  return [LISTS[a % 3] ?? "file", `src/path-${b % 4}.ts`];
}

/** Setting the default is the same as never setting it. */
function set(field: SettingField, value: unknown): (facts: Facts) => void {
  const isDefault = value === { temperature: 0, top_p: 1, draft: "" }[field as "draft"];
  return (facts) => void (isDefault ? facts.delete(`setting:${field}`) : facts.set(`setting:${field}`, { value }));
}

function setRoles(facts: Facts, list: readonly string[]): void {
  if (list.join() === rolesIn(new Map()).join()) facts.delete("roles");
  else facts.set("roles", { list });
}
