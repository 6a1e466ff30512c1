import { isObject, type JsonObject } from "../values/json.ts";

/**
 * Something that an entry shows to the model besides its own text: instructions, a context file, an image. The entry
 * names the content by its hash; the runtime of each machine holds the contents. So an attachment never changes once it
 * was sent, and a change of the file is attached to a later entry.
 */
export type Attachment = JsonObject & {
  readonly kind: AttachmentKind;
  /** A path, or the name of a group of facts about the environment. */
  readonly name: string;
  /** Hash of the content; empty when the file is gone. */
  readonly digest: string;
  /** For an image. */
  readonly media_type?: string;
  /** Why no model can be shown the image; the message then says so instead. */
  readonly problem?: string;
};

export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

/** `screenshot` is an image that the user picked for the thread, `image` one that a tool or a prompt brought. */
export const ATTACHMENT_KINDS = ["environment", "instructions", "context-file", "screenshot", "image"] as const;

/** The attachments of an entry. Entries may come from other versions: unknown kinds are left out. */
export function attachmentsOf({ attached }: { readonly attached?: unknown }): readonly Attachment[] {
  return Array.isArray(attached) ? attached.filter(isAttachment) : [];
}

/** Two attachments with the same key are versions of the same thing. */
export function attachmentKey({ kind, name }: Attachment): string {
  return `${kind} ${name}`;
}

function isAttachment(value: unknown): value is Attachment {
  if (!isObject(value)) return false;
  const known = (ATTACHMENT_KINDS as readonly unknown[]).includes(value["kind"]);
  return known && typeof value["name"] === "string" && typeof value["digest"] === "string";
}
