import type { BytePath, Uncovered } from "../model/model.ts";

/** The files that a capture covered, and the paths that it left out, with the reasons. */
export interface Receipt {
  /** The number of all captured files, not only the changed ones. */
  readonly files: number;
  readonly bytes: number;
  /** The number of paths that differ from the previous capture. */
  readonly changed: number;
  /** Ignored files that changed; they are captured separately from the tree. */
  readonly ignoredChanged: readonly BytePath[];
  /** Left-out paths that look different from the previous capture: undo cannot reverse their changes. */
  readonly leftOutChanged: readonly BytePath[];
  /** Everything on disk that is left out. A directory stands for all its content. */
  readonly uncovered: readonly { readonly path: BytePath; readonly reason: Uncovered["reason"] }[];
  /** How the changes were found. Hints miss writes through mmap and hard links; the next full scan finds them. */
  readonly foundBy: "first-scan" | "full-scan" | "hints";
}
