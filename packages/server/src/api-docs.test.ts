import { readFileSync } from "node:fs";
import * as client from "@retake/client";
import * as core from "@retake/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestServer } from "./testing/test-server.ts";

const page = readFileSync(new URL("../../../docs/api.md", import.meta.url), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text]) => text as string);

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

describe("docs/api.md", () => {
  test("its examples do what it says, one after the other", async () => {
    const printed: string[] = [];
    const modules: Readonly<Record<string, object>> = { "retake/client": client, "retake/core": core };
    const source = blocks("ts")
      .join("\n")
      .replaceAll(/^import \{(.*)\} from "(.*)";$/gm, "const {$1} = modules['$2'];");
    const run = new Function("modules", "url", "token", "print", `return (async () => {${source}})();`);
    await run(modules, server.url, server.token, (text: string) => printed.push(text));
    expect(printed).toEqual(
      expect.arrayContaining([
        "would remove 4 entries and restore hello.txt",
        "409 stale-version",
        "turn finished",
        "User: write hello.txt: hello",
      ]),
    );
    expect(server.read("hello.txt")).toBe("hello");
  });

  test("its commands are answered", async () => {
    const thread = await server.thread("write shell.txt: 1");
    const variables: Record<string, string> = { TOKEN: server.token, URL: server.url, THREAD: thread };
    const lines = blocks("sh").join("").trim().split("\n");
    const said = await Promise.all(lines.map((line) => ask(line, variables)));
    expect(JSON.parse(said[0] ?? "")).toMatchObject({ threads: expect.any(Array) });
    expect(JSON.parse(said[1] ?? "")).toMatchObject({ op_id: expect.any(String) });
    expect(said[2]).toContain("operation-committed");
  });
});

/** Does what curl would do, because not every machine has curl. */
async function ask(line: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) =>
    single === undefined ? (double ?? plain ?? "").replaceAll(/\$(\w+)/g, (_, name) => variables[name] ?? "") : single,
  );
  const headers = new Headers();
  let body: string | undefined;
  words.forEach((word, index) => {
    const [name = "", ...value] = (words[index + 1] ?? "").split(": ");
    if (word === "-H") headers.set(name, value.join(": "));
    if (word === "-d") body = words[index + 1];
  });
  const url = words.at(-1) as string;
  const response = await fetch(url, { headers, ...(body === undefined ? {} : { method: "POST", body }) });
  if (response.headers.get("content-type") === "application/json") return response.text();
  for await (const { data } of client.readEventStream(response)) if (data !== undefined) return data;
  return "";
}
