import {
  activeTake,
  apply,
  completePlan,
  type History,
  type Nothing,
  type Plan,
  type Refusal,
  spaceId,
  type TakeId,
  tree,
} from "@retake/core";
import type { ObjectReader, Transition } from "@retake/workspace";
import type { Identity } from "../store/identity.ts";
import type { Exchange } from "./exchange-trees.ts";
import { exactlyBefore, type FilesElsewhere, takeBackElsewhere } from "./files-elsewhere.ts";
import type { AnyPlan } from "./foresee.ts";
import { jumpedTree } from "./jumped-tree.ts";
import type { ThreadFiles } from "./thread-files.ts";

/** A plan of the core, and what it means for the files of each take. */
export interface DecidedFiles {
  readonly plan: AnyPlan;
  /** The transitions to reverse on disk, newest first. */
  readonly disk: readonly Transition[];
  /** Present where whole trees are exchanged. */
  readonly exchange?: Exchange;
  /**
   * The takes whose new trees do not depend on the disk. Where a take becomes active, a note says what else is on disk, and
   * stays when the plan is taken back.
   */
  readonly elsewhere: ReadonlyMap<TakeId, FilesElsewhere>;
}

interface Known {
  readonly files: ThreadFiles;
  readonly identity: Identity;
  readonly objects: ObjectReader;
  /** The way to another tree of the thread, from the one on disk. */
  readonly exchange: (wanted: string) => Exchange;
  /** Whether a tree was on disk before the last change there, and the thread made that change. */
  readonly wasLast: (tree: string) => boolean;
  /** The operation of the thread that put a tree on disk, with the note right after it. */
  readonly ledTo: (tree: string) => string | undefined;
}

export function decideFiles(
  history: History,
  decide: (history: History) => AnyPlan | Nothing | Refusal,
  { files, identity, objects, exchange: exchangeFor, wasLast, ledTo }: Known,
): DecidedFiles | Nothing | Refusal {
  const plan = decide(history);
  if (plan.kind === "restore") {
    if (plan.merge) return { plan, disk: transitions(files, [plan.files]), elsewhere: new Map() };
    const exchange = exchangeFor(plan.files.before);
    return { plan, disk: [...exchange.transitions, { changes: exchange.leftAlone }], exchange, elsewhere: new Map() };
  }
  if (plan.kind === "jump") {
    const exchange = exchangeFor(plan.files.after);
    const elsewhere = new Map<TakeId, FilesElsewhere>();
    const { take, files: jumped } = plan;
    const { state } = history;
    if (state.spaces.has(take) && take !== activeTake(state)) {
      const own = tree(state, take);
      const ways = { toOwn: exchangeFor(own), toJumped: exchange };
      elsewhere.set(take, jumpedTree({ own, jumped: jumped.after, ...ways }, files, objects));
    }
    return { plan, disk: exchange.transitions, exchange, elsewhere };
  }
  if (plan.kind !== "plan") return plan;
  const { before: left, after: arriving } = plan.active;
  const isNoted =
    (take: TakeId, [newest]: readonly { readonly after: string }[], now: string) =>
    () => {
      const operation = ledTo(now);
      const past = operation === undefined ? undefined : history.stateAt(operation);
      return past?.spaces.has(take) === true && tree(past, take) === newest?.after;
    };
  const elsewhere = new Map<TakeId, FilesElsewhere>();
  for (const [take, list] of plan.files) {
    if (take === arriving) continue;
    const now = treeOf(history, plan, take, identity);
    if (typeof now !== "string") return now;
    elsewhere.set(take, takeBackElsewhere(list, now, files, objects, isNoted(take, list, now)));
  }
  const unclean = [...elsewhere].filter(([, { merged }]) => !merged.clean).map(([take]) => fileConflict(take));
  const own = transitions(files, plan.files.get(arriving) ?? []);
  const planned = { ...plan, conflicts: [...plan.conflicts, ...unclean] };
  if (left === arriving) return { plan: planned, disk: own, elsewhere };
  const there = treeOf(history, plan, arriving, identity);
  if (typeof there !== "string") return there;
  const list = plan.files.get(arriving) ?? [];
  const exact = exactlyBefore(list, there);
  // The last change on disk is taken back exactly, whoever changed the files before it.
  const isLast = exact !== undefined && wasLast(exact);
  const exchange = exchangeFor(isLast ? exact : there);
  const disk = isLast ? exchange.transitions : [...exchange.transitions, ...own];
  const arrived = takeBackElsewhere(list, there, files, objects, isNoted(arriving, list, there));
  if (arrived.merged.clean) elsewhere.set(arriving, arrived);
  return { plan: planned, disk, exchange, elsewhere };
}

function transitions(
  files: ThreadFiles,
  list: Iterable<{ readonly before: string; readonly after: string }>,
): Transition[] {
  return [...list].map(({ before, after }) => files.transition(before, after));
}

/** The files of a take before a plan's changes to them. In a take that the plan brings back, core has taken them back already. */
function treeOf(history: History, plan: Plan, take: TakeId, identity: Identity): string | Refusal {
  if (history.state.spaces.has(take)) return tree(history.state, take);
  const built = completePlan(history, identity.context({ kind: "system" }), { ...plan, policy: "overwrite" });
  if (built.kind === "refused") return built;
  return tree(
    apply(history.state, built.operation, (id) => history.stateAt(id)),
    take,
  );
}

function fileConflict(take: TakeId): Plan["conflicts"][number] {
  const record = spaceId(take, "workspace");
  return { record, kind: "entry-edited", message: "Files of a take that is not on disk were changed since" };
}
