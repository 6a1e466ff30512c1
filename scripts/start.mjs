// `npm start`: makes the repository ready, then runs `retake` with the arguments after `--`.
import { run, setup } from "./setup.mjs";

const node = setup();
const { status } = run(node, ["packages/cli/src/main.ts", ...process.argv.slice(2)]);
process.exit(status ?? 1);
