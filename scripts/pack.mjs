// `npm run pack [-- directory]`: makes retake-<version>.tgz, which `npm install -g` installs anywhere.
import { resolve } from "node:path";
import { run, setup } from "./setup.mjs";

setup();
const cwd = process.env.INIT_CWD ?? process.cwd();
const directory = resolve(cwd, process.argv[2] ?? ".");
// npm says the file's name on its own; what the build says goes beside it.
const { status } = run("npm", ["pack", "--silent", "--workspace", "retake", "--pack-destination", directory]);
process.exit(status ?? 1);
