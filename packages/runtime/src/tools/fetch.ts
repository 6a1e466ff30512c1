import { lookup } from "node:dns";
import { type IncomingMessage, request as requestPlainly } from "node:http";
import { request as requestSecurely } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { stringIn } from "./check-input.ts";
import { completed, defineTool, failed } from "./define-tool.ts";
import { OutputKeeper } from "./output-keeper.ts";
import { pageText } from "./page-text.ts";
import { isPrivateAddress } from "./private-address.ts";
import type { ToolEnd, ToolRun } from "./tool.ts";

/**
 * Reads a page of the web. It leaves the machine, so it is asked about like everything that no undo takes back. The
 * question names an address of this machine or its network plainly. A name that leads to such an address is refused: the
 * question could not show it.
 */
export const fetchPage = defineTool({
  name: "fetch",
  description:
    "Reads a web page or a text file by its http or https address, with GET, and answers its text. It leaves the machine, so the user is asked. Redirects to another host are told and not followed.",
  input: {
    type: "object",
    properties: { url: { type: "string", minLength: 1, maxLength: 2000 } },
    required: ["url"],
    additionalProperties: false,
  },
  check: (input) => urlProblem(stringIn(input, "url") ?? ""),
  async examine(input) {
    const { host, hostname, href } = new URL(stringIn(input, "url") ?? "");
    const what = isPrivate(hostname)
      ? `a request to ${host}, which is this machine or its own network: ${href}`
      : `a request to ${host} on the internet: ${href}`;
    return { writes: false, paths: [], host, irreversible: [what] };
  },
  run: (input, run) => get(new URL(stringIn(input, "url") ?? ""), run),
});

const LARGEST = 5 * 1024 * 1024;
const TIMEOUT = 30_000;
const MOST_REDIRECTS = 5;

function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "url must be a whole address, like https://example.org/page.";
  const { protocol, username, password } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return "url must be an http or https address.";
  return username + password === "" ? undefined : "url must not hold a name or a password.";
}

async function get(url: URL, run: ToolRun, redirects = 0): Promise<ToolEnd> {
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(TIMEOUT)]);
  try {
    const response = await send(url, signal);
    const { statusCode = 0, headers } = response;
    const target = statusCode >= 300 && statusCode < 400 ? headers.location : undefined;
    if (target === undefined || !URL.canParse(target, url)) return await shown(url, response, run);
    response.destroy();
    const next = new URL(target, url);
    if (next.host !== url.host || urlProblem(next.href) !== undefined)
      return failed(`${url.href} redirects to ${next.href}. That was not followed: fetch it by itself if it is meant.`);
    if (redirects >= MOST_REDIRECTS) return failed(`${url.href} redirects too often.`);
    return await get(next, run, redirects + 1);
  } catch (error) {
    run.signal.throwIfAborted();
    const late = signal.aborted ? `nothing came within ${TIMEOUT / 1000} s` : (error as Error).message;
    return failed(`${url.host} cannot be read: ${late}.`);
  }
}

function send(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const accept = "text/html, text/plain, application/json;q=0.9, */*;q=0.5";
  const options = { headers: { accept, "user-agent": "retake" }, signal, agent: false, lookup: publicAddress } as const;
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === "https:" ? requestSecurely(url, options, resolve) : requestPlainly(url, options, resolve);
    request.on("error", reject).end();
  });
}

/**
 * Finds the address of a name for the connection itself, so that a name cannot lead to another address once it was
 * looked at. It is not asked about addresses.
 */
const publicAddress: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, "", 0);
    const near = isPrivate(hostname) ? undefined : found.find(({ address }) => isPrivateAddress(address));
    if (near !== undefined)
      return callback(new Error(`it leads to ${near.address}, which is this machine or its own network`), "", 0);
    const [first] = found;
    return options.all ? callback(null, found) : callback(null, first?.address ?? "", first?.family ?? 0);
  });
};

/** Whether the address itself says that it is of this machine or its network. */
function isPrivate(hostname: string): boolean {
  const host = bare(hostname);
  return host === "localhost" || host.endsWith(".localhost") || (isIP(host) !== 0 && isPrivateAddress(host));
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

async function shown(url: URL, response: IncomingMessage, run: ToolRun): Promise<ToolEnd> {
  const type = (response.headers["content-type"] ?? "text/plain").split(";")[0]?.trim().toLowerCase() ?? "";
  const { statusCode: status = 0 } = response;
  const details = { url: url.href, status, media_type: type };
  if (!/^text\/|[/+](?:json|xml|javascript)$/.test(type)) {
    response.destroy();
    return failed(`${url.href} is ${type}, not text, and was not read.`, details);
  }
  const { bytes, cut } = await readBody(response, run);
  const text = new TextDecoder().decode(bytes);
  const keeper = new OutputKeeper(run.overflow);
  await keeper.add(Buffer.from(/html/.test(type) ? pageText(text) : text));
  if (cut) await keeper.add(Buffer.from(`\n(Cut here: it is larger than ${LARGEST / 1024 / 1024} MB.)`));
  await keeper.close();
  const content = keeper.show() || "(The page has no text.)";
  return status >= 200 && status < 300 ? completed(content, details) : failed(`Status ${status}.\n${content}`, details);
}

async function readBody(response: IncomingMessage, run: ToolRun): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    run.report({ units: size });
    // Leaving the loop closes the connection.
    if (size > LARGEST) return { bytes: Buffer.concat(chunks).subarray(0, LARGEST), cut: true };
  }
  return { bytes: Buffer.concat(chunks), cut: false };
}
