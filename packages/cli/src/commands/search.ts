import type { Routes } from "@retake/client/routes";
import type { ActionAnswer, ActionInput } from "@retake/runtime/actions";
import { action as searchThreads } from "@retake/runtime/actions/search-threads";
import { act } from "../act.ts";
import { type Call, type Command, countFrom, wrongUsage } from "../command.ts";
import { type Output, plural } from "../output.ts";
import { timeOf } from "../time-of.ts";
import { pathIn } from "../world.ts";

export const command: Command = {
  name: "search",
  group: "threads",
  summary: "Find threads by their words, title, tags, role, branch, commit, directory or date",
  usage: "[words]",
  options: {
    title: { type: "string", value: "words", about: "words of the title" },
    tag: { type: "string", value: "tag", about: "a tag of the thread" },
    role: { type: "string", value: "role", names: "role", about: "who said it" },
    branch: { type: "string", value: "branch", about: "the git branch it was on" },
    commit: { type: "string", value: "commit", about: "a git commit it saw, or the beginning of one" },
    dir: { type: "string", value: "directory", about: "the workspace it belongs to" },
    since: {
      type: "string",
      value: "date",
      about: "changed at or after: 2026-01-31, 2026-01-31T18:00, or 12h, 3d, 2w ago",
    },
    until: { type: "string", value: "date", about: "changed at or before" },
    limit: { type: "string", value: "N", about: "how many are shown at most" },
  },
  examples: [
    ["retake search idea", "what was said"],
    ["retake search idea --role User --since 7d", "in prompts of the last week"],
  ],
  async run(call) {
    const { workspace, output } = call;
    const query = queryOf(call);
    const answer = await act(call, searchThreads, { params: {}, query });
    output.say(answer, () => {
      const { threads, total } = answer;
      if (threads.length === 0) return [nothing(query.words)];
      const more = total - threads.length;
      return [
        ...threads.flatMap((each) => lines(output, each, workspace.root)),
        output.hint(`${more > 0 ? `${more} more; a larger --limit shows them · ` : ""}retake switch <thread>`),
      ];
    });
  },
};

type Query = ActionInput<Routes["searchThreads"]>["query"];
type Found = ActionAnswer<"searchThreads">["threads"][number];

function nothing(words = "a"): string {
  if (/[\p{L}\p{N}]/u.test(words)) return "Nothing was found in any thread.";
  return `Nothing was found: search looks for words, and there is no letter or digit in '${words}'.`;
}

function queryOf({ args, options, world }: Call): Query {
  const words = args.join(" ");
  const { title, tag, role, branch, commit, dir, since, until, limit } = options as Record<string, string | undefined>;
  const time = (text: string, side: "start" | "end") => new Date(timeOf(text, side, world.now())).toISOString();
  const query: Query = {
    words: words.trim() === "" ? undefined : words,
    title,
    tag,
    role,
    branch,
    commit,
    directory: dir === undefined ? undefined : pathIn(world, dir),
    since: since === undefined ? undefined : time(since, "start"),
    until: until === undefined ? undefined : time(until, "end"),
  };
  if (Object.values(query).every((each) => each === undefined))
    throw wrongUsage("Say what to search for: retake search <words>");
  return { ...query, limit: limit === undefined ? undefined : countFrom(limit, 1) };
}

function lines(output: Output, found: Found, here: string): string[] {
  const { name, title, updated_at, workspace_root, private: isPrivate, matches, match_count, more_matches } = found;
  const about = [
    ...(name === title ? [] : [name]),
    output.ago(Date.parse(updated_at)),
    ...(isPrivate ? ["private"] : []),
    ...(workspace_root === here ? [] : [workspace_root]),
  ].join(" · ");
  const shown = matches.slice(0, 3);
  const more = match_count - shown.length;
  const atLeast = more_matches ? "at least " : "";
  return [
    `${output.style("bold", title)}  ${output.style("dim", about)}`,
    ...shown.map(({ role, snippet, highlights }) => `    ${role}: ${marked(output, snippet, highlights)}`),
    ...(more > 0 ? [output.style("dim", `    ${atLeast}${plural(more, "more entry", "more entries")}`)] : []),
  ];
}

function marked(output: Output, snippet: string, highlights: Found["matches"][number]["highlights"]): string {
  let text = "";
  let at = 0;
  for (const { start, end } of highlights) {
    if (start < at) continue;
    text += snippet.slice(at, start) + output.style("yellow", snippet.slice(start, end));
    at = end;
  }
  return text + snippet.slice(at);
}
