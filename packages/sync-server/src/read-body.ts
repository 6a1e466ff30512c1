import { refuseSync, SYNC_LIMITS, SYNC_ROUTES, type SyncCall, type SyncRefusal } from "@retake/core/sync";

const MIB = 1024 * 1024;

/** The largest body of each call. Base64 takes a third more, and the envelope some. */
const LARGEST: Partial<Record<SyncCall, number>> = {
  pushSegment: SYNC_LIMITS.segment_bytes * 1.4 + 8 * MIB,
  putPack: SYNC_LIMITS.pack_bytes,
  putShare: SYNC_LIMITS.share_bytes,
  changeKey: 32 * MIB,
};

/** The body of a request: bytes, a JSON value, or undefined. No more is read than the call may have. */
export async function readSyncBody(
  call: SyncCall,
  request: Request,
): Promise<{ readonly kind: "body"; readonly body: unknown } | SyncRefusal> {
  const route: { method: string; bytes?: string } = SYNC_ROUTES[call];
  if (route.method === "GET" || route.method === "DELETE") return { kind: "body", body: undefined };
  const largest = LARGEST[call] ?? MIB;
  const tooLarge = () =>
    refuseSync("too-large", `The body may have at most ${Math.floor(largest / MIB)} MB. Nothing was stored.`);
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > largest) return tooLarge();
  // Node lets no more through than the length that a request names. Without one, the parts are counted.
  const bytes = length === null ? await readParts(request, largest) : Buffer.from(await request.arrayBuffer());
  if (!bytes) return tooLarge();
  if (route.bytes === "input") return { kind: "body", body: new Uint8Array(bytes) };
  try {
    return { kind: "body", body: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return refuseSync("invalid-request", "The body is not JSON. Nothing was stored.");
  }
}

async function readParts(request: Request, largest: number): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.byteLength;
    if (size > largest) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
