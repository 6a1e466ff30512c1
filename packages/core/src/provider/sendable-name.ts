/**
 * Ids and names of tools that every provider accepts. The narrowest rules apply to all, so that switching the model
 * changes no byte of earlier messages: ids follow Anthropic's pattern and OpenAI's 40 characters, names follow OpenAI's
 * pattern and Gemini's rule for the first character.
 */
const ID = /^[A-Za-z0-9_-]{1,40}$/;
const LONGEST_ID = 40;
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** The name of a tool in requests: in its calls, and in the list of offered tools. */
export function sendableToolName(name: string): string {
  if (NAME.test(name)) return name;
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_");
  const begun = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
  return begun === "_" ? "tool" : begun.slice(0, 64);
}

/**
 * Gives each call a unique id, in the order of the conversation: the first call with an id keeps it. So a later entry
 * never changes an id that was sent before.
 */
export class CallIds {
  readonly #taken = new Set<string>();
  readonly #copies = new Map<string, number>();

  next(id: string): string {
    const wanted = ID.test(id) ? id : id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST_ID) || "call";
    let free = wanted;
    while (this.#taken.has(free)) {
      const copy = (this.#copies.get(wanted) ?? 1) + 1;
      this.#copies.set(wanted, copy);
      const suffix = `-${copy}`;
      free = wanted.slice(0, LONGEST_ID - suffix.length) + suffix;
    }
    this.#taken.add(free);
    return free;
  }
}
