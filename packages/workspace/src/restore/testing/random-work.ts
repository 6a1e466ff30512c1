import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import type { BytePath } from "../../model/model.ts";
import { parentOf } from "../../model/path-bytes.ts";
import type { Sandbox } from "./sandbox.ts";

/** A change that somebody makes in a workspace. */
export type Deed =
  | { readonly kind: "write"; readonly path: BytePath; readonly lines: number; readonly mode: number }
  | { readonly kind: "edit"; readonly path: BytePath; readonly line: number }
  | { readonly kind: "binary"; readonly path: BytePath; readonly byte: number }
  | { readonly kind: "link"; readonly path: BytePath; readonly to: string }
  | { readonly kind: "mkdir"; readonly path: BytePath; readonly mode: number }
  | { readonly kind: "remove"; readonly path: BytePath }
  | { readonly kind: "chmod"; readonly path: BytePath; readonly mode: number }
  | { readonly kind: "rename"; readonly path: BytePath; readonly to: BytePath };

// Few names, so that changes collide; one is not UTF-8, one is full of characters that are special in shells.
const name = fc.constantFrom("a", "b", "c", "caf\xe9", "- $'\n");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const mode = fc.constantFrom(0o644, 0o755, 0o600, 0o640);

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("write" as const), path, lines: fc.nat(9), mode }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("edit" as const), path, line: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("binary" as const), path, byte: fc.nat(255) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("link" as const), path, to: fc.constantFrom("a", "../x", "/etc") }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("mkdir" as const), path, mode: fc.constantFrom(0o755, 0o711) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("remove" as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("chmod" as const), path, mode }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rename" as const), path, to: path }) },
);

export const deeds = (most: number) => fc.array(deed, { maxLength: most });

/** Makes the changes. Every line that `who` writes is unique, so that it can be found again. */
export function work(sandbox: Sandbox, who: string, list: readonly Deed[]): void {
  for (const [index, action] of list.entries()) perform(sandbox, `${who} ${index}`, action);
}

function perform(sandbox: Sandbox, token: string, deed: Deed): void {
  const place = sandbox.path(deed.path);
  const kind = kindOf(sandbox, deed.path);
  if (deed.kind === "remove") {
    if (kind !== "absent") rmSync(place, { recursive: true });
  } else if (deed.kind === "chmod") {
    if (kind === "file") chmodSync(place, deed.mode);
  } else if (deed.kind === "edit") {
    if (kind !== "file") return;
    const lines = readFileSync(place, "latin1").split("\n");
    lines.splice(deed.line % lines.length, deed.line % 2, `${token} edit`);
    writeFileSync(place, lines.join("\n"), "latin1");
  } else if (deed.kind === "rename") {
    const nested = `${deed.to}/`.startsWith(`${deed.path}/`) || `${deed.path}/`.startsWith(`${deed.to}/`);
    if (kind === "absent" || nested || !makeRoom(sandbox, deed.to)) return;
    if (kindOf(sandbox, deed.path) !== "absent") renameSync(place, sandbox.path(deed.to));
  } else if (makeRoom(sandbox, deed.path)) make(place, token, deed);
}

function make(place: string | Buffer, token: string, deed: Deed): void {
  if (deed.kind === "link") symlinkSync(deed.to, place);
  if (deed.kind === "binary") writeFileSync(place, Buffer.from([0, deed.byte, 0]));
  if (deed.kind === "mkdir") {
    mkdirSync(place);
    chmodSync(place, deed.mode);
  }
  if (deed.kind === "write") {
    writeFileSync(place, Array.from({ length: deed.lines }, (_, line) => `${token} line ${line}\n`).join(""));
    chmodSync(place, deed.mode);
  }
}

/** Makes `path` absent and its parents directories; gives up when a link is in the way. */
function makeRoom(sandbox: Sandbox, path: BytePath): boolean {
  for (let at = parentOf(path); at !== ""; at = parentOf(at)) {
    const kind = kindOf(sandbox, at);
    if (kind === "link") return false;
    if (kind === "file") rmSync(sandbox.path(at));
  }
  if (kindOf(sandbox, path) !== "absent") rmSync(sandbox.path(path), { recursive: true });
  if (parentOf(path) !== "") mkdirSync(sandbox.path(parentOf(path)), { recursive: true });
  return true;
}

type Kind = "absent" | "file" | "link" | "directory";

/** From the top, so that no link is followed. */
function kindOf(sandbox: Sandbox, path: BytePath): Kind {
  const parent = parentOf(path);
  if (parent !== "" && kindOf(sandbox, parent) !== "directory") return "absent";
  const stats = lstatSync(sandbox.path(path), { throwIfNoEntry: false });
  if (!stats) return "absent";
  return stats.isSymbolicLink() ? "link" : stats.isDirectory() ? "directory" : "file";
}
