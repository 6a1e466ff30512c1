/** How a preview calls the version that would replace the user's own. */
export interface ConflictWords {
  /** The button that chooses it for a file. */
  readonly choose: string;
  /** The same for all files. */
  readonly chooseAll: string;
  /** Its content, beside the user's. */
  readonly side: string;
  /** The button that chooses its lines of one overlap. */
  readonly lines: string;
}

const TAKEN_BACK: ConflictWords = {
  choose: "Take back",
  chooseAll: "All: take back",
  side: "After it is taken back",
  lines: "Taken back",
};

const OTHER: ConflictWords = {
  choose: "Take the other",
  chooseAll: "All: take the other",
  side: "The other version",
  lines: "Other",
};

/** A switch, a branch or a restore takes nothing back: there it is just the other version. */
export function conflictWords({ takesBack = false }: { readonly takesBack?: boolean }): ConflictWords {
  return takesBack ? TAKEN_BACK : OTHER;
}
