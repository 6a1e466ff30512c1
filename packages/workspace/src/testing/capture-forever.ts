/** A process for tests to kill: changes files, captures them, and prints each capture once it is committed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFiles } from "../open-files.ts";
import { randomFrom } from "./random-tree.ts";

const [root = "", store = "", seed = "0"] = process.argv.slice(2);
const random = randomFrom(Number(seed));
const workspace = openFiles({ root, store, caches: [], watch: false });
for (let turn = 0; ; turn += 1) {
  // Every fourth round writes enough to go directly to a pack.
  const files = turn % 4 === 0 ? 1_500 : 5;
  for (let file = 0; file < files; file += 1) {
    const directory = join(root, `d${file % 40}`);
    mkdirSync(directory, { recursive: true });
    const content = Array.from({ length: 40 }, () => `${turn} ${random()}`).join("\n");
    writeFileSync(join(directory, `f${file}`), content);
  }
  const { id } = await workspace.capture();
  console.log(`${id} ${await workspace.treeId(id)}`);
}
