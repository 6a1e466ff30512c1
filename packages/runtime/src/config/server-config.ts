import { isObject, type Json } from "@retake/core";

/** An MCP server in the configuration: a program to start here, or an address. */
export type McpServerConfig =
  | {
      readonly kind: "program";
      readonly command: string;
      readonly args: readonly string[];
      /** Given to the program in addition to the environment of all tools. */
      readonly env: Readonly<Record<string, string>>;
      readonly timeout_ms: number;
    }
  | {
      readonly kind: "address";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly timeout_ms: number;
    };

/** Reads `[mcp.<name>]` of the configuration; a string is the problem with it. */
export function readServerConfig(value: Json): McpServerConfig | string {
  if (!isObject(value)) return "must be a table";
  const { command, url, args = [], env = {}, headers = {}, timeout_ms = DEFAULT_TIMEOUT } = value;
  if (typeof timeout_ms !== "number" || !Number.isSafeInteger(timeout_ms) || timeout_ms < 1) {
    return "timeout_ms must be a whole number from 1";
  }
  if ((command === undefined) === (url === undefined)) return "must have either command or url";
  if (url !== undefined) {
    if (typeof url !== "string" || !isHttpAddress(url)) return "url must be an http or https address";
    return areTexts(headers) ? { kind: "address", url, headers, timeout_ms } : "headers must be texts";
  }
  if (typeof command !== "string" || command === "") return "command must be the name of a program";
  if (!Array.isArray(args) || !args.every((each) => typeof each === "string")) return "args must be a list of texts";
  return areTexts(env) ? { kind: "program", command, args, env, timeout_ms } : "env must be texts";
}

/** How long a call may be silent. Progress restarts the time. */
const DEFAULT_TIMEOUT = 120_000;

function isHttpAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function areTexts(value: Json): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((each) => typeof each === "string");
}
