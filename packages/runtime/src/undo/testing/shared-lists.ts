/**
 * Lists in which several threads and the user have lines, and files of each. A line begins with the name of its owner, such as
 * `t1.0`, so whose it is can be seen wherever it is, also between the markers of a conflict.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { liveTakes, tree } from "@retake/core";
import { readCapture, showPath } from "@retake/workspace";
import type { RandomNumbers } from "../../../../../testing/random-numbers.ts";
import { SharedWorkspace } from "./shared-workspace.ts";

export const USER = "user";

/** The texts of each line and file of an owner, by its path and name. */
type Owned = Readonly<Record<string, readonly string[]>>;

const LISTS = ["a.txt", "folder/b.txt"];
const PARTS = [0, 1];
/** So far apart that changes of two lines merge. */
const BETWEEN = 3;

export class SharedLists {
  readonly shared = new SharedWorkspace();
  readonly #random: RandomNumbers;
  #words = 0;

  constructor(random: RandomNumbers, owners: readonly string[]) {
    this.#random = random;
    mkdirSync(join(this.shared.root, "folder"));
    for (const list of LISTS) this.shared.write(list, firstLines(list, [...owners, USER]));
  }

  /** An instruction to an agent that changes a line or a file of its thread. */
  instruction(owner: string): string {
    const { file, line, list, word } = this.#choice(owner);
    const choice = this.#random.below(10);
    if (choice < 3) return `write ${file}: ${word}`;
    if (choice < 4 && this.shared.read(file) !== undefined) return `delete ${file}`;
    return `run sed -i 's/^${line} .*/${line} ${word}/' ${list}`;
  }

  /** The user changes a line or a file of the user. */
  edit(): string {
    const { file, line, list, word } = this.#choice(USER);
    const choice = this.#random.below(10);
    if (choice < 3) this.shared.write(file, word);
    else if (choice < 4) rmSync(join(this.shared.root, file), { force: true });
    else
      this.shared.write(list, this.shared.read(list)?.replaceAll(RegExp(`^${line} .*`, "gm"), `${line} ${word}`) ?? "");
    return choice < 4 ? file : `${line} ${word} in ${list}`;
  }

  /** The content of every file on disk. */
  disk(): Readonly<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const entry of readdirSync(this.shared.root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      found[path.slice(this.shared.root.length + 1)] = readFileSync(path, "utf8");
    }
    return found;
  }

  /** The lines and files of an owner in each take of a thread, except for one of them. */
  ownedInTakes(thread: string, owner: string, except: string): Readonly<Record<string, Owned>> {
    const { workspace } = this.shared;
    const { database, objects } = workspace.files(thread);
    const takes = workspace.store.read(thread, ({ state }) =>
      liveTakes(state).flatMap(({ id }) => (id === except ? [] : [[id, tree(state, id)] as const])),
    );
    return Object.fromEntries(
      takes.map(([take, capture]) => {
        const files = [...readCapture(database, capture).recorded()].flatMap(([path, state]) =>
          state.kind === "file" ? [[showPath(path), objects.read(state.hash, path).toString()] as const] : [],
        );
        return [take, owned(Object.fromEntries(files), owner)];
      }),
    );
  }

  #choice(owner: string) {
    this.#words += 1;
    return {
      file: `${owner}-${this.#random.pick(PARTS)}.txt`,
      line: `${owner}.${this.#random.pick(PARTS)}`,
      list: this.#random.pick(LISTS),
      word: `word${this.#words}`,
    };
  }
}

export function owned(files: Readonly<Record<string, string>>, owner: string): Owned {
  const found: Record<string, string[]> = {};
  for (const [path, content] of Object.entries(files)) {
    if (path.startsWith(`${owner}-`)) found[path] = [content];
    if (!LISTS.includes(path)) continue;
    for (const line of content.split("\n").filter((each) => each.startsWith(`${owner}.`))) {
      const [name = "", word = ""] = line.split(" ");
      found[`${path} ${name}`] = [...new Set([...(found[`${path} ${name}`] ?? []), word])].sort();
    }
  }
  return found;
}

function firstLines(list: string, owners: readonly string[]): string {
  const lines = owners.flatMap((owner) => PARTS.map((part) => `${owner}.${part} first`));
  const between = (line: number) => Array.from({ length: BETWEEN }, (_, index) => `${list} ${line} ${index}`);
  return `${lines.flatMap((line, index) => [line, ...between(index)]).join("\n")}\n`;
}
