import { isObject, type Json, type JsonObject } from "@retake/core";
import { sha256 } from "./model-request.ts";

/**
 * Requests of a conversation as a chain. Each holds the whole conversation, so written whole they would grow
 * with its square. But a request mostly begins as the last one did. So it is written as what it adds:
 *
 *     root = sha256([system, tools])      link n = sha256(link n−1 + message n)
 *
 *     {"request": {system, tools, messages: [1, 2, 3]},                  "sha256": link 3}
 *     {"request": {messages: [4, 5]}, "follows": {messages: 3, link 3},  "sha256": link 5}
 *
 * `follows` names a place in a request that was written before, whoever wrote it: its first n messages,
 * with its system prompt and tools. Whoever reads the lines in order can put every request together again, and
 * `sha256` proves that it is the one. Nothing is decided by the chain; a request that follows nothing known is
 * written whole.
 */
export class RequestChain {
  /** Of the request that was written last: its links from some number of messages on, and what they are links of. */
  #last: { readonly links: ReadonlyMap<number, string>; readonly messages?: readonly string[] } | undefined;

  /** Takes up a chain from the last line of a request, as it was written; anything else starts a new one. */
  resume(line: JsonObject | undefined): void {
    const written = line && writtenRequest(line);
    if (!written) return;
    const { start, messages, root } = written;
    this.#last = { links: new Map(linked(root, start, messages)) };
  }

  /** What is to be written of a request, and where it goes on from. `clean` is applied to all that is written. */
  write(request: JsonObject, clean: (value: Json) => Json): JsonObject {
    const { system, tools, messages, ...rest } = request;
    const list = messages as readonly Json[];
    const texts = list.map((message) => JSON.stringify(message));
    const root = rootLink(clean([system ?? "", tools ?? []]));
    const links = new Map([[0, root]]);
    // What is as it was last time has the links it had: it need not be cleaned and hashed again.
    const known = this.#last?.messages && this.#last.links.get(0) === root ? this.#last : undefined;
    let same = 0;
    while (same < texts.length && known?.messages?.[same] === texts[same]) {
      same += 1;
      links.set(same, known?.links.get(same) ?? "");
    }
    const cleaned = clean(list.slice(same)) as Json[];
    for (const [number, link] of linked(links.get(same) ?? root, same, cleaned)) links.set(number, link);

    let from = texts.length;
    while (from >= 0 && this.#last?.links.get(from) !== links.get(from)) from -= 1;
    this.#last = { links, messages: texts };
    const added = from >= same ? cleaned.slice(from - same) : (clean(list.slice(Math.max(from, 0))) as Json[]);
    const sha256 = links.get(texts.length) ?? root;
    if (from < 0) {
      const [cleanSystem, cleanTools] = clean([system ?? "", tools ?? []]) as [Json, Json];
      return {
        request: { ...(clean(rest) as JsonObject), system: cleanSystem, tools: cleanTools, messages: added },
        sha256,
      };
    }
    const follows = { messages: from, sha256: links.get(from) ?? root };
    return { request: { ...(clean(rest) as JsonObject), messages: added }, follows, sha256 };
  }
}

/** Puts requests together again, line by line, in the order in which they were written. */
export class RequestReader {
  readonly #roots = new Map<string, { readonly system: Json; readonly tools: Json }>();
  readonly #links = new Map<string, { readonly before: string; readonly message: Json }>();

  /** The line with its whole request; undefined where a line that it follows is missing, or it is not what was written. */
  whole(line: JsonObject): JsonObject | undefined {
    const written = writtenRequest(line);
    if (!written) return line["sha256"] === undefined ? line : undefined;
    const { follows: _, sha256: claimed, request, ...rest } = line;
    const { system, tools, messages: added, ...settings } = request as JsonObject;
    const { root, start, messages } = written;
    if (start === 0 && system !== undefined) this.#roots.set(root, { system, tools: tools ?? [] });
    let before = root;
    for (const [number, link] of linked(root, start, messages)) {
      if (number > start) this.#links.set(link, { before, message: messages[number - start - 1] as Json });
      before = link;
    }
    if (before !== claimed) return undefined;
    const all: Json[] = [];
    let link = before;
    for (let node = this.#links.get(link); node; node = this.#links.get(link)) {
      all.push(node.message);
      link = node.before;
    }
    const first = this.#roots.get(link);
    if (!first || all.length !== start + messages.length) return undefined;
    return { ...rest, request: { ...first, ...settings, messages: all.reverse() } };
  }
}

/** What a line says of its request; undefined when it is none of a chain. */
function writtenRequest(line: JsonObject): { root: string; start: number; messages: readonly Json[] } | undefined {
  const { request, follows } = line;
  if (!isObject(request) || !Array.isArray(request["messages"]) || typeof line["sha256"] !== "string") return undefined;
  const messages = request["messages"];
  if (follows === undefined)
    return { root: rootLink([request["system"] ?? "", request["tools"] ?? []]), start: 0, messages };
  if (!isObject(follows) || typeof follows["messages"] !== "number" || typeof follows["sha256"] !== "string")
    return undefined;
  return { root: follows["sha256"], start: follows["messages"], messages };
}

function rootLink(value: Json): string {
  return sha256(JSON.stringify(value));
}

/** The links after `start` messages, and after each of the next. */
function* linked(link: string, start: number, messages: readonly Json[]): Generator<[number, string]> {
  let last = link;
  yield [start, last];
  for (const [index, message] of messages.entries()) {
    last = sha256(`${last}\n${JSON.stringify(message)}`);
    yield [start + index + 1, last];
  }
}
