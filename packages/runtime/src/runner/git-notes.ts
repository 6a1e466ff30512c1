import { noteGit, recordOf, refuse, type TakeId, threadId } from "@retake/core";
import type { Identity } from "../store/identity.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import { type GitContext, noteGitContext, readGitContext, readGitRefs } from "./git-context.ts";
import type { TurnParts } from "./turn.ts";

/**
 * L10: records the state of git when a turn begins, after each tool that may write, and when the turn ends. Only the
 * check for uncommitted changes needs a process: it runs while the model is called, and again only after something was
 * written. Only the first tool that writes waits for it, so that its changes are not counted as earlier ones.
 */
export class GitNotes {
  readonly #root: string;
  readonly #environment: TurnParts["environment"];
  readonly #note: (seen: GitContext | undefined) => void;
  readonly #enough = new AbortController();
  #start: Promise<GitContext | undefined> | undefined;
  #written = false;

  constructor(
    parts: Pick<TurnParts, "store" | "identity" | "environment">,
    place: { readonly root: string; readonly thread: string; readonly take: TakeId },
  ) {
    this.#root = place.root;
    this.#environment = parts.environment;
    this.#note = (seen) => note(parts, place, seen);
  }

  begin(): void {
    this.#start = readGitContext(this.#root, { environment: this.#environment, signal: this.#enough.signal }).then(
      (seen) => {
        this.#note(seen);
        return seen;
      },
    );
    // Callers that wait for it get the error; until then nobody may be waiting.
    this.#start.catch(() => {});
  }

  /** Resolves when the start is recorded: from then on files may be written. */
  async begun(): Promise<void> {
    await this.#start;
  }

  /** A command may have made a commit, or gone to another branch. */
  async wrote(): Promise<void> {
    this.#written = true;
    const start = await this.#start;
    const refs = await readGitRefs(this.#root);
    if (refs && (refs.commit !== start?.commit || refs.branch !== start.branch)) this.#note({ ...refs, dirty: null });
  }

  /** A turn that wrote nothing does not wait long for a large repository: uncommitted changes are then unknown. */
  async finish(): Promise<void> {
    const timer = setTimeout(() => this.#enough.abort(), PATIENCE);
    const start = await this.#start;
    clearTimeout(timer);
    if (this.#written) this.#note(await readGitContext(this.#root, { environment: this.#environment }));
    else if (start) this.#note({ ...((await readGitRefs(this.#root)) ?? start), dirty: start.dirty });
  }
}

/** How many milliseconds the end of a turn waits for git. */
const PATIENCE = 250;

function note(
  { store, identity }: { readonly store: ThreadStore; readonly identity: Identity },
  { thread, take }: { readonly thread: string; readonly take: TakeId },
  seen: GitContext | undefined,
): void {
  store.change(thread, ({ state }) => {
    const noted = recordOf(state, threadId("git"));
    if (!noted && !seen) return refuse("nothing-to-do", "There is no git here.");
    const context = { ...identity.context({ kind: "system" }), take };
    return noteGit(state, context, { git: noteGitContext(noted, seen) });
  });
}
