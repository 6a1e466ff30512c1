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

/**
 * Selects the calls that run without a question. `undoable`: calls that an undo takes back. `ask`: calls that only
 * read. `all`: every call.
 */
export type ApprovalMode = "undoable" | "ask" | "all";

export const APPROVAL_MODES: readonly ApprovalMode[] = ["undoable", "ask", "all"];

export type ApprovalPolicy = {
  readonly mode: ApprovalMode;
  readonly rules: readonly ApprovalRule[];
  /** False (`--yes`): calls that need a question are denied. */
  readonly questions: boolean;
};

/** Describes the problem of a rule; undefined for a valid rule. */
export const ruleProblem: Check = fields(
  { tool: text(200), decision: oneOf(["allow", "ask", "deny"]) },
  { path: text(4096), command: text(4096) },
  "closed",
);
