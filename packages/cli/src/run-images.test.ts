import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();
afterAll(() => session.remove());

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("run --image", () => {
  test("[S2] shows the model an image, which stays with the thread", async () => {
    writeFileSync(join(session.root, "pixel.png"), Buffer.from(PIXEL, "base64"));
    await session.text("run", "--yes", "--image", "pixel.png", "write a.txt: one");
    const { screenshots } = await session.json("settings");
    expect(screenshots).toMatchObject([{ name: "pixel.png" }]);
  });

  test("starts nothing where the file cannot be read", async () => {
    const before = (await session.json("threads")).threads;
    const { status, stderr } = await session.call("run", "--new", "--image", "missing.png", "hello");
    expect([status, stderr]).toEqual([4, expect.stringContaining("missing.png cannot be read")]);
    expect((await session.json("threads")).threads).toEqual(before);
  });
});
