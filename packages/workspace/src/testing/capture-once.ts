/** Captures a workspace and prints what it left out and what of that changed, for a test that has to run as another user. */
import { openFiles } from "../open-files.ts";

const [root = "", store = ""] = process.argv.slice(2);
const workspace = openFiles({ root, store, watch: false });
const { uncovered, leftOutChanged } = (await workspace.capture()).receipt;
console.log(JSON.stringify({ uncovered, leftOutChanged }));
await workspace.close();
