import type { Check } from "../values/check.ts";
import type { Change, Diff, FieldChange } from "./diff.ts";
import { KINDS, kindFor } from "./kinds.ts";
import { keyOf, kindOf } from "./record.ts";

/**
 * Describes the first change of an operation from elsewhere that would leave a record invalid; undefined when there is
 * none. Each change is judged alone: where records are created valid, and every field is changed to a valid value, they
 * are valid at every point of every line.
 */
export function recordProblem({ changes }: Diff): string | undefined {
  for (const change of changes) {
    const problem = changeProblem(change);
    if (problem) return `${change.id.slice(0, 80)} ${problem}`;
  }
  return undefined;
}

function changeProblem(change: Change): string | undefined {
  const kind = kindOf(change.id);
  if (!Object.hasOwn(KINDS, kind)) return "is of a kind that no record has";
  if (kind === "numbers" && takesNumbersBack(change)) return "would give numbers of turns a second time";
  if (change.kind === "remove") return undefined;
  const checks = kindFor(change.id).fields(keyOf(change.id));
  const isCreated = change.kind === "create";
  for (const name of Object.keys(isCreated ? checks : change.fields)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    const problem =
      check && (isCreated ? check(change.after[name]) : fieldProblem(check, change.fields[name] as FieldChange));
    if (problem) return `.${name} ${problem}`;
  }
  return undefined;
}

/** Of a long text only the new part is known. It is tried between two letters, as it may begin or end anywhere. */
function fieldProblem(check: Check, field: FieldChange): string | undefined {
  return check("at" in field ? `x${field.inserted}x` : field.after);
}

function takesNumbersBack(change: Change): boolean {
  if (change.kind !== "update") return change.kind === "remove";
  const turns = change.fields["turns"];
  return turns !== undefined && ("at" in turns || Number(turns.after) < Number(turns.before));
}
