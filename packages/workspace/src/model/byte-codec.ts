/** A growing buffer for unsigned varints and byte strings. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(1024);
  #length = 0;

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#length++] = rest;
  }

  latin1(text: string): void {
    this.varint(text.length);
    this.#reserve(text.length);
    this.#length += this.#buffer.write(text, this.#length, "latin1");
  }

  bytes(content: Uint8Array): void {
    this.#reserve(content.byteLength);
    this.#buffer.set(content, this.#length);
    this.#length += content.byteLength;
  }

  hex(text: string): void {
    this.#reserve(text.length / 2);
    this.#length += this.#buffer.write(text, this.#length, "hex");
  }

  /** Writes a path after another one, without the prefix that they share. */
  path(path: string, previous: string): void {
    const shared = commonPrefix(path, previous);
    this.varint(shared);
    this.latin1(path.slice(shared));
  }

  get length(): number {
    return this.#length;
  }

  finish(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }

  /** Returns a view without a copy. It is valid until the next write, which starts from the beginning. */
  take(): Buffer {
    const content = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    return content;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/** Reads the output of a ByteWriter. Throws a RangeError at the end of the bytes. */
export class ByteReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get done(): boolean {
    return this.#at >= this.#buffer.length;
  }

  byte(): number {
    const value = this.#buffer[this.#at];
    if (value === undefined) throw new RangeError("The bytes end in the middle of a record");
    this.#at += 1;
    return value;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const part = this.byte();
      value += (part & 0x7f) * scale;
      if (part < 0x80) return value;
    }
  }

  latin1(): string {
    return this.#text(this.varint(), "latin1");
  }

  bytes(length: number): Buffer {
    const from = this.#pass(length);
    return this.#buffer.subarray(from, this.#at);
  }

  hex(bytes: number): string {
    return this.#text(bytes, "hex");
  }

  path(previous: string): string {
    const shared = this.varint();
    return previous.slice(0, shared) + this.latin1();
  }

  /** Without a view of the bytes in between: lists of changes hold three texts a file. */
  #text(length: number, encoding: "latin1" | "hex"): string {
    const from = this.#pass(length);
    return this.#buffer.toString(encoding, from, this.#at);
  }

  /** Goes past so many bytes; returns where they begin. */
  #pass(length: number): number {
    const from = this.#at;
    if (from + length > this.#buffer.length) throw new RangeError("The bytes end in the middle of a record");
    this.#at += length;
    return from;
  }
}

function commonPrefix(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}
