import { noteFilesEdited, restoreFiles } from "../operations/files.ts";
import { resetSession } from "../operations/reset-session.ts";
import { clearEntries, compressEntries, replaceEntries, truncateEntries } from "../operations/whole-conversation.ts";
import type { Meaning } from "./learner.ts";
import { changesBetween, type Facts, withChanges } from "./naive-model.ts";
import { type Action, liveTakes, rolesOf, towards } from "./walk-parts.ts";
import type { Walker } from "./walker.ts";

/** The steps of a random walk that change the conversation or the files as a whole. */
export const WHOLES = {
  clear: (walker) => {
    const { world, take } = walker;
    walker.act(clearEntries(world.state, world.context()), whole(take, removeAll(walker)));
  },
  truncate: (walker, a) => {
    const { world, take, order, model } = walker;
    const facts = model.facts(take);
    const pairs = a % 4;
    const starts = order.filter((id) => {
      const entry = facts.get(`entry:${id}`);
      return entry?.["role"] === "User" && !("tool_result" in entry);
    });
    const first = pairs === 0 ? undefined : starts.at(-pairs);
    const gone = pairs === 0 ? order : starts.length < pairs ? [] : order.slice(0, order.indexOf(first ?? ""));
    const run = (of: Facts) => gone.forEach((id) => void of.delete(`entry:${id}`));
    walker.act(truncateEntries(world.state, world.context(), { pairs }), whole(take, run));
  },
  compress: (walker) => {
    const { world, take } = walker;
    const id = world.id("e");
    const built = compressEntries(world.state, world.context(), { summary: { id, role: "AI", content: "summary" } });
    if (walker.order.length === 0) return;
    const clear = removeAll(walker);
    const run = (facts: Facts) => {
      clear(facts);
      facts.set(`entry:${id}`, { role: "AI", content: "summary", collapsed: false, read_mode: false });
    };
    walker.act(built, whole(take, run));
  },
  replace: (walker, a, b) => {
    const { world, take, order, model } = walker;
    const facts = model.facts(take);
    const stay = order.filter((_, index) => (a >> (index % 8)) % 2 === 0);
    const fresh = world.id("e");
    const wanted = stay.toSpliced(b % (stay.length + 1), 0, fresh);
    const entries = wanted.map((id, index) => ({ id, content: index % 2 ? text(facts, id) : `replaced by ${fresh}` }));
    const role = rolesOf(walker)[0] ?? "User";
    const then: Facts = new Map([...facts].filter(([key]) => !key.startsWith("entry:")));
    for (const { id, content } of entries) {
      const known = facts.get(`entry:${id}`);
      const from = known?.["turn_id"] === undefined ? {} : { turn_id: known["turn_id"] };
      const made = { role: known?.["role"] ?? role, content, collapsed: false, read_mode: false, ...from };
      then.set(`entry:${id}`, made);
    }
    const run = towards(facts, then);
    walker.act(replaceEntries(world.state, world.context(), { entries }), whole(take, run));
  },
  external: (walker, a) => {
    const { world, model, take } = walker;
    const changes = { [`user-${world.id("f")}`]: `by hand ${a}` };
    const tree = walker.treeOf(withChanges(model.files(take), changes));
    walker.act(noteFilesEdited(world.state, world.context(), { tree }), { role: "note", files: changes });
  },
  restore: (walker, a) => {
    const { world, model, take } = walker;
    const [tree, files] = [...walker.trees][a % walker.trees.size] ?? ["tree-0", {}];
    const changes = changesBetween(model.files(take), files);
    walker.act(restoreFiles(world.state, world.context(), { tree, snapshot: "s" }), { role: "whole", files: changes });
  },
  reset: (walker) => {
    const takes = liveTakes(walker.model.threadFacts).map(([take]) => {
      const keys = [...walker.model.facts(take).keys()];
      return [take, (facts: Facts) => keys.forEach((key) => void facts.delete(key))] as const;
    });
    const built = resetSession(walker.world.state, walker.world.context());
    walker.act(built, { role: "whole", takes: new Map(takes), thread: () => {} });
  },
} satisfies Readonly<Record<string, Action>>;

function whole(take: string, run: (facts: Facts) => void): Meaning {
  return { role: "whole", takes: new Map([[take, run]]) };
}

/** Removes exactly the entries of this moment: a replay may hold others, which the command did not touch. */
function removeAll(walker: Walker): (facts: Facts) => void {
  const keys = walker.order.map((id) => `entry:${id}`);
  return (facts) => keys.forEach((key) => void facts.delete(key));
}

function text(facts: Facts, id: string): string {
  return String(facts.get(`entry:${id}`)?.["content"] ?? "new");
}
