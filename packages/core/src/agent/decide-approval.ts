import { type ApprovalRule, settingProblem } from "../session/setting.ts";
import { literally, matchesPath, matchesText } from "./pattern.ts";

/**
 * Whether a tool call may run, must be asked about, or may not run [AG20].
 *
 * A call is cut into subjects: every path it names, or every simple command of its command line.
 * Each subject is decided by the last rule that matches it, and the strictest subject decides the
 * call; so an allowed command does not carry a second one past the user behind a `&&`. Patterns are
 * a convenience and not a sandbox: what is in doubt is asked.
 */
export function decideApproval(
  call: { readonly name: string },
  rules: readonly ApprovalRule[],
  facts: CallFacts,
  approveAll: boolean,
): Approval {
  const verdicts = subjectsOf(facts).map((subject) => verdictOn(subject, call.name, rules, facts));
  if (verdicts.includes("deny")) return { decision: "deny" };

  const places = placesToAskAbout(facts);
  const irreversible = facts.irreversible.map((what): Notice => ({ kind: "irreversible", what }));
  const notices = [...places, ...irreversible];
  if (places.length > 0) return { decision: "ask", notices };
  if (approveAll || !verdicts.includes("ask")) return { decision: "allow", notices };
  const always = ruleForAlways(call.name, rules, facts);
  return always ? { decision: "ask", notices, always } : { decision: "ask", notices };
}

/** What the runtime must find out about a call before it may be decided. */
export type CallFacts = {
  /** It may change files or anything else. True for every shell command. */
  readonly writes: boolean;
  /** Every path it names, links resolved. */
  readonly paths: readonly PathFact[];
  /** The shell command line, for a tool that runs one. */
  readonly command?: string;
  /** What it does that no undo takes back, in words: `git push`, `npm publish` (X8). */
  readonly irreversible: readonly string[];
};

export type PathFact = {
  /** Relative to the workspace with `/` between names; absolute where it lies outside. */
  readonly path: string;
  readonly place: "workspace" | "outside" | "git-directory";
};

export type Approval =
  | { readonly decision: "allow"; readonly notices: readonly Notice[] }
  | { readonly decision: "deny" }
  | {
      readonly decision: "ask";
      readonly notices: readonly Notice[];
      /** The rule that the answer `allow-always` would add; absent where no rule can give this approval. */
      readonly always?: ApprovalRule;
    };

/** What the user is told of a call before it runs, whether it is asked about or not (X8). */
export type Notice =
  | { readonly kind: "outside-workspace"; readonly path: string }
  | { readonly kind: "git-directory"; readonly path: string }
  | { readonly kind: "irreversible"; readonly what: string };

type Subject =
  | { readonly kind: "call" }
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "command"; readonly part: string; readonly line: string }
  /** The line as a whole and the paths it was seen to name: they can make the verdict on its parts stricter, not laxer. */
  | { readonly kind: "command-line"; readonly line: string }
  | { readonly kind: "path-in-command"; readonly path: string };

function subjectsOf(facts: CallFacts): Subject[] {
  const { command, paths } = facts;
  if (command !== undefined) {
    return [
      ...partsOf(command).map((part): Subject => ({ kind: "command", part, line: command })),
      { kind: "command-line", line: command },
      ...paths.map(({ path }): Subject => ({ kind: "path-in-command", path })),
    ];
  }
  return paths.length === 0 ? [{ kind: "call" }] : paths.map(({ path }): Subject => ({ kind: "path", path }));
}

function verdictOn(subject: Subject, tool: string, rules: readonly ApprovalRule[], facts: CallFacts) {
  const rule = rules.findLast((each) => matchesText(each.tool, tool) && matchesSubject(each, subject));
  if (rule !== undefined) return rule.decision;
  if (subject.kind === "path-in-command" || subject.kind === "command-line") return "allow";
  return facts.writes || subject.kind === "command" ? "ask" : "allow";
}

function matchesSubject(rule: ApprovalRule, subject: Subject): boolean {
  switch (subject.kind) {
    case "call":
      return rule.path === undefined && rule.command === undefined;
    case "path":
      return rule.command === undefined && (rule.path === undefined || matchesPath(rule.path, subject.path));
    case "path-in-command":
      return rule.command === undefined && rule.path !== undefined && matchesPath(rule.path, subject.path);
    case "command":
      if (rule.path !== undefined) return false;
      return rule.command === undefined || matchesCommand(rule, subject.part) || matchesCommand(rule, subject.line);
    case "command-line":
      return rule.path === undefined && matchesCommand(rule, subject.line);
  }
}

function matchesCommand({ command, decision }: ApprovalRule, text: string): boolean {
  return command !== undefined && matchesText(command, text, decision === "allow" ? isPlain : undefined);
}

/** The simple commands of a line. Quotes are not read, so a quoted `;` cuts too: it is asked about once too often. */
function partsOf(command: string): string[] {
  const withoutMerging = command.replace(/(?<=\s)2>&1(?=\s|$)/g, "");
  const parts = withoutMerging.split(/[;&|\n\r]+/).map((part) => part.trim());
  const filled = parts.filter((part) => part !== "");
  return filled.length === 0 ? [command] : filled;
}

/** Characters that mean only themselves to a shell. A wildcard that allows stands for no others. */
function isPlain(character: string): boolean {
  return !/[;&|<>()$`\\{}\n\r]/.test(character);
}

/** Neither a rule nor `--yes` gives these approvals. */
function placesToAskAbout(facts: CallFacts): Notice[] {
  return facts.paths.flatMap(({ path, place }): Notice[] => {
    if (place === "outside") return [{ kind: "outside-workspace", path }];
    return place === "git-directory" && facts.writes ? [{ kind: "git-directory", path }] : [];
  });
}

/**
 * The rule that would have allowed this call. It becomes the last rule and so wins over all others:
 * it must not reach what another rule denies.
 */
function ruleForAlways(tool: string, rules: readonly ApprovalRule[], facts: CallFacts): ApprovalRule | undefined {
  const rule = widestSafeRule(tool, rules, facts);
  if (rule === undefined || settingProblem("approval_rules", [rule]) !== undefined) return undefined;
  const verdicts = subjectsOf(facts).map((subject) => verdictOn(subject, tool, [...rules, rule], facts));
  return verdicts.every((verdict) => verdict === "allow") ? rule : undefined;
}

function widestSafeRule(tool: string, rules: readonly ApprovalRule[], facts: CallFacts): ApprovalRule | undefined {
  const rule = { tool: literally(tool), decision: "allow" } as const;
  if (facts.command !== undefined) return { ...rule, command: literally(facts.command) };
  if (!rules.some((each) => each.decision === "deny" && matchesText(each.tool, tool))) return rule;
  const [first] = facts.paths;
  return first && { ...rule, path: literally(first.path) };
}
