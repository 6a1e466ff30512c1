import { ByteReader, ByteWriter } from "../model/byte-codec.ts";
import { isUncovered, type RecordedState, readState, writeState } from "../model/state-codec.ts";

/** The size of the longest state: a tag, a mode, a hash, and a size of eight bytes. */
const STATE_BYTES = 44;
const writer = new ByteWriter();

/**
 * The states of a directory's entries as bytes. Every command reads a listing of 100,000 files from the stat cache, and
 * never uses most of the states; so each is decoded on request.
 */
export class PackedStates {
  readonly bytes: Buffer;

  /** Copies the states of `count` entries from `bytes`. */
  constructor(count: number, bytes?: Uint8Array) {
    this.bytes = bytes ? Buffer.from(bytes) : Buffer.alloc(count * STATE_BYTES);
  }

  static of(states: readonly (RecordedState | undefined)[]): PackedStates {
    const packed = new PackedStates(states.length);
    states.forEach((state, index) => {
      if (state) packed.set(index, state);
    });
    return packed;
  }

  static byteLength(count: number): number {
    return count * STATE_BYTES;
  }

  get length(): number {
    return this.bytes.length / STATE_BYTES;
  }

  get(index: number): RecordedState | undefined {
    const at = index * STATE_BYTES;
    if (!this.bytes[at]) return undefined;
    return readState(new ByteReader(this.bytes.subarray(at, at + STATE_BYTES)));
  }

  set(index: number, state: RecordedState | undefined): void {
    writeState(writer, state);
    this.bytes.set(writer.take(), index * STATE_BYTES);
  }

  isUncovered(index: number): boolean {
    return isUncovered(this.bytes[index * STATE_BYTES] ?? 0);
  }
}
