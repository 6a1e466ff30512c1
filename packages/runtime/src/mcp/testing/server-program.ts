/** A real MCP server over standard input and output, for tests. */
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { testServer } from "./test-server.ts";

if (process.argv.includes("--fail")) {
  process.stderr.write("no licence found\n");
  process.exit(1);
}
// A call of `wait` ends the program in the middle.
if (process.argv.includes("--mortal")) process.stdin.on("data", (chunk) => chunk.includes('"wait"') && process.exit(1));
await testServer().connect(new StdioServerTransport());
