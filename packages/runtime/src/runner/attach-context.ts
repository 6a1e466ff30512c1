import { readFileSync, statSync } from "node:fs";
import {
  type AttachedContents,
  type Attachment,
  attachedTo,
  attachmentKey,
  attachmentsOf,
  entries,
  pathsIn,
  type State,
  type TakeId,
} from "@retake/core";
import type { Attachments } from "../store/attachments.ts";
import { changedLines } from "../tools/preview-change.ts";
import type { ToolImage } from "../tools/tool.ts";
import { findInstructions, type InstructionFile, OF_THE_USER } from "./find-instructions.ts";
import type { OutsideFiles } from "./outside-files.ts";
import type { EnvironmentFacts } from "./read-environment.ts";
import { MOST_IMAGES, readImages } from "./read-images.ts";

/** Where instructions, context files and screenshots are found, and where their contents are kept. */
export interface ContextPlaces {
  readonly root: string;
  readonly config: string;
  readonly outside: OutsideFiles;
  readonly attachments: Attachments;
}

/**
 * Attachments for the next prompt: the parts of the context that the conversation does not show yet or that changed
 * since. A context file outside the workspace is read only with the user's approval.
 */
export function attachContext(
  state: State,
  take: TakeId,
  environment: EnvironmentFacts,
  places: ContextPlaces,
): readonly Attachment[] {
  const { attachments, outside } = places;
  const shown = attachedTo([...entries(state, take)], attachedContents(state, take, places));
  const instructions = findInstructions(places);
  const given = new Set(instructions.map(({ name }) => name));
  const now: Attachment[] = [
    ...[...environment].map(([name, text]) => attach("environment", name, text, attachments)),
    ...instructions.map(({ name, text }) => attach("instructions", name, text, attachments)),
    ...pathsIn(state, take, "context")
      .filter(({ path }) => !given.has(path) && outside.find(path) !== undefined)
      .map(({ path }) => attach("context-file", path, contextText(outside, path), attachments)),
    ...readImages(
      outside,
      pathsIn(state, take, "screenshot").map(({ path }) => path),
      attachments,
    ),
  ];
  const keys = new Set(now.map(attachmentKey));
  const gone = [...shown.values()].filter(
    (each) => each.kind === "instructions" && !keys.has(attachmentKey(each)) && isOfRoot(each) && each.digest !== "",
  );
  return [
    ...now.filter((each) => shown.get(attachmentKey(each))?.digest !== each.digest),
    ...gone.map((each) => ({ ...each, digest: "" })),
  ];
}

/** The instructions of subdirectories, for the result of the first call that touches a file there. */
export function attachInstructions(files: readonly InstructionFile[], attachments: Attachments): Attachment[] {
  return files.map(({ name, text }) => attach("instructions", name, text, attachments));
}

/** Images of a tool's result. `shown` is how many the conversation has: a request may have only so many. */
export function attachImages(
  images: readonly ToolImage[],
  shown: number,
  attachments: Pick<Attachments, "put">,
): Attachment[] {
  return images.map(({ path: name, media_type, data }, index): Attachment => {
    const digest = attachments.put(data);
    const image = { kind: "image", name, digest, media_type } as const;
    return shown + index < MOST_IMAGES ? image : { ...image, problem: `only the first ${MOST_IMAGES} images are sent` };
  });
}

export function imageCount(state: State, take: TakeId): number {
  let images = 0;
  for (const entry of entries(state, take)) {
    for (const { kind, problem } of attachmentsOf(entry))
      if ((kind === "image" || kind === "screenshot") && problem === undefined) images += 1;
  }
  return images;
}

/**
 * The attached contents that the model may see: context files and screenshots as long as the thread lists them, and no
 * file outside the workspace without the user's approval, also when the approval was withdrawn later.
 */
export function attachedContents(
  state: State,
  take: TakeId,
  { attachments, outside }: Pick<ContextPlaces, "attachments" | "outside">,
): AttachedContents {
  const listed = new Set([
    ...pathsIn(state, take, "context").map(({ path }) => `context-file ${path}`),
    ...pathsIn(state, take, "screenshot").map(({ path }) => `screenshot ${path}`),
  ]);
  return {
    text: (digest) => attachments.text(digest),
    changes: (before, after) => changedLines(Buffer.from(before), Buffer.from(after))?.join("\n") ?? after,
    wanted: (each) => {
      const { kind, name, problem } = each;
      if (kind === "context-file") return listed.has(attachmentKey(each)) && outside.find(name) !== undefined;
      if (kind === "screenshot")
        return listed.has(attachmentKey(each)) && (problem !== undefined || outside.find(name) !== undefined);
      return kind !== "instructions" || !isOfWorkspace(each) || outside.find(name) !== undefined;
    },
  };
}

/** The listed files that are not sent because they lie outside the workspace, in words for the user. */
export function outsideNotices(state: State, take: TakeId, outside: OutsideFiles): string[] {
  const paths = (list: "context" | "screenshot") => pathsIn(state, take, list).map(({ path }) => path);
  const add = (path: string) => `retake context add ${path} --outside`;
  return [
    ...["AGENTS.md", "CLAUDE.md", ...paths("context")].map((path) => ({ path, yes: add(path) })),
    ...paths("screenshot").map((path) => ({ path, yes: "retake settings screenshots <paths> --outside" })),
  ]
    .filter(({ path }, index, all) => all.findIndex((each) => each.path === path) === index)
    .filter(({ path }) => outside.find(path) === undefined)
    .map(({ path, yes }) => `${path} leads out of the workspace and was not sent to the model. To send it: ${yes}`);
}

function attach(kind: Attachment["kind"], name: string, text: string, attachments: Attachments): Attachment {
  return { kind, name, digest: attachments.put(text) };
}

function isOfWorkspace({ name }: Attachment): boolean {
  return !name.startsWith("../") && !name.endsWith(OF_THE_USER);
}

/** Instructions of subdirectories are looked at when a file there is touched, and not at every prompt. */
function isOfRoot({ name }: Attachment): boolean {
  return !name.includes("/") || name.startsWith("../");
}

/** Longer texts are no context that fits a request. */
const LONGEST = 256 * 1024;

function contextText(outside: OutsideFiles, path: string): string {
  const file = outside.find(path) ?? "";
  try {
    const stats = statSync(file);
    // Reading a FIFO would wait for ever.
    if (!stats.isFile()) return "(cannot be read: it is not a file)";
    if (stats.size > LONGEST) return `(not sent: it is larger than ${LONGEST / 1024} KB)`;
    return readFileSync(file, "utf8").toWellFormed();
  } catch {
    return "(cannot be read)";
  }
}
