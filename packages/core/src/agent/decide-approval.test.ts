import { describe, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import type { ApprovalMode, ApprovalPolicy, ApprovalRule } from "./approval-rule.ts";
import { type CallFacts, decideApproval, type PathFact } from "./decide-approval.ts";

const inside = (path: string): PathFact => ({ path, place: "workspace" });
const read = (...paths: string[]): CallFacts => ({ writes: false, paths: paths.map(inside), irreversible: [] });
const write = (...paths: string[]): CallFacts => ({ ...read(...paths), writes: true });
const shell = (command: string, ...paths: string[]): CallFacts => ({ ...write(...paths), command, confined: true });
const bare = (command: string): CallFacts => ({ ...shell(command), confined: false, unconfined: "not here" });
const push: CallFacts = { ...shell("git push"), irreversible: ["git push"] };
const at = (place: PathFact["place"], writes: boolean): CallFacts => ({
  writes,
  paths: [{ path: "/etc/passwd", place }],
  irreversible: [],
});

const allow = (tool: string, rest: Partial<ApprovalRule> = {}): ApprovalRule => ({ tool, ...rest, decision: "allow" });
const deny = (tool: string, rest: Partial<ApprovalRule> = {}): ApprovalRule => ({ tool, ...rest, decision: "deny" });
const ask = (tool: string, rest: Partial<ApprovalRule> = {}): ApprovalRule => ({ tool, ...rest, decision: "ask" });
const policy = (mode: ApprovalMode, rules: readonly ApprovalRule[] = []): ApprovalPolicy => {
  return { mode, rules, questions: true };
};

describe("[AG24] a request to a host", () => {
  const page = (host: string): CallFacts => ({ ...read(), host, irreversible: [`a request to ${host}`] });

  test("is asked about, and allow-always allows that host only", () => {
    const asked = decideApproval({ name: "fetch" }, page("docs.example.org"), policy("undoable"));
    if (asked.decision !== "ask" || !asked.always) throw new Error("it was not asked about");
    expect(asked.always).toEqual({ tool: "fetch", path: "docs.example.org", decision: "allow" });
    const after = policy("undoable", [asked.always]);
    expect(decideApproval({ name: "fetch" }, page("docs.example.org"), after).decision).toBe("allow");
    for (const other of ["example.org", "docs.example.org:8080", "evil.docs.example.org", "docs.example.org.evil.net"])
      expect(decideApproval({ name: "fetch" }, page(other), after).decision).toBe("ask");
  });

  test("is not allowed by a rule that names the tool alone", () => {
    const decided = decideApproval({ name: "fetch" }, page("example.org"), policy("undoable", [allow("fetch")]));
    expect(decided.decision).toBe("ask");
  });
});

describe("[X13] [AG20] what runs unasked in each mode", () => {
  // undoable, ask, all; `outside`: it runs outside of the confinement.
  const table: [string, CallFacts, string, string, string][] = [
    ["reading", read("a"), "allow", "allow", "allow"],
    ["reading outside of the workspace", at("outside", false), "ask", "ask", "allow"],
    ["reading a .git directory", at("git-directory", false), "allow", "allow", "allow"],
    ["writing", write("a"), "allow", "ask", "allow"],
    ["writing outside of the workspace", at("outside", true), "ask", "ask", "allow"],
    ["writing into a .git directory", at("git-directory", true), "ask", "ask", "allow"],
    ["a confined command", shell("make"), "allow", "ask", "allow outside"],
    [
      "a confined command that reads outside",
      { ...shell("cat /etc/passwd"), paths: at("outside", false).paths },
      "allow",
      "ask",
      "allow outside",
    ],
    ["a command that cannot be undone", push, "ask outside", "ask outside", "allow outside"],
    ["a command that is not confined", bare("make"), "ask outside", "ask outside", "allow outside"],
    ["a command whatever else is said of it", { ...shell("ls"), writes: false }, "allow", "ask", "allow outside"],
    [
      "a tool that changes something elsewhere",
      { ...write(), irreversible: ["a tool of a server"] },
      "ask",
      "ask",
      "allow",
    ],
    ["a tool that only reads elsewhere", write(), "allow", "ask", "allow"],
  ];
  for (const [name, facts, undoable, asked, all] of table) {
    test(name, () => {
      const modes = (["undoable", "ask", "all"] as const).map((mode) => {
        const approval = decideApproval({ name: "tool" }, facts, policy(mode));
        return `${approval.decision}${"outside" in approval ? " outside" : ""}`;
      });
      expect(modes).toEqual([undoable, asked, all]);
    });
  }
});

type Case = {
  name: string;
  mode?: ApprovalMode;
  tool?: string;
  rules: ApprovalRule[];
  facts: CallFacts;
  expected: string;
};

const cases: Case[] = [
  { name: "[AG20] a rule of another tool says nothing", rules: [allow("edit")], facts: write("a"), expected: "ask" },
  { name: "[AG20] a rule may name tools by a pattern", rules: [allow("wr*")], facts: write("a"), expected: "allow" },
  { name: "[AG20] the last match wins", rules: [deny("write"), allow("write")], facts: write("a"), expected: "allow" },
  { name: "[AG20] … also when it denies", rules: [allow("write"), deny("write")], facts: write("a"), expected: "deny" },
  { name: "[AG20] a denial holds in every mode", mode: "all", rules: [deny("*")], facts: write("a"), expected: "deny" },
  {
    name: "[AG20] a rule that asks does in every mode",
    mode: "all",
    rules: [ask("*")],
    facts: write("a"),
    expected: "ask",
  },
  {
    name: "[AG20] … and only among those that match",
    rules: [allow("write"), deny("write", { path: "secrets/**" })],
    facts: write("a"),
    expected: "allow",
  },
  {
    name: "[AG20] the strictest of several paths decides",
    rules: [allow("write", { path: "src/**" })],
    facts: write("src/a", "b"),
    expected: "ask",
  },
  {
    name: "[AG22] a rule for a tool gives no place outside",
    rules: [allow("*")],
    facts: at("outside", true),
    expected: "ask",
  },
  {
    name: "[AG22] a rule that names the path does",
    rules: [allow("*", { path: "/etc/*" })],
    facts: at("outside", true),
    expected: "allow",
  },
  { name: "[AG22] a denial denies it", rules: [deny("*")], facts: at("outside", true), expected: "deny" },
  { name: "[AG22] a rule for a tool does not lift the confinement", rules: [allow("*")], facts: push, expected: "ask" },
  { name: "[AG22] … but lets its commands run confined", rules: [allow("*")], facts: shell("make"), expected: "allow" },
  { name: "[AG22] … or where none can be confined", rules: [allow("*")], facts: bare("make"), expected: "allow" },
  {
    name: "[AG22] a rule that names the command lifts it",
    rules: [allow("*", { command: "git push" })],
    facts: push,
    expected: "allow outside",
  },
  {
    name: "[AG23] an allowed command may run",
    rules: [allow("*", { command: "npm test*" })],
    facts: shell("npm test -- core"),
    expected: "allow outside",
  },
  ...["; rm -rf .", " && rm -rf .", " | sh", " & rm x", "\nrm x", " $(rm x)", " `rm x`", " > a", " <(rm x)", " $x"].map(
    (tail): Case => ({
      name: `[AG23] but not with '${JSON.stringify(tail).slice(1, -1)}' after it`,
      rules: [allow("*", { command: "npm test*" })],
      facts: shell(`npm test${tail}`),
      expected: "ask",
    }),
  ),
  {
    name: "[AG23] several allowed commands in one line may run",
    rules: [allow("*", { command: "npm *" }), allow("*", { command: "git status" })],
    facts: shell("npm test 2>&1 && git status"),
    expected: "allow outside",
  },
  {
    name: "[AG23] a denied command in a line denies the line",
    rules: [allow("bash"), deny("*", { command: "git push*" })],
    facts: shell("cd x && git push origin"),
    expected: "deny",
  },
  {
    name: "[AG23] a line that is denied as a whole is not allowed by its parts",
    rules: [deny("*", { command: "a;a" }), allow("*", { command: "a" })],
    facts: shell("a;a"),
    expected: "deny",
  },
  {
    name: "[AG23] a path rule can make a command stricter",
    rules: [allow("*", { command: "cat *" }), deny("*", { path: "secrets/**" })],
    facts: shell("cat secrets/key", "secrets/key"),
    expected: "deny",
  },
  { name: "[AG23] … and not laxer", rules: [allow("*", { path: "**" })], facts: shell("rm a", "a"), expected: "ask" },
];

describe("rules", () => {
  for (const { name, mode = "ask", tool = "write", rules, facts, expected } of cases) {
    test(name, () => {
      const approval = decideApproval({ name: tool }, facts, policy(mode, rules));
      const lifted = approval.decision === "allow" && approval.outside && facts.confined ? " outside" : "";
      expect(`${approval.decision}${lifted}`).toBe(expected);
    });
  }

  test("[X8] [AG22] what cannot be undone is named, also where nothing is asked", () => {
    const facts = { ...bare("git push"), irreversible: ["git push"], paths: at("outside", true).paths };
    const notices = [
      { kind: "outside-workspace", path: "/etc/passwd" },
      { kind: "irreversible", what: "git push" },
      { kind: "unconfined", what: "not here" },
    ];
    expect(decideApproval({ name: "bash" }, facts, policy("undoable"))).toMatchObject({ decision: "ask", notices });
    expect(decideApproval({ name: "bash" }, facts, policy("all"))).toMatchObject({ decision: "allow", notices });
  });

  describe("[AG24] the rule offered as `always`", () => {
    const offered = (tool: string, rules: ApprovalRule[], facts: CallFacts) => {
      const approval = decideApproval({ name: tool }, facts, policy("ask", rules));
      return approval.decision === "ask" ? approval.always : undefined;
    };

    test("is exactly this path or this command, or the tool of a call that names neither", () => {
      expect(offered("write", [], write("a*"))).toEqual(allow("write", { path: "a\\*" }));
      expect(offered("bash", [], shell("rm *.o; ls"))).toEqual(allow("bash", { command: "rm \\*.o; ls" }));
      expect(offered("server__tool", [], write())).toEqual(allow("server__tool"));
      expect(offered("write", [], at("outside", true))).toEqual(allow("write", { path: "/etc/passwd" }));
    });

    test("is none where no rule can give the approval", () => {
      expect(offered("bash", [], shell("x".repeat(5000)))).toBeUndefined();
      expect(offered("write", [], write("a", "b"))).toBeUndefined();
    });

    test("allows the call it was offered for, and lifts no denial", () => {
      const text = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "\\", ";", "&", "|", "$", " ", "/") });
      const rule = fc.record(
        {
          tool: fc.constantFrom("*", "tool"),
          path: text,
          command: text,
          decision: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
        },
        { requiredKeys: ["tool", "decision"] },
      );
      const facts = fc.oneof(
        text.map((command) => shell(command)),
        text.map((command) => bare(command)),
        text.map((command) => ({ ...shell(command), irreversible: ["something"] })),
        fc.array(text, { maxLength: 3 }).map((paths) => write(...paths)),
        text.map((path) => ({ ...write(), paths: [{ path, place: "outside" as const }] })),
      );
      const mode = fc.constantFrom("undoable" as const, "ask" as const, "all" as const);
      const some = fc.array(rule, { maxLength: 4 }) as fc.Arbitrary<ApprovalRule[]>;
      fc.assert(
        fc.property(mode, some, facts, facts, (chosen, rules, asked, other) => {
          const approval = decideApproval({ name: "tool" }, asked, policy(chosen, rules));
          const always = approval.decision === "ask" ? approval.always : undefined;
          if (always === undefined) return;
          const after = policy(chosen, [...rules, always]);
          expect(decideApproval({ name: "tool" }, asked, after).decision).toBe("allow");
          const before = decideApproval({ name: "tool" }, other, policy(chosen, rules)).decision;
          if (before === "deny") expect(decideApproval({ name: "tool" }, other, after).decision).toBe("deny");
        }),
        { numRuns: 2000 },
      );
    });
  });
});
