import { noteGit, recordOf, refuse, type TakeId, threadId } from "@retake/core";
import type { Identity } from "../store/identity.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import { type GitContext, noteGitContext, readGitContext, readGitRefs } from "./git-context.ts";

/**
 * L10: what git says of the workspace when a turn begins, after each tool that may write, and when the turn
 * is over. Only whether there are uncommitted changes takes a process: it is asked while the model is called, and
 * again only where something was written. Nothing of the turn waits for it but the first tool that writes,
 * because what it writes must not be taken for what was there.
 */
export class GitNotes {
  readonly #root: string;
  readonly #note: (seen: GitContext | undefined) => void;
  readonly #enough = new AbortController();
  #start: Promise<GitContext | undefined> | undefined;
  #written = false;

  constructor(
    parts: { readonly store: ThreadStore; readonly identity: Identity },
    place: { readonly root: string; readonly thread: string; readonly take: TakeId },
  ) {
    this.#root = place.root;
    this.#note = (seen) => note(parts, place, seen);
  }

  begin(): void {
    this.#start = readGitContext(this.#root, { signal: this.#enough.signal }).then((seen) => {
      this.#note(seen);
      return seen;
    });
    // Whoever awaits it is told; until then nobody may be.
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

  /** Whoever only talked is not held up by a large repository: whether it has changes is then not known. */
  async finish(): Promise<void> {
    const timer = setTimeout(() => this.#enough.abort(), PATIENCE);
    const start = await this.#start;
    clearTimeout(timer);
    if (this.#written) this.#note(await readGitContext(this.#root));
    else if (start) this.#note({ ...((await readGitRefs(this.#root)) ?? start), dirty: start.dirty });
  }
}

/** Milliseconds that a turn that is over waits for git. */
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
