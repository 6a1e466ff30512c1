/**
 * Whether the answers to several clients can be explained by doing their requests one at a time, each at a moment
 * between its invocation and its response (Herlihy and Wing). Wing and Gong search the orders; here there is nothing to
 * search, because every change answers its version, which is its place. A request that changes nothing (a read, a
 * refusal) is put at the earliest version that explains its answer and comes after everything that had returned before
 * it was invoked: a later one would only leave less room for those that follow.
 *
 *   version    4        5         6        7
 *   change          |--insert--|     |---undo---|
 *   read                  |----------|               5 or 6, whichever it answered; never 4 once 5 had returned
 */
import { type Operation, roleOf } from "@retake/core";
import type { RecordedCall } from "./recorded-call.ts";
import { type Seen, statesOf } from "./states-of.ts";
import { stepProblems } from "./step-problems.ts";

export function linearizationProblems(calls: readonly RecordedCall[], operations: readonly Operation[]): string[] {
  const numbered = operations.flatMap(({ id, version }, index) =>
    version === index + 1 ? [] : [`operation ${id} is the ${index + 1}th and has version ${version}`],
  );
  if (numbered.length > 0) return numbered;
  const states = statesOf(operations);
  const firsts = firstOfEachKey(calls);
  return [
    ...keyProblems(calls, firsts),
    ...ownerProblems(firsts, operations),
    ...stepProblems(firsts, operations, states),
    ...firsts.flatMap((call) => expectedProblems(call, operations)),
    ...placeProblems(firsts, operations, states),
  ];
}

/** The same key twice is one request: it is done between the first invocation and the first response. */
function firstOfEachKey(calls: readonly RecordedCall[]): RecordedCall[] {
  const firsts = new Map<string, RecordedCall>();
  const all: RecordedCall[] = [];
  for (const call of calls) {
    if (call.key === undefined) {
      all.push(call);
      continue;
    }
    const { invoked, returned, ...same } = firsts.get(call.key) ?? call;
    const times = { invoked: Math.min(invoked, call.invoked), returned: Math.min(returned, call.returned) };
    // A refused request was not done, and may be done when it is repeated.
    const answer = same.answer.kind === "refused" ? call.answer : same.answer;
    const late = same.answer.kind === "refused" && call.answer.kind !== "refused" ? call.returned : times.returned;
    firsts.set(call.key, { ...same, ...times, returned: late, answer });
  }
  return [...all, ...firsts.values()];
}

function keyProblems(calls: readonly RecordedCall[], firsts: readonly RecordedCall[]): string[] {
  const known = new Map(firsts.map((call) => [call.key, JSON.stringify(call.answer)]));
  return calls.flatMap((call) =>
    call.key === undefined || call.answer.kind === "refused" || known.get(call.key) === JSON.stringify(call.answer)
      ? []
      : [`${told(call)}: the same key was answered ${known.get(call.key)} before`],
  );
}

/** Every operation belongs to exactly one request; a refused request left none. */
function ownerProblems(calls: readonly RecordedCall[], operations: readonly Operation[]): string[] {
  const problems: string[] = [];
  const owners = new Map<string, RecordedCall>();
  const turns = new Set<string>();
  for (const call of calls) {
    const { answer } = call;
    if (answer.kind === "queued") turns.add(answer.turn);
    if (answer.kind !== "changed" || answer.operation === null) continue;
    if (owners.has(answer.operation)) problems.push(`${told(call)}: another request was answered the same operation`);
    owners.set(answer.operation, call);
    const made = operations[answer.version - 1];
    if (made?.id !== answer.operation) problems.push(`${told(call)}: version ${answer.version} is ${made?.id}`);
    if (answer.turn !== undefined) turns.add(answer.turn);
  }
  for (const [index, operation] of operations.entries()) {
    const asked = owners.has(operation.id) || (operation.turn_id !== undefined && turns.has(operation.turn_id));
    if (index > 0 && !asked && roleOf(operation) !== "note")
      problems.push(`nobody was answered version ${operation.version}: ${operation.kind} (${operation.description})`);
  }
  return problems;
}

