import { type Attachment, attachmentKey } from "../session/attachment.ts";
import { fenced } from "../values/fence.ts";
import type { ImagePart } from "./message.ts";
import { saysSomething } from "./sendable-text.ts";

/**
 * Instructions, context files and images in a request. They are attached to entries and never moved: a file that changes
 * is shown again where the change was noticed, as the lines that differ, and everything before it stays byte for byte
 * the same. So the provider's cache survives, and so does thinking that is bound to what was sent before it.
 *
 * The entry that begins the conversation gives its texts to the system prompt; later entries show theirs before their own
 * text.
 */
export class AttachedContext {
  readonly #contents: AttachedContents;
  readonly #newest = new Map<string, Attachment>();

  constructor(contents: AttachedContents = NO_CONTENTS) {
    this.#contents = contents;
  }

  /** The newest version of everything that the request shows, by `attachmentKey`. */
  get known(): ReadonlyMap<string, Attachment> {
    return this.#newest;
  }

  /** The texts and images of these attachments that are not shown yet. */
  add(attachments: readonly Attachment[]): AttachedParts {
    const texts: string[] = [];
    const images: ImagePart[] = [];
    for (const attachment of attachments) {
      const before = this.#newest.get(attachmentKey(attachment));
      if (before?.digest === attachment.digest || !this.#contents.wanted(attachment)) continue;
      if (attachment.kind === "screenshot" || attachment.kind === "image") {
        images.push(imagePart(attachment));
      } else {
        const text = this.#render(attachment, before);
        if (text === undefined) continue;
        texts.push(text);
      }
      this.#newest.set(attachmentKey(attachment), attachment);
    }
    return { texts, images };
  }

  /** Undefined when this machine does not have the text, or it says nothing. */
  #render(attachment: Attachment, before: Attachment | undefined): string | undefined {
    const { name, digest, kind } = attachment;
    const title = TITLES[kind as keyof typeof TITLES](name.toWellFormed());
    if (digest === "") return before && `# ${title}\n\n(It was removed: what it said before no longer applies.)`;
    const text = this.#contents.text(digest)?.toWellFormed();
    if (text === undefined || !saysSomething(text)) return undefined;
    const old = before && before.digest !== "" ? this.#contents.text(before.digest) : undefined;
    const changes = old === undefined || kind === "environment" ? undefined : this.#contents.changes(old, text);
    if (changes !== undefined && changes.length < text.length / 2)
      return `# ${title}: lines that changed since it was last shown\n\n${fenced(changes.toWellFormed())}`;
    const whole = kind === "context-file" ? fenced(text) : text;
    return `# ${title}${before ? ", as it is now" : ""}\n\n${whole}`;
  }
}

/** The contents of attachments, by the runtime that holds them. */
export interface AttachedContents {
  /** Undefined when this machine does not have it. */
  text(digest: string): string | undefined;
  /** The lines that differ, for the model to read. */
  changes(before: string, after: string): string;
  /** Whether it may still be sent: the user can take a context file out of the thread. */
  wanted(attachment: Attachment): boolean;
}

export interface AttachedParts {
  readonly texts: readonly string[];
  readonly images: readonly ImagePart[];
}

/** Texts in a user's message that the user did not write. */
export function markedAsAttached(texts: readonly string[]): string {
  return `[Added by Retake; the user did not write this]\n\n${texts.join("\n\n")}\n\n[End of what Retake added]`;
}

const NO_CONTENTS: AttachedContents = { text: () => undefined, changes: () => "", wanted: () => true };

const TITLES = {
  environment: (name: string) => `Environment: ${name}`,
  instructions: (name: string) => `Instructions in ${name}`,
  "context-file": (name: string) => `Context file ${name}`,
} as const;

function imagePart({ name, digest, media_type, problem }: Attachment): ImagePart {
  const path = name.toWellFormed();
  const part = { type: "image", path, media_type: media_type ?? "", digest: digest.toWellFormed() } as const;
  return problem === undefined ? part : { ...part, problem: problem.toWellFormed() };
}
