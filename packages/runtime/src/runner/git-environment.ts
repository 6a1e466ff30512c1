import type { Environment } from "../store/directories.ts";

/** Without `GIT_DIR` and similar variables, which would select another repository. */
export function gitEnvironment(ours: Environment): NodeJS.ProcessEnv {
  const inherited = Object.entries(ours).filter(([name]) => !/^GIT_(?!CONFIG|EXEC_PATH)/.test(name));
  return { ...Object.fromEntries(inherited), GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}
