/** Hebrew, Arabic and their neighbours. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b][\udc00-\udfff]/;

/**
 * The class of a text whose paragraphs may begin on either side. Only a text with letters that are written from right to left has
 * it: with it, a browser takes minutes for a paragraph of some megabytes.
 */
export function sidesOf(text: string): "either-side" | "" {
  return FROM_RIGHT.test(text) ? "either-side" : "";
}
