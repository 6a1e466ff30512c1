/** The built command without a terminal: the calls that it runs, asks about and denies, and its messages about them. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findConfinement } from "../packages/runtime/src/tools/confine/find-confinement.ts";
import { MAIN } from "../testing/main.ts";
import { RetakePlace } from "./testing/retake-place.ts";

let place: RetakePlace;
beforeEach(() => {
  place = new RetakePlace();
});
afterEach(() => place.remove());

function retake(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const env = { ...place.environment, ...more };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    ...{ cwd: place.root, encoding: "utf8", env, input: "" },
  });
  // Words may be anywhere in a line that is wrapped.
  return { status, said: `${stdout}${stderr}`.replaceAll(/\s+/g, " ") };
}

const NONE = { RETAKE_CONFINEMENT: "none" };
const has = (name: string) => existsSync(join(place.root, name));

describe("[X13] [F8] where commands cannot be confined", () => {
  test("[F62] [F67] --yes denies them, says why and that nobody was asked, and exits with 5", () => {
    const { status, said } = retake(["run", "--yes", "run touch made"], NONE);
    expect({ status, made: has("made") }).toEqual({ status: 5, made: false });
    expect(said).toContain("not confined: RETAKE_CONFINEMENT=none");
    expect(said).toContain("none was to be asked");
    expect(said).not.toMatch(/(use|with|give) --yes/);
    expect(said).not.toContain("Denied by the user");
  });

  test("[F62] [F67] without a terminal a question is a denial that says so", () => {
    const { status, said } = retake(["run", "run touch made"], NONE);
    expect({ status, made: has("made") }).toEqual({ status: 5, made: false });
    expect(said).toContain("there is no terminal to ask at");
    expect(said).not.toContain("Denied by the user");
  });

  test("--approve all runs them, and the receipt names that they were not confined", () => {
    const { status, said } = retake(["run", "--approve", "all", "run touch made"], NONE);
    expect({ status, made: has("made") }).toEqual({ status: 0, made: true });
    expect(said).toContain("RETAKE_CONFINEMENT=none");
  });

  test("status and approvals say so, with the reason", () => {
    for (const command of ["status", "approvals"])
      expect(retake([command], NONE).said).toContain("not confined: RETAKE_CONFINEMENT=none");
  });
});

describe.runIf((await findConfinement(process.env)).kind !== "none")("[X13] [F8] where commands are confined", () => {
  test("--yes runs them, and denies what no undo takes back, with the reason", () => {
    expect(retake(["run", "--yes", "run touch made"]).status).toBe(0);
    expect(has("made")).toBe(true);
    const { status, said } = retake(["run", "--yes", "run touch second; git push"]);
    expect({ status, second: has("second") }).toEqual({ status: 5, second: false });
    expect(said).toContain("git push");
    expect(said).not.toContain("Denied by the user");
  });

  test("[F62] the denial of one of several calls is shown below that call", () => {
    const prompt = "write a.txt: one\nrun git push\nwrite c.txt: three";
    const { status, said } = retake(["run", "--yes", prompt]);
    expect(status).toBe(5);
    expect(said).toMatch(/● bash git push denied Denied: only what can be undone/);
    expect(said.match(/● \w+/g)?.sort()).toEqual(["● bash", "● write", "● write"]);
  });

  test("status and approvals say how", () => {
    for (const command of ["status", "approvals"]) expect(retake([command]).said).toMatch(/confined by \w+/);
  });

  test("a rule that denies is named as the one that denied", () => {
    retake(["approvals", "add", "deny", "bash", "touch*"]);
    const { status, said } = retake(["run", "--approve", "all", "run touch made"]);
    expect({ status, made: has("made") }).toEqual({ status: 5, made: false });
    expect(said).toContain("a rule of the user denies bash touch*");
  });
});

test("[F11] commands get no secret of the environment, unless the setting names it", () => {
  const secrets = { AWS_SECRET_ACCESS_KEY: "aaa1", DATABASE_URL: "bbb2", SSH_AUTH_SOCK: "ccc3", NPM_TOKEN: "ddd4" };
  const run = () => retake(["run", "--approve", "all", "run env"], secrets).said;
  expect(run()).not.toMatch(/aaa1|bbb2|ccc3|ddd4/);
  mkdirSync(join(place.home, "config"), { recursive: true });
  writeFileSync(join(place.home, "config", "config.toml"), '[tools]\nenvironment = ["NPM_TOKEN"]\n');
  expect(run()).toMatch(/NPM_TOKEN=ddd4/);
  expect(run()).not.toMatch(/aaa1|bbb2|ccc3/);
});
