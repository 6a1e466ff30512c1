import { resolve } from "node:path";
import {
  type FoundThread,
  foundThreadsJson,
  type SearchRequest,
  searchStore,
  type ThreadSummary,
  threadNames,
} from "@retake/runtime";
import { type Call, type Command, countFrom, wrongUsage } from "../command.ts";
import { ago, type Output, plural } from "../output.ts";
import { timeOf } from "../time-of.ts";

export const command: Command = {
  name: "search",
  summary: "Find discussions by what was said in them, their title, tags, role, branch, commit, directory or date",
  usage:
    "<words> [--title t] [--tag t] [--role r] [--branch b] [--commit c] [--dir d] [--since date] [--until date] [--limit N]",
  options: {
    title: { type: "string" },
    tag: { type: "string" },
    role: { type: "string" },
    branch: { type: "string" },
    commit: { type: "string" },
    dir: { type: "string" },
    since: { type: "string" },
    until: { type: "string" },
    limit: { type: "string" },
  },
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
      if (shown.length === 0) return ["Nothing was found in any discussion."];
      const nameOf = threadNames(workspace, workspace.currentThread()?.id);
      const more = total - shown.length;
      return [
        ...shown.flatMap((each) => lines(output, each, nameOf, workspace.root)),
        output.style(
          "dim",
          `  ${more > 0 ? `${more} more; a larger --limit shows them · ` : ""}retake switch <thread>`,
        ),
      ];
    });
  },
};

function requestOf({ args, options }: Call): SearchRequest {
  const words = args.join(" ");
  if (words.trim() !== "" && !/[\p{L}\p{N}]/u.test(words))
    throw wrongUsage(`There is no letter or digit in '${words}' to search for.`);
  const { title, tag, role, branch, commit, dir, since, until } = options as Record<string, string | undefined>;
  const request: SearchRequest = {
    ...(words.trim() === "" ? {} : { words }),
    ...(title === undefined ? {} : { title }),
    ...(tag === undefined ? {} : { tag }),
    ...(role === undefined ? {} : { role }),
    ...(branch === undefined ? {} : { branch }),
    ...(commit === undefined ? {} : { commit }),
    ...(dir === undefined ? {} : { directory: resolve(dir) }),
    ...(since === undefined ? {} : { since: timeOf(since, "start") }),
    ...(until === undefined ? {} : { until: timeOf(until, "end") }),
  };
  if (Object.keys(request).length === 0) throw wrongUsage("Say what to search for: retake search <words>");
  return request;
}

function lines(output: Output, found: FoundThread, nameOf: (thread: ThreadSummary) => string, here: string): string[] {
  const { title, updated_at, workspace_root, private: kept } = found.thread;
  const name = nameOf(found.thread);
  const where = workspace_root === here ? [] : [workspace_root];
  const about = [...(name === title ? [] : [name]), ago(updated_at), ...(kept ? ["private"] : []), ...where].join(
    " · ",
  );
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
