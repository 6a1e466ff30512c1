import type { Notice } from "../session/entry.ts";
import { type ApprovalPolicy, type ApprovalRule, ruleProblem } from "./approval-rule.ts";
import { literally, matchesPath, matchesText } from "./pattern.ts";

/**
 * Whether a tool call runs, is asked about, or is denied [AG20]. A call that an undo takes back runs unasked. The user
 * is asked about all others, unless the mode or a rule decides otherwise.
 *
 * A call is cut into subjects: every path that it names, or every simple command of its command line. The last rule that
 * matches a subject decides it, the mode decides the others, and the strictest subject decides the call; so an allowed
 * command does not carry a second one past the user after a `&&`.
 *
 * A command is read for people, not as a protection: only its confinement keeps it from effects that no undo takes
 * back. So a command may run unasked only while it is confined [AG22].
 */
export function decideApproval(call: { readonly name: string }, facts: CallFacts, policy: ApprovalPolicy): Approval {
  const verdicts = subjectsOf(facts).map((subject) => verdictOn(subject, call.name, facts, policy));
  const forbidden = verdicts.find(({ decision }) => decision === "deny");
  if (forbidden) return { decision: "deny", reason: `a rule of the user denies ${ruleText(forbidden.rule)}` };

  const places = placesBeyondUndo(facts);
  const unconfined = facts.command !== undefined && facts.confined !== true;
  const escapes = unconfined || places.length > 0 || facts.irreversible.length > 0;
  const granted = policy.mode === "all" || verdicts.every((verdict) => grantsEscape(verdict, facts));
  const asks = verdicts.some(({ decision }) => decision === "ask") || (escapes && !granted);

  const outside = facts.command !== undefined && (escapes || granted);
  const notices: Notice[] = [
    ...places,
    ...facts.irreversible.map((what): Notice => ({ kind: "irreversible", what })),
    ...(outside ? [{ kind: "unconfined" as const, what: facts.unconfined ?? OUTSIDE }] : []),
  ];
  const how = outside ? { notices, outside } : { notices };
  if (!asks) return { decision: "allow", ...how };
  const always = ruleForAlways(call.name, facts, policy);
  return always ? { decision: "ask", ...how, always } : { decision: "ask", ...how };
}

/** Facts about a call that the runtime finds out before the decision. */
export type CallFacts = {
  /** It may change files or anything else. True for every shell command. */
  readonly writes: boolean;
  /** Every path it names, links resolved. */
  readonly paths: readonly PathFact[];
  /** The host that it sends a request to. Rules name it where they name a path. */
  readonly host?: string;
  /** The shell command line, for a tool that runs one. */
  readonly command?: string;
  /** Whether the command line would run confined. */
  readonly confined?: boolean;
  /** Why it would not, in words. */
  readonly unconfined?: string;
  /** Effects that no undo takes back, in words: `git push`, `npm publish` (X8). */
  readonly irreversible: readonly string[];
};

export type PathFact = {
  /** Relative to the workspace with `/` between names; absolute where it lies outside. */
  readonly path: string;
  readonly place: "workspace" | "outside" | "git-directory";
};

export type Approval =
  | { readonly decision: "allow"; readonly notices: readonly Notice[]; readonly outside?: true }
  | { readonly decision: "deny"; readonly reason: string }
  | {
      readonly decision: "ask";
      readonly notices: readonly Notice[];
      /** If allowed, the command runs outside of the confinement. */
      readonly outside?: true;
      /** The rule that the answer `allow-always` would add; absent where no rule can give this approval. */
      readonly always?: ApprovalRule;
    };

/** A rule as people write and read it: `allow bash npm test*`. */
export function ruleText(rule: Partial<ApprovalRule> | undefined): string {
  const { tool = "", path, command } = rule ?? {};
  return [tool, ...(path === undefined ? [] : [`in ${path}`]), ...(command === undefined ? [] : [command])].join(" ");
}

/** The reason, in words, why a call does not run where no question can be asked. */
export function reasonsOf(notices: readonly Notice[]): string {
  const [first, ...more] = notices.map(noticeText);
  if (first === undefined) return "it may change something";
  return [first, ...more].join("; ");
}

export function noticeText(notice: Notice): string {
  switch (notice.kind) {
    case "outside-workspace":
      return `outside of the workspace: ${notice.path}`;
    case "git-directory":
      return `in a .git directory: ${notice.path}`;
    case "irreversible":
      return notice.what;
    case "unconfined":
      return `not confined: ${notice.what}`;
  }
}

