import type { ModelPart } from "@retake/core";

/** How long text is collected before it is committed: short enough to lose little, long enough to cost little. */
const GATHER_MS = 75;

/** Joins consecutive pieces of text or thinking into larger parts. */
export class PartGatherer {
  readonly #give: (part: ModelPart) => void;
  #held: ModelPart | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(give: (part: ModelPart) => void) {
    this.#give = give;
  }

  add(part: ModelPart): void {
    const joined = this.#held && join(this.#held, part);
    if (!joined) this.flush();
    this.#held = joined ?? part;
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Passes on the collected part. Must be called before anything else is reported about the same attempt. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#give(held);
  }
}

function join(before: ModelPart, after: ModelPart): ModelPart | undefined {
  if (before.kind === "text" && after.kind === "text") return { kind: "text", text: before.text + after.text };
  if (before.kind !== "thinking" || after.kind !== "thinking" || before.signature !== undefined) return undefined;
  return { ...before, ...after, text: before.text + after.text };
}
