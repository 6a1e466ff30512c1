import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApprovalRule } from "../session/setting.ts";
import { type CallFacts, decideApproval, type PathFact } from "./decide-approval.ts";

const read = (...paths: string[]): CallFacts => ({ writes: false, paths: paths.map(inside), irreversible: [] });
const write = (...paths: string[]): CallFacts => ({ ...read(...paths), writes: true });
const shell = (command: string, ...paths: string[]): CallFacts => ({ ...write(...paths), command });
const inside = (path: string): PathFact => ({ path, place: "workspace" });
const at = (place: PathFact["place"], writes: boolean): CallFacts => ({
  writes,
  paths: [{ path: "/etc/passwd", place }],
  irreversible: [],
});

type Case = { name: string; tool?: string; rules?: ApprovalRule[]; facts: CallFacts; yes?: boolean; expected: string };

const allow = (tool: string, rest: Partial<ApprovalRule> = {}): ApprovalRule => ({ tool, ...rest, decision: "allow" });
const deny = (tool: string, rest: Partial<ApprovalRule> = {}): ApprovalRule => ({ tool, ...rest, decision: "deny" });
const ask = (tool: string, rest: Partial<ApprovalRule> = {}): ApprovalRule => ({ tool, ...rest, decision: "ask" });

const cases: Case[] = [
  { name: "[AG20] reading needs no approval", tool: "read", facts: read("a"), expected: "allow" },
  { name: "[AG20] writing is asked about", tool: "write", facts: write("a"), expected: "ask" },
  { name: "[AG20] a command is asked about", tool: "bash", facts: shell("ls"), expected: "ask" },
  {
    name: "[AG20] a command is asked about whatever the runtime thinks of it",
    tool: "bash",
    facts: { ...shell("ls"), writes: false },
    expected: "ask",
  },
  { name: "[AG20] --yes approves writing", tool: "write", facts: write("a"), yes: true, expected: "allow" },
  {
    name: "[AG20] --yes answers a rule that asks",
    rules: [ask("write")],
    facts: write("a"),
    yes: true,
    expected: "allow",
  },
  {
    name: "[AG20] --yes does not lift a denial",
    rules: [deny("write")],
    facts: write("a"),
    yes: true,
    expected: "deny",
  },
  { name: "[AG20] a rule of another tool says nothing", rules: [allow("edit")], facts: write("a"), expected: "ask" },
  { name: "[AG20] a rule may name tools by a pattern", rules: [allow("wr*")], facts: write("a"), expected: "allow" },
  { name: "[AG20] the last match wins", rules: [deny("write"), allow("write")], facts: write("a"), expected: "allow" },
  { name: "[AG20] … also when it denies", rules: [allow("write"), deny("write")], facts: write("a"), expected: "deny" },
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
  { name: "[AG22] leaving the workspace asks, reading too", facts: at("outside", false), expected: "ask" },
  { name: "[AG22] … whatever the rules", rules: [allow("*")], facts: at("outside", true), expected: "ask" },
  { name: "[AG22] … and with --yes", facts: at("outside", true), yes: true, expected: "ask" },
  { name: "[AG22] … but a denial denies", rules: [deny("*")], facts: at("outside", true), yes: true, expected: "deny" },
  { name: "[AG22] writing into .git asks with --yes", facts: at("git-directory", true), yes: true, expected: "ask" },
  { name: "[AG22] reading .git does not", facts: at("git-directory", false), expected: "allow" },
  {
    name: "[AG23] an allowed command may run",
    rules: [allow("*", { command: "npm test*" })],
    facts: shell("npm test -- core"),
    expected: "allow",
  },
  ...["; rm -rf .", " && rm -rf .", " | sh", " & rm x", "\nrm x", " $(rm x)", " `rm x`", " > a", " <(rm x)", " $x"].map(
    (tail): Case => ({
      name: `[AG23] but not with '${JSON.stringify(tail).slice(1, -1)}' behind it`,
      rules: [allow("*", { command: "npm test*" })],
      facts: shell(`npm test${tail}`),
      expected: "ask",
    }),
  ),
  {
    name: "[AG23] several allowed commands in one line may run",
    rules: [allow("*", { command: "npm *" }), allow("*", { command: "git status" })],
    facts: shell("npm test 2>&1 && git status"),
    expected: "allow",
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
  {
    name: "[AG23] … and not laxer",
    rules: [allow("*", { path: "**" })],
    facts: shell("rm a", "a"),
    expected: "ask",
  },
];

describe("approval of a call", () => {
  for (const { name, tool = "write", rules = [], facts, yes = false, expected } of cases) {
    test(name, () => expect(decideApproval({ name: tool }, rules, facts, yes).decision).toBe(expected));
  }

  test("[X8] [AG22] names what cannot be undone, also where it does not ask", () => {
    const facts = { ...shell("git push", "/tmp/x"), irreversible: ["git push"] };
    const paths = [{ path: "/tmp/x", place: "outside" as const }];
    expect(decideApproval({ name: "bash" }, [], { ...facts, paths }, false)).toEqual({
      decision: "ask",
      notices: [
        { kind: "outside-workspace", path: "/tmp/x" },
        { kind: "irreversible", what: "git push" },
      ],
    });
    expect(decideApproval({ name: "bash" }, [], { ...facts, paths: [] }, true)).toEqual({
      decision: "allow",
      notices: [{ kind: "irreversible", what: "git push" }],
    });
  });

  describe("[AG24] the rule offered as `always`", () => {
    const offered = (tool: string, rules: ApprovalRule[], facts: CallFacts) => {
      const approval = decideApproval({ name: tool }, rules, facts, false);
      return approval.decision === "ask" ? approval.always : undefined;
    };

    test("is the tool in this workspace, or exactly this command", () => {
      expect(offered("write", [], write("a"))).toEqual(allow("write"));
      expect(offered("bash", [], shell("rm *.o; ls"))).toEqual(allow("bash", { command: "rm \\*.o; ls" }));
    });

    test("is one path where a rule denies others", () => {
      expect(offered("write", [deny("write", { path: "b" })], write("a"))).toEqual(allow("write", { path: "a" }));
    });

    test("is none where no rule can give the approval", () => {
      expect(offered("write", [], at("outside", true))).toBeUndefined();
      expect(offered("bash", [], shell("x".repeat(5000)))).toBeUndefined();
      expect(offered("write", [deny("write", { path: "x" })], write("a", "b"))).toBeUndefined();
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
        fc.array(text, { maxLength: 3 }).map((paths) => write(...paths)),
      );
      const some = fc.array(rule, { maxLength: 4 }) as fc.Arbitrary<ApprovalRule[]>;
      fc.assert(
        fc.property(some, facts, facts, (rules, asked, other) => {
          const always = offered("tool", rules, asked);
          if (always === undefined) return;
          const after = [...rules, always];
          expect(decideApproval({ name: "tool" }, after, asked, false).decision).toBe("allow");
          const before = decideApproval({ name: "tool" }, rules, other, false).decision;
          if (before === "deny") expect(decideApproval({ name: "tool" }, after, other, false).decision).toBe("deny");
        }),
        { numRuns: 2000 },
      );
    });
  });
});
