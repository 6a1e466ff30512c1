import { createHmac } from "node:crypto";
import { delimiter, resolve } from "node:path";

/**
 * The surroundings that a process gives to a turn, as one value: two processes with the same value run a turn alike.
 * They include the mode of new files and the whole environment, because the agent's shell commands see it and models
 * are found by it (keys, addresses, `RETAKE_MODEL`), except for the variables that every terminal sets for itself.
 *
 * Keyed with the token, which only this user can read: a key in the environment cannot be guessed from it.
 */
export function surroundingsOf(environment: Readonly<Record<string, string | undefined>>, token: string): string {
  const seen = Object.entries(environment)
    .filter(([name, value]) => value !== undefined && !OF_A_TERMINAL.test(name))
    .map(([name, value = ""]) => [name, resolveVariable(name, value)])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return createHmac("sha256", token)
    .update(JSON.stringify([process.umask(), seen]))
    .digest("hex");
}

function resolveVariable(name: string, value: string): string {
  if (name === "RETAKE_SCRIPT" && value !== "") return resolve(value);
  if (name === "PATH")
    return value
      .split(delimiter)
      .filter((each) => !OF_NPM.test(each))
      .join(delimiter);
  return value;
}

/** Directories that `npm start` puts in front of a path. */
const OF_NPM = /[\\/](node_modules[\\/]\.bin|node_modules[\\/]node[\\/]bin|node-gyp-bin)$/;

/** Variables that differ between terminal windows, or are npm's, and do not change the effect of a command. */
const OF_A_TERMINAL = new RegExp(
  `^(${[
    ...["_", "PWD", "OLDPWD", "INIT_CWD", "SHLVL", "COLUMNS", "LINES", "TERM", "COLORTERM", "GPG_TTY"],
    ...["SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "XDG_SESSION_ID", "XDG_VTNR", "WINDOW", "WINDOWID", "STY", "TMUX"],
    ...["TERM_.*", "TMUX_.*", "VTE_VERSION", "GNOME_TERMINAL_.*", "KONSOLE_.*", "KITTY_.*", "ALACRITTY_.*"],
    ...["WEZTERM_.*", "ITERM_.*", "WT_.*", "VSCODE_.*", "npm_.*", "NODE", "COLOR", "EDITOR"],
  ].join("|")})$`,
);
