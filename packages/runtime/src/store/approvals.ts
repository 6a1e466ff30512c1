import { APPROVAL_MODES, type ApprovalMode, type ApprovalPolicy, type ApprovalRule, ruleProblem } from "@retake/core";
import type { Database } from "@retake/workspace";

/**
 * The approval modes and rules of the workspaces of this machine. They are not in the logs, so that nothing that comes
 * from elsewhere brings rights: no import, jump, undo or sync writes these tables [F7].
 */
export const APPROVAL_SCHEMA = `
  CREATE TABLE approval_modes (root TEXT PRIMARY KEY, mode TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE approval_rules (id INTEGER PRIMARY KEY AUTOINCREMENT, root TEXT NOT NULL, rule TEXT NOT NULL) STRICT;
  CREATE INDEX approval_rules_by_root ON approval_rules (root, id);
`;

export class Approvals {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The rules in their order: of those that match, the last decides. */
  of(root: string): Pick<ApprovalPolicy, "mode" | "rules"> {
    const mode = this.#database.prepare("SELECT mode FROM approval_modes WHERE root = ?").get(root)?.["mode"];
    return { mode: APPROVAL_MODES.find((each) => each === mode) ?? "undoable", rules: this.#rules(root).map(ruleOf) };
  }

  setMode(root: string, mode: ApprovalMode): void {
    this.#database.transaction(() =>
      this.#database.run("INSERT OR REPLACE INTO approval_modes (root, mode) VALUES (?, ?)", root, mode),
    );
  }

  add(root: string, rule: ApprovalRule): void {
    this.#database.transaction(() =>
      this.#database.run("INSERT INTO approval_rules (root, rule) VALUES (?, ?)", root, JSON.stringify(rule)),
    );
  }

  /** Removes a rule by its number in the list, from 1; undefined when there is none. */
  remove(root: string, number: number): ApprovalRule | undefined {
    return this.#database.transaction(() => {
      const row = this.#rules(root)[number - 1];
      if (row) this.#database.run("DELETE FROM approval_rules WHERE id = ?", Number(row["id"]));
      return row && ruleOf(row);
    });
  }

  #rules(root: string) {
    return this.#database.prepare("SELECT id, rule FROM approval_rules WHERE root = ? ORDER BY id").all(root);
  }
}

/** A rule that cannot be read may be one that denies: nothing is decided without it. */
function ruleOf(row: Readonly<Record<string, unknown>>): ApprovalRule {
  const rule: unknown = JSON.parse(String(row["rule"]));
  const problem = ruleProblem(rule);
  if (problem) throw new Error(`A rule for approvals cannot be read: it ${problem}. Nothing was run.`);
  return rule as ApprovalRule;
}
