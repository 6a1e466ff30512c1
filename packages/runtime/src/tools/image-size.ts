/** The longer side of an image in pixels, from its header. Undefined where the header does not say it. */
export function longerSide(data: Buffer): number | undefined {
  if (data.length < LONGEST_HEADER) return undefined;
  const begins = data.toString("latin1", 0, 16);
  if (begins.startsWith("\x89PNG")) return Math.max(data.readUInt32BE(16), data.readUInt32BE(20));
  if (begins.startsWith("GIF8")) return Math.max(data.readUInt16LE(6), data.readUInt16LE(8));
  if (begins.startsWith("\xff\xd8")) return inJpeg(data);
  return begins.startsWith("RIFF") ? inWebp(begins.slice(12), data) : undefined;
}

/** Without the segments of a JPEG that come before its size. */
const LONGEST_HEADER = 30;

function inWebp(kind: string, data: Buffer): number | undefined {
  if (kind === "VP8 ") return Math.max(data.readUInt16LE(26) & 0x3fff, data.readUInt16LE(28) & 0x3fff);
  if (kind === "VP8X") return Math.max(data.readUIntLE(24, 3), data.readUIntLE(27, 3)) + 1;
  const bits = data.readUInt32LE(21);
  return kind === "VP8L" ? Math.max(bits & 0x3fff, (bits >> 14) & 0x3fff) + 1 : undefined;
}

/** A JPEG is a list of segments with their lengths; the one that begins a frame has the size. */
function inJpeg(data: Buffer): number | undefined {
  let at = 2;
  while (at + 9 <= data.length && data[at] === 0xff) {
    const marker = data.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return Math.max(data.readUInt16BE(at + 5), data.readUInt16BE(at + 7));
    // Any number of 0xff may stand before a marker.
    at += marker === 0xff ? 1 : 2 + data.readUInt16BE(at + 2);
  }
  return undefined;
}
