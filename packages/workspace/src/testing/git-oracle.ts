import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Git's own tree of a directory. Its repository lies elsewhere, so the directory is not changed. */
export class GitOracle {
  readonly #gitDirectory = mkdtempSync(join(tmpdir(), "retake-oracle-"));
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    this.#git("init", "-q", "--object-format=sha256");
  }

  treeId(): string {
    // From an empty index each time: git continues to track files that became ignored.
    rmSync(join(this.#gitDirectory, "index"), { force: true });
    this.#git("add", "-A");
    return this.#git("write-tree").trim();
  }

  /** The ids of the directories at the top of a tree. */
  subtrees(tree: string): Map<string, string> {
    const lines = this.#git("ls-tree", "-z", tree).split("\0").filter(Boolean);
    return new Map(
      lines.map((line) => {
        const [head = "", name = ""] = line.split("\t");
        return [name, head.split(" ")[2] ?? ""];
      }),
    );
  }

  close(): void {
    rmSync(this.#gitDirectory, { recursive: true });
  }

  #git(...args: string[]): string {
    return execFileSync("git", ["--git-dir", this.#gitDirectory, "--work-tree", this.#root, ...args], {
      cwd: this.#root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: gitEnvironment,
    });
  }
}

const settings = {
  "core.autocrlf": "false",
  "core.looseCompression": "0",
  "core.excludesFile": "/dev/null",
  "core.fsync": "none",
};

/** Git without any configuration of this machine. */
export const gitEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_COUNT: String(Object.keys(settings).length),
  ...Object.fromEntries(
    Object.entries(settings).flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};
