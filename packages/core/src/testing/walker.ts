import type { Built } from "../session/draft.ts";
import { DEFAULT_ROLES } from "../session/entry.ts";
import type { Operation } from "../session/operation.ts";
import { isRefusal } from "../session/refusal.ts";
import { DEFAULT_SETTINGS, type SettingField } from "../session/setting.ts";
import { recordsIn } from "../session/state.ts";
import { activeTake, entries, tree } from "../session/view.ts";
import { canonical } from "../values/json.ts";
import { Learner, type Meaning } from "./learner.ts";
import { type Facts, type Files, spaceKey } from "./naive-model.ts";
import { OrderOracle } from "./order-oracle.ts";
import { World } from "./world.ts";

/** Core and the naive model side by side. Every step is made in both, and they must agree. */
export class Walker extends Learner {
  readonly world = new World();
  readonly trees = new Map<string, Files>([["tree-0", {}]]);
  readonly #order = new OrderOracle();

  constructor() {
    super();
    const [created] = this.world.log as [Operation];
    this.model.takes.set("t1", { items: [], birth: 0 });
    this.learn(created, {
      role: "note",
      thread: (facts) => {
        facts.set("thread", { title: "main", pinned: false });
        facts.set("take:t1", { name: "main", deleted: false });
        facts.set("active", { take: "t1" });
        facts.set(spaceKey("t1"), {});
      },
    });
  }

  get order(): string[] {
    return [...entries(this.world.state, this.take)].map((entry) => entry.id);
  }

  treeOf(files: Files): string {
    const text = canonical(files);
    for (const [id, known] of this.trees) if (canonical(known) === text) return id;
    const id = `tree-${this.trees.size}`;
    this.trees.set(id, files);
    return id;
  }

  filesIn(id: string): Files {
    return this.trees.get(id) ?? {};
  }

  /** Commits what core built and updates the model; a refusal must be justified. */
  act(built: Built, meaning: Meaning): Operation | undefined {
    const done = this.world.try(built);
    if (!isRefusal(done)) {
      this.learn(done, meaning);
      return done;
    }
    if (meaning.refusals?.includes(done.code)) return undefined;
    if (done.code !== "nothing-to-do" || this.wouldChange(meaning))
      throw new Error(`refused without a reason: ${done.message}`);
    return undefined;
  }

  /** How core and model differ, or what else is wrong; undefined when all is well. */
  disagreement(): string | undefined {
    const { state } = this.world;
    const wrong =
      differ("thread", this.#threadFacts(), this.model.threadFacts) ??
      (activeTake(state) === this.take ? undefined : `${activeTake(state)} is active, not ${this.take}`);
    if (wrong) return wrong;
    for (const [take] of state.spaces.entries()) {
      const differs = differ(take, this.#takeFacts(take), normal(this.model.facts(take)));
      if (differs) return differs;
      const files = canonical(this.filesIn(tree(state, take)));
      const expected = canonical(this.model.files(take));
      if (files !== expected) return `${take} has the files ${files}, not ${expected}`;
      const order = [...entries(state, take)].map((entry) => entry.id);
      const swapped = this.#order.see(take, order);
      if (swapped) return `${take}: ${swapped.join(" and ")} have changed places`;
    }
    return undefined;
  }

  #threadFacts(): Facts {
    const { state } = this.world;
    const facts: Facts = new Map();
    for (const [id, record] of state.thread.entries()) {
      if (id === "thread") facts.set(id, { title: record["title"], pinned: record["pinned"] });
      else if (id.startsWith("take:")) facts.set(id, { name: record["name"], deleted: record["deleted"] });
      else if (id.startsWith("save:")) facts.set(id, {});
      else if (id === "active") facts.set(id, record);
    }
    for (const [take] of state.spaces.entries()) facts.set(spaceKey(take), {});
    return facts;
  }

  #takeFacts(take: string): Facts {
    const facts: Facts = new Map();
    const space = this.world.state.spaces.get(take);
    for (const [id, record] of space ? recordsIn(space) : []) {
      const { order, ts: _, id: __, path: ___, ...rest } = record;
      const { status, prompt, tree_before, tree_after } = record;
      if (id.startsWith("turn:")) facts.set(id, { status, prompt, tree_before, ...(tree_after ? { tree_after } : {}) });
      else if (LISTED.test(id)) facts.set(id, { ...rest, order });
      else if (id !== "agent" && id !== "workspace" && !id.startsWith("group:")) facts.set(id, rest);
    }
    return normal(facts);
  }
}

const LISTED = /^(?:file|context|screenshot):/;

/** A setting with its default value is the same as one that was never set. */
function normal(facts: Facts): Facts {
  const kept: Facts = new Map();
  for (const [key, value] of facts) {
    const field = key.startsWith("setting:") ? (key.slice("setting:".length) as SettingField) : undefined;
    if (field && value["value"] === DEFAULT_SETTINGS[field]) continue;
    if (key === "roles" && canonical(value["list"] as never) === canonical(DEFAULT_ROLES)) continue;
    kept.set(key, value);
  }
  return kept;
}

function differ(where: string, actual: Facts, expected: Facts): string | undefined {
  for (const key of new Set([...actual.keys(), ...expected.keys()])) {
    const [is, should] = [actual.get(key), expected.get(key)].map((value) => (value ? canonical(value as never) : "-"));
    if (is !== should) return `${where} ${key} is ${is}, not ${should}`;
  }
  return undefined;
}
