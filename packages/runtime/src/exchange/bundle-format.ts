import type { Change, Hash, RecordedState } from "@retake/workspace";

/**
 * X12: a bundle is a thread in one file, for another machine: its operations as they are stored, the trees that they
 * name, and the content of all files in those. It contains nothing about the store that it comes from, so an import
 * only adds what is missing and changes nothing.
 *
 * It is JSON lines, compressed with zstd in frames of at most `FRAME_BYTES` each, which any zstd reads as one file:
 *
 *     header                        {"format":"retake-bundle","format_version":2,"thread_id":…,"title":…}
 *     every operation               {"kind":"operation","hash":…,"body":"…"}       parents before their children
 *     every tree                    {"kind":"tree","name":…,"parent":…,"kept":…,"changes":2}    parents first as well
 *       and as many changes         {"kind":"change","path":…,"before":…,"after":…}  in the order of the paths' bytes
 *     every object                  {"kind":"object","hash":…,"size":…}
 *       in as many parts as needed  {"kind":"part","content":…}
 *     the end                       {"kind":"end","hash":…}   over all bytes before this line
 *
 * `body` is the stored text, byte for byte. The importer computes the name of a tree from its parent's name and its
 * changes. So captures between two that operations name are included too, with `kept` false and without their files.
 * When the changes do not lead from the parent, `from` names what they lead from: nothing ("") for the first tree of a
 * lineage, which is listed whole, or an earlier tree when garbage collection deleted those between. The name of such a
 * tree is not verified, and neither is that of a tree with `partial`: it holds back files that ignore rules name. They are
 * uncovered in it, so that no restore writes or deletes them.
 */
export const BUNDLE_FORMAT = "retake-bundle";
export const BUNDLE_VERSION = 2;

export const FRAME_BYTES = 1024 * 1024;
/** How many bytes of an object are in one line. */
export const PART_BYTES = 512 * 1024;

export type BundleHeader = {
  readonly format: typeof BUNDLE_FORMAT;
  readonly format_version: number;
  readonly thread_id: string;
  readonly title: string;
};

export type OperationLine = { readonly kind: "operation"; readonly hash: Hash; readonly body: string };

export type TreeLine = {
  readonly kind: "tree";
  readonly name: string;
  /** The tree it was made from; empty for the first capture of a workspace. */
  readonly parent: string;
  /** The tree that the changes lead from, when it is not the parent. */
  readonly from?: string;
  /** Whether an operation names it, so that its files are included. */
  readonly kept: boolean;
  readonly partial?: true;
  readonly changes: number;
};

/** A path is bytes, so it is written in base64. An absent side means that the path did not exist. */
export type ChangeLine = {
  readonly kind: "change";
  readonly path: string;
  readonly before?: RecordedState;
  readonly after?: RecordedState;
};

export type ObjectLine = { readonly kind: "object"; readonly hash: Hash; readonly size: number };
export type PartLine = { readonly kind: "part"; readonly content: string };
export type EndLine = { readonly kind: "end"; readonly hash: Hash };

export type BundleLine = OperationLine | TreeLine | ChangeLine | ObjectLine | PartLine | EndLine;

export function changeLine({ path, before, after }: Change): ChangeLine {
  const packed = Buffer.from(path, "latin1").toString("base64");
  return { kind: "change", path: packed, ...(before && { before }), ...(after && { after }) };
}
