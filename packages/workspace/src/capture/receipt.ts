import type { BytePath, Uncovered } from "../model/model.ts";

/** What a capture covered, and what it did not and why. */
export interface Receipt {
  /** Everything that is captured, not only what changed. */
  readonly files: number;
  readonly bytes: number;
  /** Paths that differ from the capture before. */
  readonly changed: number;
  /** Ignored files that changed; captured beside the tree. */
  readonly ignoredChanged: readonly BytePath[];
  /** Left out, and looking different since the capture before: their changes cannot be taken back. */
  readonly leftOutChanged: readonly BytePath[];
  /** Everything on disk that is left out, a directory standing for all that is in it. */
  readonly uncovered: readonly { readonly path: BytePath; readonly reason: Uncovered["reason"] }[];
  /** How the changes were found. Hints miss writes through mmap and hard links; the next full scan does not. */
  readonly foundBy: "first-scan" | "full-scan" | "hints";
}
