import { userInfo } from "node:os";
import { isAbsolute } from "node:path";

/**
 * The user's home: `HOME`, else the one that the system has registered. A variable that is empty or relative names none.
 * A user that a container was started with may have neither.
 */
export function homeDirectory(): string | undefined {
  const { HOME } = process.env;
  return HOME !== undefined && isAbsolute(HOME) ? HOME : registeredHome();
}

/** The home that the system has registered for the user, whatever the environment says. */
export function registeredHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
