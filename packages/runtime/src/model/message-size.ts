import { canonical, type Part } from "@retake/core";

/** How many characters of a part a model reads. */
export function charactersOf(part: Part): number {
  switch (part.type) {
    case "text":
    case "thinking":
      return part.text.length;
    case "tool-call":
      return part.name.length + canonical(part.input).length;
    case "tool-result":
      return part.output.length;
  }
}
