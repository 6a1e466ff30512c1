/**
 * Padmé: a length keeps only its highest bits, so that sizes tell little and at most 12 % is added. Of a length of e.g.
 * 1,000,000, the last 15 bits are rounded up.
 */
export function paddedLength(length: number): number {
  if (length < 2) return length;
  const exponent = Math.floor(Math.log2(length));
  const rounding = 2 ** (exponent - Math.floor(Math.log2(exponent)) - 1);
  return Math.ceil(length / rounding) * rounding;
}

/** The length of the content, the content, and zeros. */
export function pad(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(paddedLength(HEAD + content.length));
  new DataView(padded.buffer).setUint32(0, content.length);
  padded.set(content, HEAD);
  return padded;
}

export function unpad<Bytes extends ArrayBufferLike>(padded: Uint8Array<Bytes>): Uint8Array<Bytes> | undefined {
  if (padded.length < HEAD) return undefined;
  const length = new DataView(padded.buffer, padded.byteOffset).getUint32(0);
  return HEAD + length > padded.length ? undefined : padded.subarray(HEAD, HEAD + length);
}

const HEAD = 4;
