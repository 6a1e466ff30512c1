import {
  type FoundThread,
  foundThreadsJson,
  type SearchRequest,
  searchStore,
  type ThreadSummary,
  threadNames,
} from "@retake/runtime";
import { type Call, type Command, countFrom, wrongUsage } from "../command.ts";
import { type Output, plural } from "../output.ts";
import { timeOf } from "../time-of.ts";
import { pathIn } from "../world.ts";

export const command: Command = {
  name: "search",
  group: "threads",
  summary: "Find threads by what was said in them, their title, tags, role, branch, commit, directory or date",
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
    const request = requestOf(call);
    const limit = call.options["limit"];
    const { threads: shown, total } = await searchStore(
      workspace.store,
      request,
      typeof limit === "string" ? countFrom(limit, 1) : undefined,
    );
    output.say({ threads: foundThreadsJson(shown, workspace.currentThread()?.id) }, () => {
      if (shown.length === 0) return [nothing(request)];
      const nameOf = threadNames(workspace, workspace.currentThread()?.id);
      const more = total - shown.length;
      return [
        ...shown.flatMap((each) => lines(output, each, nameOf, workspace.root)),
        output.hint(`${more > 0 ? `${more} more; a larger --limit shows them · ` : ""}retake switch <thread>`),
      ];
    });
  },
};

function nothing({ words = "a" }: SearchRequest): string {
  if (/[\p{L}\p{N}]/u.test(words)) return "Nothing was found in any thread.";
  return `Nothing was found: search looks for words, and there is no letter or digit in '${words}'.`;
}

function requestOf({ args, options, world }: Call): SearchRequest {
  const words = args.join(" ");
  const { title, tag, role, branch, commit, dir, since, until } = options as Record<string, string | undefined>;
  const request: SearchRequest = {
    ...(words.trim() === "" ? {} : { words }),
    ...(title === undefined ? {} : { title }),
    ...(tag === undefined ? {} : { tag }),
    ...(role === undefined ? {} : { role }),
    ...(branch === undefined ? {} : { branch }),
    ...(commit === undefined ? {} : { commit }),
    ...(dir === undefined ? {} : { directory: pathIn(world, dir) }),
    ...(since === undefined ? {} : { since: timeOf(since, "start", world.now()) }),
    ...(until === undefined ? {} : { until: timeOf(until, "end", world.now()) }),
  };
  if (Object.keys(request).length === 0) throw wrongUsage("Say what to search for: retake search <words>");
  return request;
}

function lines(output: Output, found: FoundThread, nameOf: (thread: ThreadSummary) => string, here: string): string[] {
  const { title, updated_at, workspace_root, private: kept } = found.thread;
  const name = nameOf(found.thread);
  const where = workspace_root === here ? [] : [workspace_root];
  const about = [
    ...(name === title ? [] : [name]),
    output.ago(updated_at),
    ...(kept ? ["private"] : []),
    ...where,
  ].join(" · ");
  const shown = found.matches.slice(0, 3);
  const more = found.matchCount - shown.length;
  const atLeast = found.moreMatches ? "at least " : "";
  return [
    `${output.style("bold", title)}  ${output.style("dim", about)}`,
    ...shown.map(({ role, snippet, highlights }) => `    ${role}: ${marked(output, snippet, highlights)}`),
    ...(more > 0 ? [output.style("dim", `    ${atLeast}${plural(more, "more entry", "more entries")}`)] : []),
  ];
}

function marked(output: Output, snippet: string, highlights: FoundThread["matches"][number]["highlights"]): string {
  let text = "";
  let at = 0;
  for (const { start, end } of highlights) {
    if (start < at) continue;
    text += snippet.slice(at, start) + output.style("yellow", snippet.slice(start, end));
    at = end;
  }
  return text + snippet.slice(at);
}
