import { homedir, userInfo } from "node:os";
import { afterEach, expect, test, vi } from "vitest";
import { homeDirectory, registeredHome } from "./home-directory.ts";

vi.mock("node:os", async (original) => {
  const os = await original<typeof import("node:os")>();
  return { ...os, userInfo: vi.fn(os.userInfo) };
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetAllMocks();
});

test("[X4] the home is that of the environment, and the registered one where that names none", () => {
  expect(homeDirectory()).toBe(homedir());
  for (const value of ["", "here", undefined]) {
    vi.stubEnv("HOME", value);
    expect(homeDirectory()).toBe(userInfo().homedir);
  }
});

test("[X4] a user who is not registered has the home of the environment, or none", () => {
  vi.mocked(userInfo).mockImplementation(() => {
    throw new Error("uv_os_get_passwd returned ENOENT");
  });
  vi.stubEnv("HOME", "/h");
  expect([homeDirectory(), registeredHome()]).toEqual(["/h", undefined]);
  vi.stubEnv("HOME", undefined);
  expect(homeDirectory()).toBeUndefined();
});
