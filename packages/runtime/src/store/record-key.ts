/**
 * Record keys as SQLite stores them. JavaScript compares texts by UTF-16 units and SQLite by UTF-8 bytes; the two
 * orders differ for characters outside the basic plane, such as an emoji in a file name. Units from U+D7FF on
 * (including surrogates) are escapeUnit as U+D7FF and a character that counts from there, so that both orders agree.
 * Nearly all keys have no such units, and are stored unchanged.
 */
export function storedKey(key: string): string {
  return /[\ud7ff-\uffff]/.test(key) ? key.replace(/[\ud7ff-\uffff]/g, escapeUnit) : key;
}

export function keyFrom(stored: string): string {
  return stored.includes(ESCAPE) ? stored.replace(/\ud7ff(.)/gs, (_, unit: string) => unescapeUnit(unit)) : stored;
}

/** Sorts after every stored key and every place. */
export const END = "\ud7ff\ud7ff";

const ESCAPE = "\ud7ff";
const FIRST_UNIT = 0xd7ff;
const FIRST_WRITTEN = 0x1000;

function escapeUnit(unit: string): string {
  return ESCAPE + String.fromCharCode(unit.charCodeAt(0) - FIRST_UNIT + FIRST_WRITTEN);
}

function unescapeUnit(unit: string): string {
  return String.fromCharCode(unit.charCodeAt(0) - FIRST_WRITTEN + FIRST_UNIT);
}
