import { foreignProblem } from "@retake/core";
import { RequestError } from "./request-error.ts";

/** Room for the longest text that can be stored, and the JSON around it. */
export const LARGEST_BODY = 32 * 1024 * 1024;

/** The text of a body, of which no more is read than is allowed. */
export async function readBody(request: Request): Promise<string> {
  const type = request.headers.get("content-type");
  if (type === null || !/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type))
    throw new RequestError(415, "unsupported-type", "Send JSON, with 'Content-Type: application/json'.");
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity")
    throw new RequestError(415, "unsupported-type", "Send the body as it is, not compressed.");
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > LARGEST_BODY) throw tooLarge();
  const read = length === null ? readStream(request.body) : request.arrayBuffer().then((all) => new Uint8Array(all));
  const bytes = await read.catch((error) => {
    if (error instanceof RequestError) throw error;
    throw new RequestError(400, "cut-off", "The connection was lost before the body was whole. Nothing was changed.");
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new RequestError(400, "malformed", "The body is not UTF-8 text. Nothing was changed.");
  }
}

/** The value of a body: JSON that can be kept, without keys that mean something to JavaScript itself. */
export function parseBody(text: string): unknown {
  let value: unknown;
  try {
    value = text === "" ? {} : JSON.parse(text);
  } catch {
    throw new RequestError(400, "malformed", "The body is not JSON. Nothing was changed.");
  }
  const problem = foreignProblem(value);
  if (problem !== undefined)
    throw new RequestError(400, "invalid-input", `The body ${problem.replace(/^\./, "")}. Nothing was changed.`);
  return value;
}

async function readStream(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > LARGEST_BODY) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): RequestError {
  return new RequestError(413, "too-large", `A body may have at most ${LARGEST_BODY} bytes. Nothing was changed.`);
}
