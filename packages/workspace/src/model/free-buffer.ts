/** Frees a large buffer at once: V8 lets 64 MB of dead ones pile up in each thread before it collects them. */
export function freeBuffer({ buffer }: ArrayBufferView): void {
  // A small one may share its memory with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
