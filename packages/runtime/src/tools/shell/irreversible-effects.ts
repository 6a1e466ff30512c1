import { effectsByArguments } from "./effects-by-arguments.ts";
import type { Program } from "./list-programs.ts";
import { isDryRun, ProgramArguments } from "./program-arguments.ts";

/**
 * The effect of a program that no undo takes back, in words; undefined if none is known (X8). `examine-command` reports
 * the paths outside the workspace.
 *
 * A table of what people use. It names the usual ways to do harm, and cannot name all.
 */
export function irreversibleEffect({ name, arguments: words }: Program): string | undefined {
  const always = Object.hasOwn(outright, name) ? outright[name] : undefined;
  if (always !== undefined) return `${name}: ${always}`;
  const table = Object.hasOwn(verbTables, name) ? verbTables[name] : undefined;
  const given = new ProgramArguments(
    words.map(({ text }) => text),
    table?.takes,
  );
  if (isDryRun(given)) return undefined;
  const verb = table?.verbs.find((each) => given.begins(each));
  if (verb !== undefined) return `${name} ${verb}${table?.because ? `: ${table.because}` : ""}`;
  const byArguments = Object.hasOwn(effectsByArguments, name) ? effectsByArguments[name] : undefined;
  return byArguments?.(given);
}

/** Programs whose use says enough. */
const outright: Readonly<Record<string, string>> = {
  sudo: "acts with another user's rights",
  doas: "acts with another user's rights",
  su: "acts with another user's rights",
  ssh: "acts on another machine",
  sftp: "acts on another machine",
  telnet: "talks to another machine",
  nc: "talks to another machine",
  ncat: "talks to another machine",
  mail: "sends mail",
  mailx: "sends mail",
  mutt: "sends mail",
  sendmail: "sends mail",
  msmtp: "sends mail",
  shutdown: "ends the system",
  reboot: "ends the system",
  pkill: "ends processes",
  killall: "ends processes",
  mkfs: "erases a disk",
  umount: "changes mounts",
  "ansible-playbook": "acts on other machines",
  dropdb: "deletes a database",
  psql: "may change a database",
  mysql: "may change a database",
  mongosh: "may change a database",
  "redis-cli": "may change a database",
};

interface Verbs {
  /** Options in front of the verb that take a value. */
  readonly takes?: readonly string[];
  readonly verbs: readonly string[];
  readonly because?: string;
}

const packagesOfSystem: Verbs = {
  verbs: ["install", "add", "remove", "purge", "uninstall", "upgrade", "dist-upgrade", "update", "autoremove", "del"],
  because: "changes the system's packages",
};

const npmVerbs: Verbs = {
  takes: ["--prefix", "-w", "--workspace", "--registry", "-C", "--dir", "--filter", "--cwd", "--tag", "--otp"],
  verbs: ["publish", "unpublish", "deprecate", "dist-tag add", "dist-tag rm", "owner add", "owner rm", "npm publish"],
};

const containers: Verbs = {
  takes: ["--context", "-H", "--host", "-c", "--config", "-l", "--log-level"],
  verbs: ["push", "image push", "manifest push", "compose push", "login", "system prune", "volume rm", "volume prune"],
};

const forges: Verbs = {
  takes: ["-R", "--repo"],
  verbs: ["pr", "mr", "issue", "release", "repo", "gist", "secret", "variable", "workflow", "run", "label"].flatMap(
    (thing) =>
      ["create", "merge", "close", "reopen", "comment", "note", "edit", "delete", "review", "upload", "set", "run"]
        .concat(["rerun", "cancel", "fork", "rename", "archive", "sync", "transfer", "enable", "disable", "update"])
        .map((verb) => `${thing} ${verb}`),
  ),
};

const verbTables: Readonly<Record<string, Verbs>> = {
  git: {
    takes: ["-C", "-c", "--git-dir", "--work-tree", "--namespace"],
    verbs: ["push", "send-email", "svn dcommit", "lfs push"],
  },
  npm: npmVerbs,
  pnpm: npmVerbs,
  yarn: npmVerbs,
  bun: npmVerbs,
  twine: { verbs: ["upload", "register"] },
  systemctl: {
    verbs: ["start", "stop", "restart", "reload", "enable", "disable", "mask", "unmask", "kill", "edit"],
    because: "changes system services",
  },
  lerna: { verbs: ["publish"] },
  cargo: { takes: ["--manifest-path", "-p"], verbs: ["publish", "yank", "owner", "login"] },
  poetry: { verbs: ["publish"] },
  uv: { verbs: ["publish"] },
  hatch: { verbs: ["publish"] },
  flit: { verbs: ["publish"] },
  gem: { verbs: ["push", "yank", "install", "uninstall"] },
  mvn: { verbs: ["deploy", "release:perform"] },
  dotnet: { verbs: ["nuget push"] },
  docker: containers,
  podman: containers,
  gh: forges,
  glab: forges,
  kubectl: {
    takes: ["-n", "--namespace", "--context", "--kubeconfig", "-f", "-l"],
    verbs: ["apply", "create", "delete", "edit", "patch", "replace", "scale", "autoscale", "set", "label", "annotate"]
      .concat(["expose", "run", "exec", "cp", "drain", "cordon", "uncordon", "taint"])
      .concat(["rollout restart", "rollout undo", "rollout pause", "rollout resume"]),
    because: "changes a cluster",
  },
  helm: {
    takes: ["-n", "--namespace", "--kube-context"],
    verbs: ["install", "upgrade", "uninstall", "delete", "rollback", "push"],
    because: "changes a cluster",
  },
  terraform: { verbs: ["apply", "destroy", "import", "state rm", "state mv"], because: "changes what is deployed" },
  tofu: { verbs: ["apply", "destroy", "import", "state rm", "state mv"], because: "changes what is deployed" },
  pulumi: { verbs: ["up", "destroy", "import"], because: "changes what is deployed" },
  vercel: { verbs: ["deploy", "remove", "rm", "promote", "rollback"] },
  netlify: { verbs: ["deploy"] },
  fly: { verbs: ["deploy", "destroy", "launch"] },
  flyctl: { verbs: ["deploy", "destroy", "launch"] },
  firebase: { verbs: ["deploy"] },
  wrangler: { verbs: ["deploy", "publish", "delete"] },
  apt: packagesOfSystem,
  "apt-get": packagesOfSystem,
  dnf: packagesOfSystem,
  yum: packagesOfSystem,
  apk: packagesOfSystem,
  brew: packagesOfSystem,
  snap: packagesOfSystem,
  aws: { takes: ["--profile", "--region", "--output", "--query", "--endpoint-url"], verbs: [] },
  pipx: { verbs: ["install", "uninstall", "upgrade"], because: "installs for the user" },
  go: { verbs: ["install"], because: "installs for the user" },
};
