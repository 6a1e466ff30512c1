/** Captures a workspace and prints what it left out: for a test that has to run as another user. */
import { openWorkspace } from "../open-workspace.ts";

const [root = "", store = ""] = process.argv.slice(2);
const workspace = openWorkspace({ root, store, watch: false });
console.log(JSON.stringify((await workspace.capture()).receipt.uncovered));
await workspace.close();