/** Nothing but notes came between the version that was asked for and the change. */
function expectedProblems(call: RecordedCall, operations: readonly Operation[]): string[] {
  const { expected, answer } = call;
  if (expected === undefined || answer.kind !== "changed" || answer.operation === null) return [];
  const between = operations.slice(expected, answer.version - 1).filter((each) => roleOf(each) !== "note");
  return between.length === 0 ? [] : [`${told(call)}: ${between.map(({ kind }) => kind).join()} came in between`];
}

/** Puts every call at a version, in the order in which they returned. */
function placeProblems(calls: readonly RecordedCall[], operations: readonly Operation[], states: readonly Seen[]) {
  const problems: string[] = [];
  const placed: { readonly call: RecordedCall; readonly version: number }[] = [];
  for (const call of calls.toSorted((a, b) => a.returned - b.returned)) {
    const before = placed.filter(({ call: other }) => other.returned < call.invoked);
    const least = Math.max(0, ...before.map(({ version }) => version));
    const later = calls.flatMap((other) =>
      other.invoked > call.returned && other.answer.kind === "changed" && other.answer.operation !== null
        ? [other.answer.version - 1]
        : [],
    );
    const most = Math.min(operations.length, ...later);
    const version = placeOf(call, least, most, operations, states);
    if (version === undefined) problems.push(`${told(call)}: no version from ${least} to ${most} explains it`);
    else placed.push({ call, version });
  }
  return problems;
}

function placeOf(
  call: RecordedCall,
  least: number,
  most: number,
  operations: readonly Operation[],
  states: readonly Seen[],
): number | undefined {
  const { answer, asked, expected } = call;
  const within = (version: number) => (version >= least && version <= most ? version : undefined);
  const first = (explains: (state: Seen, version: number) => boolean) => {
    for (let version = least; version <= most; version += 1)
      if (explains(states[version] as Seen, version)) return version;
    return undefined;
  };
  switch (answer.kind) {
    case "changed":
      return answer.operation !== null && answer.version === least ? undefined : within(answer.version);
    case "queued":
      return within(answer.version);
    case "thread": {
      const state = states[answer.version];
      return state?.head === answer.head && state.entries.length === answer.count ? within(answer.version) : undefined;
    }
    case "entries": {
      const fits = (state: Seen | undefined) => JSON.stringify(state?.entries) === JSON.stringify(answer.entries);
      // A command tells no version: any that fits will do.
      if (answer.version === undefined) return first(fits);
      return fits(states[answer.version]) ? within(answer.version) : undefined;
    }
    case "refused":
      if (answer.code === "stale-version")
        return first((_, version) =>
          operations.slice(expected, version).some((operation) => roleOf(operation) !== "note"),
        );
      if (answer.code === "not-found" && asked.kind === "edit")
        return first(({ entries }) => entries.every(([id]) => id !== asked.entry));
      if (answer.code === "no-such-turn") return first((_, version) => turnsAt(operations.slice(0, version)) === 0);
      // Whether an agent works is not in the log alone: a turn waits before it begins.
      return answer.code === "agent-running" || answer.code === "busy" ? least : undefined;
  }
}

/** How many turns are there that were not undone. */
function turnsAt(operations: readonly Operation[]): number {
  const there = new Set<string>();
  for (const { kind, group, undoes = [] } of operations) {
    if (kind === "turn-started") there.add(group);
    if (kind === "undone") for (const undone of undoes) there.delete(undone.group);
  }
  return there.size;
}

function told({ client, asked, answer, expected, key }: RecordedCall): string {
  return `${client}: ${JSON.stringify({ ...asked, expected, key })} answered ${JSON.stringify(answer)}`;
}
