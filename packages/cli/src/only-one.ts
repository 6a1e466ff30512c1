import { CommandError, EXIT, notFound, wrongUsage } from "./command.ts";

/**
 * The one thing that a user means by an id or its beginning. A whole id wins over ids that it begins;
 * a beginning that several share is refused, because guessing would change the wrong thing.
 */
export function onlyOne<T>(kind: Kind, name: string, found: Iterable<T>, idOf: (each: T) => string): T {
  if (name === "") throw wrongUsage(`The name of ${kind.one} is empty.`);
  const list = [...found];
  const exact = list.find((each) => idOf(each) === name);
  if (exact !== undefined) return exact;
  const [first, ...others] = list;
  if (first === undefined) throw notFound(`There is no ${kind.noun} '${name}'. ${kind.list} lists them.`);
  if (others.length > 0) throw ambiguous(name, `${list.length} ${kind.many}`);
  return first;
}

export interface Kind {
  readonly one: string;
  readonly noun: string;
  readonly many: string;
  /** The command that lists them. */
  readonly list: string;
}

export function ambiguous(name: string, what: string): CommandError {
  return new CommandError(
    EXIT.usage,
    "ambiguous",
    `'${name}' could be any of ${what}. Give more of it; nothing was changed.`,
  );
}
