/**
 * Gets a share from the server and decrypts it here (`core/src/sync/share.ts` has the format). The key is in the fragment
 * of the page's address, which browsers send to nobody.
 */
import { readShareDocument, type ShareDocument, shareData, syncOutcome, syncRequest, unpad } from "@retake/core/sync";

export type OpenedShare =
  | { readonly kind: "opened"; readonly document: ShareDocument }
  | { readonly kind: "failed"; readonly message: string };

/** `address`: that of the page, `…/s/<share>#<key>`. */
export async function openShare(address: URL): Promise<OpenedShare> {
  const share = address.pathname.split("/").at(-1) ?? "";
  const key = bytesOf(address.hash.slice(1));
  if (!key) return failed("This link is not complete: the part after # is the key. Copy all of it.");
  if (!globalThis.isSecureContext)
    return failed("Browsers decrypt only in pages that came over HTTPS. Ask for a link that begins with https://");
  const sealed = await fetchShare(address, share);
  if (typeof sealed === "string") return failed(sealed);
  const text = await decrypted(key, sealed, share);
  if (text === undefined) return failed("The key in this link does not open this thread. Copy the whole link.");
  const read = readShareDocument(JSON.parse(text));
  if (read.kind === "document") return { kind: "opened", document: read.document };
  return failed(
    read.code === "newer-version"
      ? "A newer Retake shared this thread than this server knows. The server has to be updated."
      : "This is not a thread that Retake shared.",
  );
}

/** The encrypted body, or the reason why there is none. */
async function fetchShare(address: URL, share: string): Promise<Uint8Array | string> {
  const { path, headers } = syncRequest("readShare", { share });
  try {
    const response = await fetch(new URL(`..${path}`, address), { headers, referrerPolicy: "no-referrer" });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const body: unknown = response.ok ? bytes : JSON.parse(new TextDecoder().decode(bytes));
    const outcome = syncOutcome("readShare", { status: response.status, body });
    if (outcome.kind === "answer") return outcome.answer;
    if (outcome.kind === "refused" && ["not-found", "invalid-request"].includes(outcome.code))
      return "This thread is not shared any more, or the link is wrong.";
    return `The server did not send the thread: ${outcome.message} Try again later.`;
  } catch {
    return "The server cannot be reached. Try again later.";
  }
}

/** Undefined when it was encrypted with another key, or for another link. */
async function decrypted(key: Uint8Array, sealed: Uint8Array, share: string): Promise<string | undefined> {
  const imported = await crypto.subtle.importKey("raw", key as BufferSource, "AES-GCM", false, ["decrypt"]);
  const parameters = {
    name: "AES-GCM",
    iv: sealed.subarray(0, NONCE_BYTES) as BufferSource,
    additionalData: new TextEncoder().encode(shareData(share)),
  };
  try {
    const padded = await crypto.subtle.decrypt(parameters, imported, sealed.subarray(NONCE_BYTES) as BufferSource);
    const packed = unpad(new Uint8Array(padded));
    if (!packed) return undefined;
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return await new Response(unpacked).text();
  } catch {
    return undefined;
  }
}

function bytesOf(base64url: string): Uint8Array | undefined {
  // 32 bytes without padding; other lengths may be none that `atob` takes.
  if (!/^[\w-]{43}$/.test(base64url)) return undefined;
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function failed(message: string): OpenedShare {
  return { kind: "failed", message };
}

const NONCE_BYTES = 12;
