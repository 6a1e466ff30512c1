// `npm start`: makes the repository ready and `retake` at node_modules/.bin, then runs it with the arguments after
// `--`, in the directory that npm was called in.
import { isBuilt } from "./build.mjs";
import { putLauncher, retake } from "./launcher.mjs";
import { run, setup } from "./setup.mjs";

const node = setup();
if (!isBuilt()) {
  const { status } = run(node, ["scripts/build.mjs"]);
  if (status !== 0) process.exit(status ?? 1);
}
putLauncher();
const { status } = run(retake, process.argv.slice(2), { cwd: process.env.INIT_CWD ?? process.cwd() });
process.exit(status ?? 1);
