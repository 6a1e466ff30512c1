import { grouped } from "@retake/core";

/** Text of at most `longest` characters, and how many were cut; no character is cut in half. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const kept = cutEnd(text, longest);
  return `${kept}… (${count(text.length - kept.length)} more characters)`;
}

/** The first `longest` characters, or one less where the last would be half a pair. */
export function cutEnd(text: string, longest: number): string {
  const half = text.length > longest && isHighSurrogate(text.charCodeAt(longest - 1));
  return text.slice(0, half ? longest - 1 : longest);
}

/** The last `longest` characters, or one less. */
export function cutStart(text: string, longest: number): string {
  const start = Math.max(0, text.length - longest);
  const half = start > 0 && isHighSurrogate(text.charCodeAt(start - 1));
  return text.slice(half ? start + 1 : start);
}

/** A number as people read it, with what it counts where that is said. */
export function count(number: number, noun?: string): string {
  const shown = grouped(number);
  if (noun === undefined) return shown;
  const plural = noun.endsWith("ch") ? `${noun}es` : `${noun}s`;
  return `${shown} ${number === 1 ? noun : plural}`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
