import type { ProgramArguments } from "./program-arguments.ts";

/** Programs that need a closer look at their arguments before one can say whether undo covers them. */
export const effectsByArguments: Readonly<Record<string, EffectOf>> = {
  git: gitEffect,
  npm: installsGlobally("npm"),
  pnpm: installsGlobally("pnpm"),
  yarn: (given) =>
    given.begins("global add") || given.begins("global remove") ? "yarn global: installs for the user" : undefined,
  bun: installsGlobally("bun"),
  cargo: (given) =>
    given.begins("install") && !given.has("--root") ? "cargo install: installs for the user" : undefined,
  pip: pipEffect,
  pip3: pipEffect,
  docker: (given) => (given.has("--push") && given.operands[0] === "buildx" ? "docker buildx --push" : undefined),
  gh: apiEffect("gh"),
  glab: apiEffect("glab"),
  aws: awsEffect,
  gcloud: cloudEffect("gcloud"),
  gsutil: (given) =>
    /^(?:ls|cat|stat|du|help|version)$/.test(given.operands[0] ?? "ls") ? undefined : "gsutil: changes stored objects",
  az: cloudEffect("az"),
  curl: curlEffect,
  wget: (given) =>
    writingMethod("wget", given.value("--method")) ??
    (given.has("--post-data", "--post-file", "--body-data", "--body-file") ? "wget: sends data" : undefined),
  http: httpieEffect,
  https: httpieEffect,
  scp: sendsTo("scp"),
  rsync: (given) => (given.has("-n") ? undefined : sendsTo("rsync")(given)),
  kill: (given) => (given.operands.length > 0 && !given.words.includes("-0") ? "kill: ends processes" : undefined),
  crontab: (given) => (given.has("-l") ? undefined : "crontab: changes scheduled jobs"),
  mount: (given) => (given.operands.length > 0 ? "mount: changes mounts" : undefined),
  service: (given) => (given.operands[1] === "status" ? undefined : "service: changes system services"),
  pacman: (given) =>
    given.words.some((word) => /^-[SRU]/.test(word)) ? "pacman: changes the system's packages" : undefined,
};

type EffectOf = (given: ProgramArguments) => string | undefined;

const HISTORY_VERBS =
  /^(?:commit|merge|rebase|reset|revert|cherry-pick|am|tag|branch|stash|checkout|switch|pull|fetch|gc|prune|update-ref|filter-branch|remote|config|worktree|submodule)$/;

/** Changes of the repository itself are the user's own: undo puts files back and leaves `.git` alone. */
function gitEffect(given: ProgramArguments): string | undefined {
  const [verb = "", ...rest] = given.operands;
  if (verb === "config" && given.has("--global", "--system"))
    return "git config: changes settings outside the workspace";
  if (!HISTORY_VERBS.test(verb)) return undefined;
  const onlyLists =
    /^(?:branch|tag|remote|config|worktree|submodule|stash)$/.test(verb) && isListing(verb, rest, given);
  return onlyLists ? undefined : `git ${verb}: changes the repository, which undo leaves alone`;
}

function isListing(verb: string, rest: readonly string[], given: ProgramArguments): boolean {
  if (verb === "stash" || verb === "worktree") return rest[0] === "list" || rest[0] === "show";
  if (verb === "submodule") return rest[0] === undefined || rest[0] === "status";
  if (verb === "remote") return rest[0] === undefined || rest[0] === "show" || rest[0] === "get-url";
  if (verb === "config") return given.has("--get", "--list", "-l", "--get-all", "--get-regexp") || rest.length < 2;
  return rest.length === 0 || given.has("--list", "-l", "--contains", "--merged", "--show-current", "--points-at");
}

function installsGlobally(name: string): EffectOf {
  return (given) => {
    const installs = /^(?:i|in|install|add|ci|link|un|uninstall|remove|rm|update|up)$/.test(given.operands[0] ?? "");
    const global = given.has("-g", "--global") || given.value("--location") === "global";
    return installs && global
      ? `${name} ${given.operands[0]} --global: changes packages outside the workspace`
      : undefined;
  };
}

function pipEffect(given: ProgramArguments): string | undefined {
  const [verb] = given.operands;
  if (verb !== "install" && verb !== "uninstall") return undefined;
  if (given.has("--target", "-t", "--prefix", "--root")) return undefined;
  return `pip ${verb}: changes packages outside the workspace, unless a virtual environment in it is active`;
}

function apiEffect(name: string): EffectOf {
  return (given) => {
    if (given.operands[0] !== "api") return undefined;
    const method = given.value("-X", "--method");
    if (method !== undefined) return writingMethod(`${name} api`, method);
    return given.has("-f", "-F", "--field", "--raw-field", "--input") ? `${name} api: sends data` : undefined;
  };
}

function awsEffect(given: ProgramArguments): string | undefined {
  const [service = "", action = ""] = given.operands;
  if (action === "") return undefined;
  const copies = service === "s3" && (action === "cp" || action === "sync");
  if (copies && !(given.operands.at(-1) ?? "").startsWith("s3://")) return undefined;
  const reads =
    /^(?:describe|get|list|head|batch-get|search|lookup|wait|help|filter|scan|query|tail|validate|ls|presign)/;
  return reads.test(action) ? undefined : `aws ${service} ${action}: changes what is in the cloud`;
}

function cloudEffect(name: string): EffectOf {
  const writes =
    /^(?:create|delete|update|deploy|set|add|remove|start|stop|restart|apply|submit|publish|import|reset|patch|grant|revoke|enable|disable|up|ssh|scp|login|purge|upload)(?:-|$)/;
  return (given) => {
    const verb = given.operands.find((word) => writes.test(word));
    return verb === undefined ? undefined : `${name} ${verb}: changes what is in the cloud`;
  };
}

function curlEffect(given: ProgramArguments): string | undefined {
  const method = given.value("-X", "--request");
  if (method !== undefined) return writingMethod("curl", method);
  const data = ["--data", "--data-raw", "--data-binary", "--data-urlencode", "--data-ascii", "--json", "--form"];
  if (given.has("-G", "--get") && !given.has("--form", "--upload-file")) return undefined;
  const sends =
    given.has(...data, "--form-string", "--upload-file") || given.words.some((word) => /^-[a-zA-Z]*[dFT]/.test(word));
  return sends ? "curl: sends data" : undefined;
}

function httpieEffect(given: ProgramArguments): string | undefined {
  const [first = ""] = given.operands;
  if (/^[A-Z]+$/.test(first)) return writingMethod("http", first);
  return given.operands.slice(1).some((word) => /^[^=:]+:?=[^=]/.test(word)) ? "http: sends data" : undefined;
}

function writingMethod(name: string, method: string | undefined): string | undefined {
  if (method === undefined || /^(?:GET|HEAD|OPTIONS|TRACE)$/i.test(method)) return undefined;
  return `${name} ${method.toUpperCase()}: sends data`;
}

function sendsTo(name: string): EffectOf {
  return (given) => {
    const target = given.operands.at(-1) ?? "";
    return /^[^/]+:|^rsync:/.test(target) ? `${name}: writes to another machine (${target.split(":")[0]})` : undefined;
  };
}
