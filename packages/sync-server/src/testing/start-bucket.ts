import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A store that speaks S3 over HTTP, in memory. It is strict: every request must be signed (signature version 4, which is
 * computed here anew), must be of the last minutes, and its body must have the hash that was signed.
 */
export interface TestBucket {
  /** As `--blobs` takes it. */
  readonly address: string;
  readonly environment: Readonly<Record<string, string>>;
  /** All objects, by their keys. */
  readonly objects: Map<string, Stored>;
  stop(): Promise<void>;
}

interface Stored {
  readonly bytes: Buffer;
  readonly changed: string;
}

const NAME = "packs";
const KEYS = { AWS_ACCESS_KEY_ID: "an-id", AWS_SECRET_ACCESS_KEY: "a secret/key+of the store" };
const REGION = "eu-test-1";
/** Small, so that lists have pages. */
const PAGE = 3;

export async function startBucket(): Promise<TestBucket> {
  const objects = new Map<string, Stored>();
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { status, headers = {}, content = "" } = answer(request, body, objects);
      response.writeHead(status, headers).end(content);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address: `s3://${NAME}/of retake?endpoint=${encodeURIComponent(endpoint)}&region=${REGION}`.replace(" ", "-"),
    environment: KEYS,
    objects,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly content?: Buffer | string;
}

function answer(request: IncomingMessage, body: Buffer, objects: Map<string, Stored>): Answer {
  const problem = signatureProblem(request, body);
  if (problem !== undefined) return { status: 403, content: `<Error><Code>${problem}</Code></Error>` };
  const url = new URL(request.url ?? "", "http://store");
  const [, bucket, ...rest] = url.pathname.split("/").map(decodeURIComponent);
  if (bucket !== NAME) return { status: 404, content: "<Error><Code>NoSuchBucket</Code></Error>" };
  const key = rest.join("/");
  if (key === "") return { status: 200, content: listOf(url.searchParams, objects) };
  const stored = objects.get(key);
  if (request.method === "PUT") objects.set(key, { bytes: body, changed: new Date().toISOString() });
  else if (request.method === "DELETE") objects.delete(key);
  else if (!stored) return { status: 404, content: "<Error><Code>NoSuchKey</Code></Error>" };
  else {
    const [, from = "0", to = ""] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (to === "") return { status: 200, content: stored.bytes };
    if (Number(from) >= stored.bytes.length)
      return { status: 416, content: "<Error><Code>InvalidRange</Code></Error>" };
    return { status: 206, content: stored.bytes.subarray(Number(from), Number(to) + 1) };
  }
  return { status: request.method === "DELETE" ? 204 : 200 };
}

function listOf(query: URLSearchParams, objects: ReadonlyMap<string, Stored>): string {
  const prefix = query.get("prefix") ?? "";
  const from = query.get("continuation-token") ?? "";
  const left = [...objects]
    .filter(([key]) => key.startsWith(prefix) && key > from)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const page = left.slice(0, PAGE);
  const last = left.length > PAGE ? page.at(-1)?.[0] : undefined;
  const next = last === undefined ? "" : `<NextContinuationToken>${escaped(last)}</NextContinuationToken>`;
  const rows = page.map(
    ([key, { changed }]) => `<Contents><Key>${escaped(key)}</Key><LastModified>${changed}</LastModified></Contents>`,
  );
  return `<?xml version="1.0"?><ListBucketResult><Prefix>${escaped(prefix)}</Prefix>${next}${rows.join("")}</ListBucketResult>`;
}

/** The code of S3 for a request that is not signed as it must be. */
function signatureProblem(request: IncomingMessage, body: Buffer): string | undefined {
  const { headers, method = "", url: path = "" } = request;
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, id, day = "", region = "", names = "", signature = ""] = form.exec(headers.authorization ?? "") ?? [];
  if (id !== KEYS.AWS_ACCESS_KEY_ID || region !== REGION) return "InvalidAccessKeyId";
  const time = String(headers["x-amz-date"]);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!time.startsWith(day) || !(Math.abs(Date.now() - at) < 15 * 60_000)) return "RequestTimeTooSkewed";
  const digest = String(headers["x-amz-content-sha256"]);
  if (digest !== createHash("sha256").update(body).digest("hex")) return "XAmzContentSHA256Mismatch";
  const signed = names.split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => signed.includes(name))) return "AccessDenied";
  const [route = "", query = ""] = path.split("?");
  const canonical = [
    method,
    route,
    query.split("&").filter(Boolean).sort().join("&"),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names,
    digest,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const hash = createHash("sha256").update(canonical).digest("hex");
  const key = [day, region, "s3", "aws4_request"].reduce(
    (secret: Buffer, part) => createHmac("sha256", secret).update(part).digest(),
    Buffer.from(`AWS4${KEYS.AWS_SECRET_ACCESS_KEY}`),
  );
  const right = createHmac("sha256", key).update(["AWS4-HMAC-SHA256", time, scope, hash].join("\n")).digest();
  return timingSafeEqual(right, Buffer.from(signature, "hex")) ? undefined : "SignatureDoesNotMatch";
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
