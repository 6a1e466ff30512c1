import { canonical, type Part } from "@retake/core";

/** Providers count about 1,500 tokens for a screenshot. */
const IMAGE_CHARACTERS = 6000;

/** How many characters a part counts for the model. */
export function charactersOf(part: Part): number {
  switch (part.type) {
    case "text":
    case "thinking":
      return part.text.length;
    case "image":
      return IMAGE_CHARACTERS;
    case "tool-call":
      return part.name.length + canonical(part.input).length;
    case "tool-result":
      return part.output.length;
  }
}
