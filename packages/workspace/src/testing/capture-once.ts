/** Captures a workspace and prints what it left out, for a test that has to run as another user. */
import { openFiles } from "../open-files.ts";

const [root = "", store = ""] = process.argv.slice(2);
const workspace = openFiles({ root, store, watch: false });
console.log(JSON.stringify((await workspace.capture()).receipt.uncovered));
await workspace.close();
