import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What git says a directory's tree is. Its repository lies elsewhere, so the directory stays as it is. */
export class GitOracle {
  readonly #gitDirectory = mkdtempSync(join(tmpdir(), "retake-oracle-"));
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    this.#git("init", "-q", "--object-format=sha256");
  }

  treeId(): string {
    // From nothing each time: git goes on tracking what became ignored.
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

/** Git with nothing of this machine's configuration. */
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
