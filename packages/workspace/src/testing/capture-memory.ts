/** A process of its own: captures a workspace for the first time, and says how much memory it has then. */
import { openFiles } from "../open-files.ts";

const [root = "", store = ""] = process.argv.slice(2);
const files = openFiles({ root, store });
await files.capture();
console.log(process.memoryUsage.rss());
await files.close();
