import { arch, platform } from "node:os";
import { type GitOptions, readGitContext, readGitRefs } from "./git-context.ts";

/** Facts about the place of work for the model, by the name of their group. */
export type EnvironmentFacts = ReadonlyMap<"workspace" | "git", string>;

/**
 * The directory, the system, the date, the model and the state of git. The uncommitted changes of a repository change
 * with every step, so the model gets them only with the first request and when the branch changes; `gitText` is the text
 * about git that the conversation holds.
 */
export async function readEnvironment(
  place: { readonly root: string; readonly model: string; readonly now: number; readonly gitText: string | undefined },
  options: GitOptions,
): Promise<EnvironmentFacts> {
  const facts = new Map<"workspace" | "git", string>();
  const { root, model, now, gitText } = place;
  facts.set(
    "workspace",
    [
      `Working directory: ${oneLine(root)}`,
      `Operating system: ${platform()} (${arch()})`,
      `Date: ${localDate(now)}`,
      `Model: ${oneLine(model)}`,
    ].join("\n"),
  );
  const refs = await readGitRefs(root);
  const branch = refs ? `Branch: ${oneLine(refs.branch ?? "none, the head is detached")}` : "There is no repository.";
  if (gitText?.split("\n")[0] === branch) facts.set("git", gitText);
  else if (!refs) facts.set("git", branch);
  else {
    const seen = await readGitContext(root, options);
    const dirty = seen?.dirty ?? null;
    const changes = dirty === null ? "unknown" : dirty ? "yes" : "no";
    const commit = `Commit: ${refs.commit?.slice(0, 12) ?? "none yet"}`;
    facts.set("git", [branch, commit, `Uncommitted changes when this was written: ${changes}`].join("\n"));
  }
  return facts;
}

/** Names of branches and directories are foreign text: they must not look like further lines. */
function oneLine(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

function localDate(now: number): string {
  const date = new Date(now);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}
