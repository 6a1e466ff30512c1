import { type Operation, roleOf } from "@retake/core";
import type { RecordedCall } from "./recorded-call.ts";
import type { Seen } from "./states-of.ts";
import { Touches } from "./touches.ts";

/** A step that can be taken back, and the state before it. */
interface Step {
  readonly group: string;
  readonly before: Seen;
  /**
   * Other steps were made at the same time, or it took back a step that was not the last: a naive stack cannot judge
   * it.
   */
  mixed: boolean;
  /** A retry: the step that it took back, which comes back with its undo. */
  readonly took?: Step | undefined;
}

/**
 * The changes whose effect on their state differs from the request. Undo is judged by a stack of steps, and for steps
 * made at the same time by the entries that the undone step had touched.
 */
export function stepProblems(
  calls: readonly RecordedCall[],
  operations: readonly Operation[],
  states: readonly Seen[],
): string[] {
  const asked = new Map(
    calls.flatMap(({ answer, asked }) => (answer.kind === "changed" ? [[answer.operation, asked] as const] : [])),
  );
  const stack: Step[] = [];
  const touches = new Touches();
  return operations.flatMap((operation, index) => {
    const [before, after] = [states[index] as Seen, states[index + 1] as Seen];
    const request = asked.get(operation.id);
    const wrong = (expected: unknown) =>
      `version ${operation.version}, ${JSON.stringify(request)}: ${JSON.stringify(after)}, not ${JSON.stringify(expected)}`;
    if (operation.kind === "undone" && request?.kind === "retry") {
      takeForRetry(stack, operation, before);
      touches.note(operation.group, before, after);
      return [];
    }
    if (operation.kind === "undone") return undoProblems(operation, before, after, stack, touches);
    touches.note(operation.group, before, after);
    if (roleOf(operation) !== "note") push(stack, operation, before);
    switch (request?.kind) {
      case "insert": {
        const entries = [...before.entries, [request.entry, request.content]];
        return same(after.entries, entries) ? [] : [wrong(entries)];
      }
      case "edit": {
        const entries = before.entries.map(([id, content]) => [id, id === request.entry ? request.content : content]);
        return same(after.entries, entries) ? [] : [wrong(entries)];
      }
      case "draft":
        return after.draft === request.text && same(after.entries, before.entries) ? [] : [wrong(request.text)];
      default:
        return [];
    }
  });
}

function push(stack: Step[], { group }: Operation, before: Seen): void {
  const at = stack.findIndex((step) => step.group === group);
  if (at < 0) stack.push({ group, before, mixed: false });
  else if (at < stack.length - 1) for (const step of stack.slice(at)) step.mixed = true;
}

/** A retry takes the last turn back and begins another, in one commit and as one step. */
function takeForRetry(stack: Step[], operation: Operation, before: Seen): void {
  const at = stack.findIndex(({ group }) => operation.undoes?.some((undone) => undone.group === group));
  const [took] = at < 0 ? [] : stack.splice(at, 1);
  const last = at === stack.length;
  if (!last) for (const step of stack.slice(Math.max(at, 0))) step.mixed = true;
  stack.push({ group: operation.group, before, mixed: !last || (took?.mixed ?? true), took });
}

function undoProblems(operation: Operation, before: Seen, after: Seen, stack: Step[], touches: Touches): string[] {
  const undone = (operation.undoes ?? []).map(({ group }) => group);
  const wrong = touches.undo(undone, before, after).map((problem) => `version ${operation.version}: ${problem}`);
  const top = stack.at(-1);
  const mixed = stack.some((step) => step.mixed && undone.includes(step.group));
  if (mixed) {
    const left = stack.flatMap((step) => (undone.includes(step.group) ? (step.took ?? []) : step));
    stack.splice(0, stack.length, ...left);
    return wrong;
  }
  stack.pop();
  if (top?.took) stack.push(top.took);
  if (!top || !same(undone, [top.group])) return [`version ${operation.version} undid ${undone}, not ${top?.group}`];
  if (same(after.entries, top.before.entries)) return [];
  return [
    `version ${operation.version} left ${JSON.stringify(after.entries)}, not ${JSON.stringify(top.before.entries)}`,
  ];
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
