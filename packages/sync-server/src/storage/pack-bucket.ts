import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import type { PackFiles } from "./pack-files.ts";

/** The place of packs in a store that speaks S3: `s3://bucket/prefix?endpoint=https://…&region=…`. */
export interface Bucket {
  /** The address of the bucket, without a slash at its end. */
  readonly url: string;
  /** The beginning of the keys of all packs: empty, or with a slash at its end. */
  readonly prefix: string;
  readonly region: string;
  readonly access_key_id: string;
  readonly secret_access_key: string;
  readonly session_token?: string;
}

/** Names and keys come from the environment, as every tool for S3 reads them. Throws what is wrong, for people. */
export function bucketOf(address: string, environment: Readonly<Record<string, string | undefined>>): Bucket {
  const url = new URL(address);
  const region = url.searchParams.get("region") ?? environment["AWS_REGION"] ?? "us-east-1";
  const endpoint = url.searchParams.get("endpoint") ?? environment["AWS_ENDPOINT_URL"];
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: session } = environment;
  if (url.hostname === "") throw new Error(`${address} names no bucket.`);
  if (!id || !secret) throw new Error("The keys of the store are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");
  const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
  return {
    url: endpoint
      ? `${endpoint.replace(/\/+$/, "")}/${url.hostname}`
      : `https://${url.hostname}.s3.${region}.amazonaws.com`,
    prefix: prefix === "" ? "" : `${prefix}/`,
    region,
    access_key_id: id,
    secret_access_key: secret,
    ...(session && { session_token: session }),
  };
}

/** Packs as objects: a key is the vault and the name of the pack. The store answers a write when it is durable. */
export class PackBucket implements PackFiles {
  readonly #bucket: Bucket;
  readonly #client: AwsClient;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
    const { region, access_key_id, secret_access_key, session_token } = bucket;
    this.#client = new AwsClient({
      service: "s3",
      region,
      accessKeyId: access_key_id,
      secretAccessKey: secret_access_key,
      ...(session_token !== undefined && { sessionToken: session_token }),
      retries: RETRIES,
    });
  }

  async write(vault: string, name: string, bytes: Uint8Array): Promise<void> {
    await this.#send("PUT", this.#key(vault, name), { body: bytes });
  }

  async read(vault: string, name: string, offset: number, length: number): Promise<Uint8Array> {
    const range = `bytes=${offset}-${offset + length - 1}`;
    const response = await this.#send("GET", this.#key(vault, name), { headers: { range } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status !== 206 || bytes.length !== length)
      throw new Error(`The pack ${name} is shorter than it was, or the store reads no ranges.`);
    return bytes;
  }

  async remove(vault: string, name: string): Promise<void> {
    await this.#send("DELETE", this.#key(vault, name));
  }

  async removeVault(vault: string): Promise<void> {
    for (const { name } of await this.list(vault)) await this.remove(vault, name);
  }

  async list(vault: string): Promise<{ readonly name: string; readonly changed_at: number }[]> {
    const prefix = `${this.#bucket.prefix}${vault}/`;
    const pages = await this.#list(prefix);
    return pages.flatMap((page) =>
      textsIn(page, "Contents").map((each) => ({
        name: (textsIn(each, "Key")[0] ?? "").slice(prefix.length),
        changed_at: Date.parse(textsIn(each, "LastModified")[0] ?? ""),
      })),
    );
  }

  async check(): Promise<void> {
    await this.#send("GET", "", { query: { "list-type": "2", "max-keys": "1", prefix: this.#bucket.prefix } });
  }

  /** All pages of a list, as XML. */
  async #list(prefix: string): Promise<string[]> {
    const pages: string[] = [];
    for (let token: string | undefined; ; ) {
      const query = { "list-type": "2", prefix, ...(token !== undefined && { "continuation-token": token }) };
      const page = await (await this.#send("GET", "", { query })).text();
      pages.push(page);
      token = textsIn(page, "NextContinuationToken")[0];
      if (token === undefined) return pages;
    }
  }

  #key(vault: string, name: string): string {
    return `${this.#bucket.prefix}${vault}/${name}`;
  }

  /** Sends a signed request, with the hash of its body in the signature. Throws unless it is done. */
  async #send(
    method: "GET" | "PUT" | "DELETE",
    key: string,
    request: {
      readonly body?: Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
      readonly query?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Response> {
    const { body, headers, query } = request;
    const path = key.split("/").map(encodeURIComponent).join("/");
    const url = new URL(`${this.#bucket.url}/${path}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const digest = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const response = await this.#client.fetch(url.href, {
      method,
      headers: { ...headers, "x-amz-content-sha256": digest },
      ...(body && { body: body as BodyInit }),
      signal: AbortSignal.timeout(LONGEST_REQUEST_MS),
    });
    if (response.ok) return response;
    const code = textsIn(await response.text(), "Code")[0] ?? "";
    throw new Error(`The store of packs answered ${method} with ${response.status} ${code}.`);
  }
}

const RETRIES = 3;
const LONGEST_REQUEST_MS = 60_000;

/** The texts of the elements with a name. Answers of S3 have neither attributes nor comments in the elements read here. */
function textsIn(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, "g"));
  return [...found].map(([, text = ""]) =>
    text.includes("<")
      ? text
      : text.replace(/&(amp|lt|gt|quot|apos|#39|#34);/g, (_, each: string) => ENTITIES[each] ?? ""),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  "#34": '"',
};
