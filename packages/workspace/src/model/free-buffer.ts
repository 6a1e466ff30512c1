/** Frees a large buffer at once: V8 lets 64 MB of dead buffers accumulate in each thread before it collects them. */
export function freeBuffer({ buffer }: ArrayBufferView): void {
  // A small buffer may share its memory with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
