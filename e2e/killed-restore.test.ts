import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { straceWorks } from "../packages/workspace/src/testing/strace.ts";
import { MAIN } from "../testing/main.ts";
import { ServedPlace } from "./testing/served-place.ts";

const works = straceWorks();
if (!works) console.warn("SKIPPED: a kill inside a restore needs strace, which is not here or may not trace.");

const NAMES = ["f1.txt", "f2.txt", "f3.txt", "f4.txt"];

describe.skipIf(!works)("a command that is killed inside a restore, beside a running server", () => {
  let served: ServedPlace;
  beforeEach(async () => {
    served = new ServedPlace();
    await served.start();
  });
  afterEach(() => served.remove());

  const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "not there");
  const files = () => NAMES.map((name) => read(join(served.place.root, name)));

  test("[X9] [P4] is completed before the server looks at the files or captures them", async () => {
    const { place } = served;
    const client = served.client();
    for (const text of ["old", "new"]) {
      const prompt = NAMES.map((name) => `write ${name}: ${text}`).join("\n");
      expect(await place.call(["run", prompt, "--approve", "all"])).toMatchObject({ status: 0 });
    }
    // The server has the directory open from here on.
    await client.takeSnapshot({ label: "before" });
    // The first kill that leaves files of before and of after.
    const isHalf = () => new Set(files()).size > 1;
    for (let when = 1; !isHalf(); when += 1) {
      expect(when).toBeLessThan(30);
      if (files().every((text) => text === "old")) await place.call(["redo"]);
      const kill = ["-f", "-o", "/dev/null", "-e", "trace=rename", "-e", `inject=rename:signal=KILL:when=${when}`];
      spawnSync("strace", [...kill, process.execPath, MAIN, "undo"], { cwd: place.root, env: place.environment });
    }
    const { snapshot } = await client.takeSnapshot({ label: "after" });
    expect(files()).toEqual(["old", "old", "old", "old"]);
    const written = join(place.folder, "written");
    expect(await place.call(["materialize", snapshot.id, written])).toMatchObject({ status: 0 });
    expect(NAMES.map((name) => read(join(written, name)))).toEqual(files());
  });
});
