import { isObject } from "./json.ts";
import { nameOf, textProblem } from "./text.ts";

/**
 * Checks of values from outside. A check returns the problem, in words that follow the value's name ("must be a text,
 * not null"), or undefined for a valid value.
 */
export type Check = (value: unknown) => string | undefined;

export function text(longest?: number): Check {
  return (value) => textProblem(value, longest);
}

export const flag: Check = (value) =>
  typeof value === "boolean" ? undefined : `must be true or false, not ${nameOf(value)}`;

export const object: Check = (value) => (isObject(value) ? undefined : `must be an object, not ${nameOf(value)}`);

export function number(least: number, most: number): Check {
  return (value) =>
    typeof value === "number" && value >= least && value <= most
      ? undefined
      : `must be a number from ${least} to ${most}, not ${describe(value)}`;
}

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Check {
  return (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : `must be a whole number from ${least} to ${most}, not ${describe(value)}`;
}

export function oneOf(values: readonly unknown[]): Check {
  return (value) => (values.includes(value) ? undefined : `must be one of ${values.join(", ")}, not ${nameOf(value)}`);
}

export function list(item: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return `must be a list, not ${nameOf(value)}`;
    for (const [index, each] of value.entries()) {
      const problem = item(each);
      if (problem) return `[${index}] ${problem}`;
    }
    return undefined;
  };
}

export type Checks = Readonly<Record<string, Check>>;

/** An object with these fields; others are allowed unless it is closed. */
export function fields(required: Checks, optional: Checks = {}, others: "open" | "closed" = "open"): Check {
  const all = Object.entries(required);
  return (value) => {
    if (!isObject(value)) return `must be an object, not ${nameOf(value)}`;
    for (const [name, check] of all) {
      const problem = check(value[name]);
      if (problem) return `.${name} ${problem}`;
    }
    for (const name of Object.keys(value)) {
      const check = Object.hasOwn(optional, name) ? optional[name] : undefined;
      const each = check && value[name];
      const problem = each === undefined ? undefined : check?.(each);
      if (problem) return `.${name} ${problem}`;
      if (others === "closed" && !check && !Object.hasOwn(required, name))
        return `has no ${JSON.stringify(name.slice(0, 80))}`;
    }
    return undefined;
  };
}

/** The same check for a value that may be missing. */
export function maybe(check: Check): Check {
  return (value) => (value === undefined ? undefined : check(value));
}

export function either(...checks: readonly Check[]): Check {
  return (value) => {
    const problems = checks.map((check) => check(value));
    return problems.includes(undefined) ? undefined : problems[0];
  };
}

/** A problem as a sentence's subject and predicate: "The thread's title is empty". */
export function labelled(label: string, problem: string | undefined): string | undefined {
  if (problem === undefined) return undefined;
  return problem.startsWith(".") ? `${label}'s ${problem.slice(1)}` : `${label} ${problem}`;
}

function describe(value: unknown): string {
  return typeof value === "number" ? String(value) : nameOf(value);
}
