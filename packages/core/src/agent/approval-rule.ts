import { type Check, fields, oneOf, text } from "../values/check.ts";

/**
 * A rule of the user for this machine and workspace: which calls run, are asked about or denied. Rules are no records: no
 * import, jump, undo or sync can bring one.
 */
export type ApprovalRule = {
  /** Patterns: see `pattern.ts`. */
  readonly tool: string;
  readonly path?: string;
  readonly command?: string;
  readonly decision: "allow" | "ask" | "deny";
};

/** What runs without a question. `undoable`: all that an undo takes back. `ask`: what only reads. `all`: everything. */
export type ApprovalMode = "undoable" | "ask" | "all";

export const APPROVAL_MODES: readonly ApprovalMode[] = ["undoable", "ask", "all"];

export type ApprovalPolicy = {
  readonly mode: ApprovalMode;
  readonly rules: readonly ApprovalRule[];
  /** False: what would be asked about is denied (`--yes`). */
  readonly questions: boolean;
};

/** What is wrong with a rule; undefined when nothing is. */
export const ruleProblem: Check = fields(
  { tool: text(200), decision: oneOf(["allow", "ask", "deny"]) },
  { path: text(4096), command: text(4096) },
  "closed",
);
