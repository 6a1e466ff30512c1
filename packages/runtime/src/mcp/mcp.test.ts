import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { decideApproval, type JsonObject } from "@retake/core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type McpServerConfig, readServerConfig } from "../config/server-config.ts";
import { temporaryPlaces } from "../tools/testing/temporary-place.ts";
import type { Tool } from "../tools/tool.ts";
import type { ConnectedServer } from "./connect-server.ts";
import { mcpTool } from "./mcp-tool.ts";
import { type McpServers, openMcpServers } from "./open-servers.ts";
import { serveOverHttp } from "./testing/serve-over-http.ts";
import { serveWithSessions } from "./testing/serve-with-sessions.ts";

const PROGRAM = fileURLToPath(new URL("./testing/server-program.ts", import.meta.url));
const program = (args: string[] = [], timeout_ms = 30_000): McpServerConfig => ({
  kind: "program",
  command: process.execPath,
  args: [PROGRAM, ...args],
  env: { FOR_THE_SERVER: "yes" },
  timeout_ms,
});

const opened: { close(): Promise<unknown> }[] = [];
const newPlace = temporaryPlaces();
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function open(servers: Record<string, McpServerConfig>, root: string): Promise<McpServers> {
  const all = await openMcpServers(servers, { root, environment: { PATH: process.env["PATH"] ?? "" } });
  opened.push(all);
  return all;
}

