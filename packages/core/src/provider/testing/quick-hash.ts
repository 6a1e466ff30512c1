/** A fast hash for tests, in plain JavaScript: two lanes of FNV-1a, enough to avoid collisions in tests. */
export function quickHash(text: string): string {
  let left = 0x811c9dc5;
  let right = 0x01000193;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    left = Math.imul(left ^ code, 0x01000193);
    right = Math.imul(right + code + (left >>> 15), 0x85ebca6b);
  }
  return `${(left >>> 0).toString(16)}${(right >>> 0).toString(16)}${text.length.toString(16)}`;
}
