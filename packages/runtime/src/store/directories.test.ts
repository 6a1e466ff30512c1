import { userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { directories } from "./directories.ts";

vi.mock("node:os", async (original) => {
  const os = await original<typeof import("node:os")>();
  return { ...os, userInfo: vi.fn(os.userInfo) };
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetAllMocks();
});

test("[L4] the directories are those of the system, or below the home", () => {
  expect(directories({ HOME: "/h", XDG_STATE_HOME: "/s" })).toEqual({
    data: "/h/.local/share/retake",
    config: "/h/.config/retake",
    state: "/s/retake",
  });
});

test.each(["", "here"])("[L4] a variable with %j names no place in the current directory", (value) => {
  vi.stubEnv("HOME", value);
  const variables = { HOME: value, XDG_DATA_HOME: value, XDG_CONFIG_HOME: value, XDG_STATE_HOME: value };
  expect(directories(variables).data).toBe(join(userInfo().homedir, ".local/share/retake"));
});

test("[L4] a relative RETAKE_HOME is that of the directory in which the command began", () => {
  expect(directories({ RETAKE_HOME: "here" }).data).toBe(join(process.cwd(), "here/data"));
});

test("[L4] a user without any home is told to name a directory", () => {
  vi.mocked(userInfo).mockImplementation(() => {
    throw new Error("uv_os_get_passwd returned ENOENT");
  });
  vi.stubEnv("HOME", undefined);
  expect(() => directories({})).toThrow(
    "There is no home directory. Nothing was done. Name a directory in RETAKE_HOME.",
  );
  expect(directories({ RETAKE_HOME: "/r" }).data).toBe("/r/data");
});
