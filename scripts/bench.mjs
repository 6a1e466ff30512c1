// `npm run bench [name …]`: each file of bench/ measures Retake beside an alternative in one run.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root, run, setup } from "./setup.mjs";

const node = setup();
const wanted = process.argv.slice(2);
const files = readdirSync(join(root, "bench")).filter((name) => name.endsWith(".bench.ts"));
let status = 0;
for (const file of files.sort()) {
  if (wanted.length > 0 && !wanted.some((word) => file.startsWith(word))) continue;
  const result = run(node, ["--expose-gc", join("bench", file)]);
  if (result.status !== 0) status = result.status ?? 1;
}
process.exit(status);
