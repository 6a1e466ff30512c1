/** The state of the browser's history by which the search screen knows that Back leads to a screen of this page. */
export const FROM_HERE = "from-here";

export function searchAddress(words: string): string {
  return `/search?q=${encodeURIComponent(words.trim())}`;
}
