import { fileURLToPath } from "node:url";

/** The program of the built package, which is what users run. `npm test` builds it before the first test. */
export const MAIN = fileURLToPath(new URL("../packages/cli/bin/retake.cjs", import.meta.url));
