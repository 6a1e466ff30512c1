import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

const sessions: CliSession[] = [];
afterEach(() => {
  for (const each of sessions.splice(0)) each.remove();
});

const PROGRAM = fileURLToPath(new URL("../../runtime/src/mcp/testing/server-program.ts", import.meta.url));

test("[X10] retake mcp says which servers answer, with which tools, and why another does not", async () => {
  const session = new CliSession();
  sessions.push(session);
  const server = (name: string, ...args: string[]) =>
    `[mcp.${name}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([PROGRAM, ...args])}\n`;
  mkdirSync(join(session.home, "config"), { recursive: true });
  writeFileSync(join(session.home, "config", "config.toml"), `${server("good")}\n${server("bad", "--fail")}`);
  const answer: unknown = await session.json("mcp");
  const { servers } = answer as { servers: { name: string; status: string; tools: unknown[] }[] };
  expect(servers.map(({ name, status }) => [name, status])).toEqual([
    ["bad", "failed"],
    ["good", "ready"],
  ]);
  expect(servers[0]).toMatchObject({ message: expect.stringContaining("no licence found"), tools: [] });
  expect(servers[1]?.tools).toContainEqual({ name: "good__look", description: expect.any(String), only_reads: true });
  expect(JSON.stringify(servers)).not.toContain(PROGRAM);
  const text = await session.text("mcp");
  expect(text).toMatch(/ {2}good__look \(only reads\)\n/);
  expect(text).toMatch(/ {2}good__write\n/);
});
