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
export function pad(content: Uint8Array): Buffer {
  const padded = Buffer.alloc(paddedLength(HEAD + content.length));
  padded.writeUInt32BE(content.length);
  padded.set(content, HEAD);
  return padded;
}

export function unpad(padded: Buffer): Buffer | undefined {
  if (padded.length < HEAD) return undefined;
  const length = padded.readUInt32BE();
  return HEAD + length > padded.length ? undefined : padded.subarray(HEAD, HEAD + length);
}

const HEAD = 4;
