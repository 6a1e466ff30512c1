import { isObject, type Json, type JsonObject } from "@retake/core";
import { sha256 } from "./model-request.ts";

/**
 * Requests of a conversation as a chain. Each contains the whole conversation, so written whole they would grow
 * quadratically. But a request mostly begins like the last one. So only the difference is written:
 *
 *     root = sha256([system, tools])      link n = sha256(link n−1 + message n)
 *
 *     {"request": {system, tools, messages: [1, 2, 3]},                  "sha256": link 3}
 *     {"request": {messages: [4, 5]}, "follows": {messages: 3, link 3},  "sha256": link 5}
 *
 * `follows` names a place in an earlier request, whichever process wrote it: its first n messages, with its system
 * prompt and tools. A reader of the lines in order can rebuild every request, and `sha256` proves that it is right. No
 * decision uses the chain; a request that follows nothing known is written whole.
 *
 * Secrets are removed from everything that is written, which costs far more than hashing. So each link has a second
 * hash, `source`, of the messages before that: when it is the same, the written text is the same too, and only new
 * messages have to be cleaned.
 */
export class RequestChain {
  /** Places in the last written request, by the number of messages before them. */
  #places: ReadonlyMap<number, ChainLink> = new Map();

  /** Continues a chain from the last line with a request, as it was written; any other line starts a new chain. */
  resume(line: JsonObject | undefined): void {
    const written = line && writtenRequest(line);
    const places = [line?.["follows"], { ...line, messages: (written?.start ?? 0) + (written?.messages.length ?? 0) }];
    this.#places = new Map(
      places.flatMap((place) => {
        if (!written || !isObject(place)) return [];
        const { messages, sha256: link, source } = place as JsonObject;
        if (typeof messages !== "number" || typeof link !== "string" || typeof source !== "string") return [];
        return [[messages, { link, source }]];
      }),
    );
  }

  /** The part of a request to write, and the place it continues from. `clean` is applied to everything written. */
  write(request: JsonObject, clean: (value: Json) => Json): JsonObject {
    const { system = "", tools = [], messages, ...settings } = request;
    const list = messages as readonly Json[];
    const sources = new Map(linked(rootLink([system, tools]), 0, list));
    let from = list.length;
    while (from >= 0 && this.#places.get(from)?.source !== sources.get(from)) from -= 1;
    const start = this.#places.get(from);

    const begin = start ? from : 0;
    const root = start ? {} : (clean({ system, tools }) as JsonObject);
    const added = clean(list.slice(begin)) as Json[];
    const first = start?.link ?? rootLink([root["system"] ?? "", root["tools"] ?? []]);
    const places = new Map(
      [...linked(first, begin, added)].map(([number, link]) => [number, { link, source: sources.get(number) ?? "" }]),
    );
    // Places before `begin` stay valid, for a request that goes back to one of them.
    const before = [...this.#places].filter(([number]) => start !== undefined && number < begin);
    this.#places = new Map([...before, ...places]);
    const { link: sha256, source } = places.get(list.length) ?? { link: first, source: "" };
    const follows = start ? { follows: { messages: from, sha256: start.link, source: start.source } } : {};
    return { request: { ...root, ...(clean(settings) as JsonObject), messages: added }, ...follows, sha256, source };
  }
}

interface ChainLink {
  /** The hash of the written messages, and of the messages before cleaning. */
  readonly link: string;
  readonly source: string;
}

/** Rebuilds requests line by line, in the order in which they were written. */
export class RequestReader {
  readonly #roots = new Map<string, { readonly system: Json; readonly tools: Json }>();
  readonly #links = new Map<string, { readonly before: string; readonly message: Json }>();

  /** The line with its whole request; undefined when a line that it follows is missing or does not match. */
  whole(line: JsonObject): JsonObject | undefined {
    const written = writtenRequest(line);
    if (!written) return line["sha256"] === undefined ? line : undefined;
    const { follows: _, sha256: claimed, source: __, request, ...rest } = line;
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

/** The request in a line; undefined when it is not part of a chain. */
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
