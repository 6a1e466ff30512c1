import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { surroundingsOf } from "./surroundings.ts";

const BASE = { HOME: "/home/me", PATH: "/bin", OPENAI_API_KEY: "sk-1" };
const of = (more: Record<string, string | undefined>, token = "token") => surroundingsOf({ ...BASE, ...more }, token);

describe("what a turn takes from its surroundings", () => {
  test("is the same in another window of the same user, in whatever order the variables stand", () => {
    const window = {
      TERM: "xterm",
      COLUMNS: "80",
      SHLVL: "3",
      PWD: "/x",
      TMUX_PANE: "%1",
      SSH_TTY: "/dev/pts/4",
      _: "x",
    };
    expect(of(window)).toBe(of({}));
    expect(surroundingsOf(Object.fromEntries(Object.entries(BASE).reverse()), "token")).toBe(of({}));
  });

  test("is the same under npm start", () => {
    const npm = "/repository/node_modules/.bin:/node_modules/.bin:/usr/lib/npm/lib/node-gyp-bin";
    const set = { npm_lifecycle_event: "start", NODE: "/bin/node", EDITOR: "vi", INIT_CWD: "/x", COLOR: "1" };
    expect(of({ ...set, PATH: `${npm}:${BASE.PATH}` })).toBe(of({}));
  });

  test("is another where a key, an address, a model or what the shell sees is another", () => {
    const others: Record<string, string | undefined>[] = [
      { OPENAI_API_KEY: "sk-2" },
      { OPENAI_API_KEY: undefined },
      { OPENAI_BASE_URL: "http://localhost" },
      { RETAKE_MODEL: "scripted/default" },
      { PATH: "/usr/bin:/bin" },
      { SSH_AUTH_SOCK: "/tmp/agent" },
      { TERMINFO: "/x" },
    ];
    expect(new Set([of({}), ...others.map((each) => of(each))]).size).toBe(others.length + 1);
  });

  test("is that of the script that is played, however its path is written, and says nothing without the token", () => {
    expect(of({ RETAKE_SCRIPT: "script.json" })).toBe(of({ RETAKE_SCRIPT: join(process.cwd(), "script.json") }));
    expect(of({ RETAKE_SCRIPT: "script.json" })).not.toBe(of({ RETAKE_SCRIPT: "/script.json" }));
    expect(of({}, "token")).not.toBe(of({}, "another"));
    expect(of({})).toMatch(/^[0-9a-f]{64}$/);
  });
});