const OUTSIDE = "what it changes outside of the workspace stays";

type Subject =
  | { readonly kind: "call" }
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "command"; readonly part: string; readonly line: string }
  /** The line as a whole and the paths it was seen to name: they can make the verdict on its parts stricter, not laxer. */
  | { readonly kind: "command-line"; readonly line: string }
  | { readonly kind: "path-in-command"; readonly path: string };

function subjectsOf(facts: CallFacts): Subject[] {
  const { command, paths, host } = facts;
  if (host !== undefined) return [{ kind: "path", path: host }];
  if (command !== undefined) {
    return [
      ...partsOf(command).map((part): Subject => ({ kind: "command", part, line: command })),
      { kind: "command-line", line: command },
      ...paths.map(({ path }): Subject => ({ kind: "path-in-command", path })),
    ];
  }
  return paths.length === 0 ? [{ kind: "call" }] : paths.map(({ path }): Subject => ({ kind: "path", path }));
}

interface Verdict {
  readonly subject: Subject;
  readonly decision: ApprovalRule["decision"];
  /** The rule that decided; absent where the mode did. */
  readonly rule?: ApprovalRule;
}

function verdictOn(subject: Subject, tool: string, facts: CallFacts, { mode, rules }: ApprovalPolicy): Verdict {
  const rule = rules.findLast((each) => matchesText(each.tool, tool) && matchesSubject(each, subject));
  if (rule !== undefined) return { subject, decision: rule.decision, rule };
  const changes = facts.writes || subject.kind === "command";
  const secondary = subject.kind === "path-in-command" || subject.kind === "command-line";
  return { subject, decision: mode === "ask" && changes && !secondary ? "ask" : "allow" };
}

/**
 * Whether a rule allows effects that no undo takes back. The rule must name a command, or a path where the call leaves
 * the workspace. A rule that names only a tool lets its commands run where none can be confined.
 */
function grantsEscape({ subject, decision, rule }: Verdict, facts: CallFacts): boolean {
  switch (subject.kind) {
    case "command-line":
    case "path-in-command":
      return decision === "allow";
    case "command": {
      if (decision !== "allow" || rule === undefined) return false;
      return rule.command !== undefined || (facts.confined !== true && !beyondReading(facts));
    }
    case "path":
      return decision === "allow" && rule?.path !== undefined;
    case "call":
      return decision === "allow" && rule !== undefined;
  }
}

function beyondReading(facts: CallFacts): boolean {
  return facts.irreversible.length > 0 || placesBeyondUndo(facts).length > 0;
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

/** Reports no paths for a confined command: it cannot change them. */
function placesBeyondUndo(facts: CallFacts): Notice[] {
  if (facts.confined === true) return [];
  return facts.paths.flatMap(({ path, place }): Notice[] => {
    if (place === "outside") return [{ kind: "outside-workspace", path }];
    return place === "git-directory" && facts.writes ? [{ kind: "git-directory", path }] : [];
  });
}

/**
 * The rule that would have allowed this call, and as little else as can be. It becomes the last rule and so wins over all
 * others: it must not reach what another rule denies.
 */
function ruleForAlways(tool: string, facts: CallFacts, policy: ApprovalPolicy): ApprovalRule | undefined {
  const rule = narrowestRule(tool, facts);
  if (rule === undefined || ruleProblem(rule) !== undefined) return undefined;
  const after = { ...policy, rules: [...policy.rules, rule] };
  const verdicts = subjectsOf(facts).map((subject) => verdictOn(subject, tool, facts, after));
  const allows = verdicts.every(
    (verdict) =>
      verdict.decision === "allow" &&
      (verdict.rule === undefined || verdict.rule === rule || grantsEscape(verdict, facts)),
  );
  return allows ? rule : undefined;
}

function narrowestRule(tool: string, facts: CallFacts): ApprovalRule | undefined {
  const rule = { tool: literally(tool), decision: "allow" } as const;
  if (facts.command !== undefined) return { ...rule, command: literally(facts.command) };
  if (facts.host !== undefined) return { ...rule, path: literally(facts.host) };
  const [first, second] = facts.paths;
  if (first === undefined) return rule;
  return second === undefined ? { ...rule, path: literally(first.path) } : undefined;
}
