import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addPath } from "@retake/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ModelRequest } from "../model/model.ts";
import { scriptedModel } from "../model/scripted-model.ts";
import { TemporaryRetake } from "../testing/temporary-retake.ts";
import { OutsideFiles } from "./outside-files.ts";
import type { TurnEvent } from "./turn.ts";

let place: TemporaryRetake;
let thread: string;
let outside: OutsideFiles;

beforeAll(async () => {
  place = new TemporaryRetake();
  const { root, workspace } = place;
  outside = new OutsideFiles(workspace.store.directories, root);
  thread = await workspace.newThread("sent");
  writeFileSync(join(root, "..", "secret"), "SECRET");
  writeFileSync(join(root, "..", "shot.png"), "\x89PNG\r\n\x1a\nSECRET", "latin1");
  writeFileSync(join(root, "fine"), "FINE");
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git", "config"), "SECRET");
  symlinkSync("fine", join(root, "inner"));
  symlinkSync("../secret", join(root, "link"));
  symlinkSync("..", join(root, "parent"));
  symlinkSync("../secret", join(root, "AGENTS.md"));
  const add = (list: "context" | "screenshot", path: string) =>
    workspace.store.change(thread, (state, context) => addPath(state, context, { list, member: { path } }));
  for (const path of ["../secret", join(root, "..", "secret"), "link", "parent/secret", ".git/config", "inner"])
    add("context", path);
  add("screenshot", "../shot.png");
});
afterAll(() => place.remove());

async function sent(): Promise<{ request: string; images: number; notices: string[] }> {
  const requests: ModelRequest[] = [];
  const notices: string[] = [];
  const model = scriptedModel();
  await place.workspace.run({
    thread,
    prompt: "hello",
    mode: "all" as const,
    approve: async () => "deny",
    signal: new AbortController().signal,
    model: {
      ...model,
      stream: (request) => {
        requests.push(request);
        return model.stream(request);
      },
    },
    onEvent: (event: TurnEvent) => void (event.type === "notice" && notices.push(event.message)),
  });
  return { request: JSON.stringify(requests), images: requests[0]?.images?.size ?? 0, notices };
}

test("[F6] does not send a file outside the workspace, whatever the thread says, and tells the user", async () => {
  const { request, images, notices } = await sent();
  expect(request).toContain("FINE");
  expect(request).not.toContain("SECRET");
  expect(images).toBe(0);
  expect(notices.map((message) => message.split(" ")[0])).toEqual([
    "AGENTS.md",
    "../secret",
    join(place.root, "..", "secret"),
    "link",
    "parent/secret",
    ".git/config",
    "../shot.png",
  ]);
});

test("[F6] an approval belongs to the machine and the workspace, and can be withdrawn", async () => {
  outside.allow("link");
  expect(outside.find("../secret")).toBe(outside.find("AGENTS.md"));
  expect(outside.find("../shot.png")).toBeUndefined();
  expect(new OutsideFiles(place.workspace.store.directories, "/elsewhere").find("/secret")).toBeUndefined();
  const { request, notices } = await sent();
  expect(request).toContain("SECRET");
  expect(notices.map((message) => message.split(" ")[0])).toEqual([".git/config", "../shot.png"]);
  outside.forget("../secret");
  expect((await sent()).request).not.toContain("SECRET");
});