function named({ tools }: McpServers, name: string): Tool {
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name} among ${tools.map((each) => each.name)}`);
  return tool;
}

describe("[X10] MCP servers", () => {
  test("a program's tools are offered under its name, in a fixed order, and can be called", async () => {
    const place = newPlace();
    const servers = await open({ test: program() }, place.root);
    expect(servers.problems).toEqual([]);
    expect(servers.tools.map(({ name }) => name)).toEqual(
      ["environment", "fail", "long", "look", "wait", "write"].map((name) => `test__${name}`),
    );
    const end = await place.call(named(servers, "test__look"), { at: "the moon" });
    expect(end).toEqual({ outcome: "completed", content: "saw the moon" });
  });

  test("a tool without parameters and without a description gets what every provider wants of a tool", () => {
    const offered = { name: "now", description: "", inputSchema: { type: "object" as const } };
    const tool = mcpTool("clock", offered, new Client({ name: "test", version: "1" }), 1000);
    expect(tool.input).toEqual({ type: "object", properties: {} });
    expect(tool.description).toBe("now of the MCP server clock");
  });

  test("a tool writes its files into the workspace", async () => {
    const place = newPlace();
    const servers = await open({ test: program() }, place.root);
    await place.call(named(servers, "test__write"), { path: "a.txt", content: "from afar" });
    expect(readFileSync(join(place.root, "a.txt"), "utf8")).toBe("from afar");
  });

  test("[X8] [X13] a call is asked about and named as not undoable, unless its server says that it only reads", async () => {
    const place = newPlace();
    const servers = await open({ test: program() }, place.root);
    const decide = async (name: string, input: JsonObject) => {
      const tool = named(servers, name);
      const facts = await tool.examine(input, { root: place.root });
      return decideApproval(tool, facts, { mode: "undoable", rules: [], questions: true });
    };
    expect(await decide("test__look", { at: "it" })).toMatchObject({ decision: "allow", notices: [] });
    expect(await decide("test__write", {})).toMatchObject({
      decision: "ask",
      notices: [{ kind: "irreversible", what: "write of the MCP server test" }],
    });
  });

  test("failures, wrong input and long answers reach the model unchanged", async () => {
    const place = newPlace();
    const servers = await open({ test: program() }, place.root);
    expect(await place.call(named(servers, "test__fail"), {})).toEqual({ outcome: "failed", content: "it broke" });
    expect(await place.call(named(servers, "test__look"), { wrong: 1 })).toMatchObject({ outcome: "failed" });
    const long = await place.call(named(servers, "test__long"), {});
    expect(long.content).toMatch(/characters left out\. The whole output, 20,000 lines, is at /);
  });

  test("a program sees the environment of tools and its own variables, and nothing else of ours", async () => {
    const place = newPlace();
    vi.stubEnv("ANTHROPIC_API_KEY", "canary-key");
    const servers = await open({ test: program() }, place.root);
    vi.unstubAllEnvs();
    const { content } = await place.call(named(servers, "test__environment"), {});
    const seen = JSON.parse(content) as Record<string, string>;
    expect(seen["FOR_THE_SERVER"]).toBe("yes");
    expect(Object.keys(seen).sort()).toEqual(expect.arrayContaining(["FOR_THE_SERVER", "PATH"]));
    expect(Object.values(seen)).not.toContain("canary-key");
  });

  test("[L2] progress is reported, and an interrupted call ends as such", async () => {
    const place = newPlace();
    const servers = await open({ test: program() }, place.root);
    const controller = new AbortController();
    const reports: object[] = [];
    const end = await named(servers, "test__wait").run(
      {},
      {
        root: place.root,
        overflow: join(place.kept, "x"),
        environment: {},
        signal: controller.signal,
        report: (progress) => {
          reports.push(progress);
          controller.abort();
        },
      },
    );
    expect(reports).toEqual([{ fraction: 0.25, message: "a quarter", units: 1 }]);
    expect(end.outcome).toBe("interrupted");
  });

  test("a call that is silent too long fails, and says that it may have had an effect", async () => {
    const place = newPlace();
    const servers = await open({ test: program([], 300) }, place.root);
    const end = await place.call(named(servers, "test__wait"), {});
    expect(end).toMatchObject({ outcome: "failed", content: expect.stringContaining("may or may not") });
  });

  test("a server over HTTP is reached with its headers, and refused without them", async () => {
    const place = newPlace();
    const http = await serveOverHttp("x-secret", "canary-secret");
    opened.push(http);
    const address = (secret: string): McpServerConfig => ({
      kind: "address",
      url: http.url,
      headers: { "x-secret": secret },
      timeout_ms: 5_000,
    });
    const servers = await open({ good: address("canary-secret"), wrong: address("guess") }, place.root);
    expect(await place.call(named(servers, "good__look"), { at: "it" })).toMatchObject({ content: "saw it" });
    expect(servers.problems.map(({ server }) => server)).toEqual(["wrong"]);
    expect(JSON.stringify(servers.problems)).not.toContain("canary-secret");
  });

  test("a server that has ended is known as such, and connected again with the others that are still open", async () => {
    const place = newPlace();
    const configured = { b: program(["--mortal"]), a: program(), c: program() };
    const connections = new Map<string, ConnectedServer>();
    const connect = async (servers: Record<string, McpServerConfig>) => {
      const all = await openMcpServers(servers, { root: place.root, environment: {} }, connections);
      opened.push(all);
      return all;
    };
    const first = await connect(configured);
    const [a, b, c] = ["a", "b", "c"].map((name) => connections.get(name));
    const end = await place.call(named(first, "b__wait"), {});
    expect(end).toMatchObject({ outcome: "failed", content: expect.stringContaining("may or may not") });
    expect(await place.call(named(first, "b__look"), { at: "it" })).toMatchObject({
      outcome: "failed",
      content: expect.stringContaining("has ended, so nothing was sent"),
    });
    const second = await connect(configured);
    expect(second.tools.map(({ name }) => name)).toEqual(first.tools.map(({ name }) => name));
    expect(await place.call(named(second, "b__look"), { at: "it" })).toMatchObject({ content: "saw it" });
    expect([connections.get("a") === a, connections.get("b") === b, connections.get("c") === c]).toEqual([
      true,
      false,
      true,
    ]);
    await connect({ a: program(), c: program([], 1) });
    expect([connections.get("a") === a, connections.has("b"), connections.get("c") === c]).toEqual([
      true,
      false,
      false,
    ]);
    expect(c?.isOpen()).toBe(false);
  });

  test.each([404, 400])(
    "a server at an address that answers %i has lost the session, and is connected again",
    async (status) => {
      const place = newPlace();
      const http = await serveWithSessions(status);
      opened.push(http);
      const servers = { far: { kind: "address", url: http.url, headers: {}, timeout_ms: 5_000 } } as const;
      const connections = new Map<string, ConnectedServer>();
      const connect = () => openMcpServers(servers, { root: place.root, environment: {} }, connections);
      const first = await connect();
      expect(await place.call(named(first, "far__look"), {})).toMatchObject({ content: "saw it in session 1" });
      http.forget();
      for (const attempt of ["first", "second"])
        expect(await place.call(named(first, "far__look"), {}), attempt).toMatchObject({
          outcome: "failed",
          content: expect.stringMatching(/nothing was (done|sent)/),
        });
      const second = await connect();
      opened.push(second);
      expect(await place.call(named(second, "far__look"), {})).toMatchObject({ content: "saw it in session 2" });
    },
  );

  test("a server that does not start only loses its own tools, and its error output is reported", async () => {
    const place = newPlace();
    const missing: McpServerConfig = {
      kind: "program",
      command: "/does/not/exist",
      args: [],
      env: {},
      timeout_ms: 1_000,
    };
    const servers = await open({ broken: program(["--fail"]), missing, works: program() }, place.root);
    expect(servers.tools.every(({ name }) => name.startsWith("works__"))).toBe(true);
    expect(servers.problems).toEqual([
      { server: "broken", message: expect.stringContaining("no licence found") },
      { server: "missing", message: expect.stringContaining("[mcp.missing]") },
    ]);
  });
});

describe("[X10] the configuration of an MCP server", () => {
  test.each([
    [{ command: "node" }, { kind: "program", command: "node", args: [], env: {}, timeout_ms: 120_000 }],
    [
      { url: "http://127.0.0.1:1/mcp", timeout_ms: 5 },
      { kind: "address", url: "http://127.0.0.1:1/mcp", headers: {}, timeout_ms: 5 },
    ],
    [{}, "must have either command or url"],
    [{ command: "a", url: "http://b" }, "must have either command or url"],
    [{ command: "" }, "command must be the name of a program"],
    [{ command: "a", args: [1] }, "args must be a list of texts"],
    [{ command: "a", env: { b: 1 } }, "env must be texts"],
    [{ url: "file:///etc/passwd" }, "url must be an http or https address"],
    [{ url: "http://b", headers: [] }, "headers must be texts"],
    [{ command: "a", timeout_ms: 0 }, "timeout_ms must be a whole number from 1"],
    ["a", "must be a table"],
  ])("%j is read as %j", (value, expected) => {
    expect(readServerConfig(value as JsonObject)).toEqual(expected);
  });
});
