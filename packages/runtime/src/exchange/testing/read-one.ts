/** A process of its own: reads a bundle to its end, and says whether it was refused and how much memory it took. */
import { readFileSync } from "node:fs";
import { BundleError } from "../bundle-error.ts";
import { readBundle, readTitle } from "../read-bundle.ts";
import { readBundle as readOldBundle } from "../version-1/read-bundle.ts";

const bytes = readFileSync(process.argv[2] ?? "");
let refused = false;
try {
  if (readTitle(bytes).version === 1) readOldBundle(bytes);
  else for (const _ of readBundle(bytes));
} catch (error) {
  if (!(error instanceof BundleError)) throw error;
  refused = true;
}
console.log(JSON.stringify({ refused, kilobytes: process.resourceUsage().maxRSS }));
