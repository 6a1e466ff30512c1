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
    this.#git("add", "-A", "--ignore-errors");
    return this.#git("write-tree").trim();
  }

  /** For a tree whose ignore rules changed: git keeps what it added before. */
  freshTreeId(): string {
    this.#git("read-tree", "--empty");
    return this.treeId();
  }

  close(): void {
    rmSync(this.#gitDirectory, { recursive: true });
  }

  #git(...args: string[]): string {
    return execFileSync("git", ["--git-dir", this.#gitDirectory, "--work-tree", this.#root, ...args], {
      cwd: this.#root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_SYSTEM: "/dev/null",
        GIT_CONFIG_COUNT: "4",
        GIT_CONFIG_KEY_0: "core.autocrlf",
        GIT_CONFIG_VALUE_0: "false",
        GIT_CONFIG_KEY_1: "core.looseCompression",
        GIT_CONFIG_VALUE_1: "0",
        GIT_CONFIG_KEY_2: "core.excludesFile",
        GIT_CONFIG_VALUE_2: "/dev/null",
        GIT_CONFIG_KEY_3: "core.fsync",
        GIT_CONFIG_VALUE_3: "none",
      },
    });
  }
}
