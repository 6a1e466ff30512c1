import { type CaptureId, type FileState, showPath, type WorkspaceFiles } from "@retake/workspace";

export interface ListedFile {
  readonly path: string;
  readonly kind: FileState["kind"];
  readonly size?: number;
}

/**
 * The paths of a capture that contain a text, whatever its case: first those whose own name begins with it, then those
 * whose name contains it, then the others.
 */
export function filesMatching(workspace: WorkspaceFiles, capture: CaptureId, text: string): readonly ListedFile[] {
  const all = listed(workspace, capture);
  const wanted = text.toLowerCase();
  if (wanted === "") return all;
  const groups: [ListedFile[], ListedFile[], ListedFile[]] = [[], [], []];
  for (const file of all) {
    const path = file.path.toLowerCase();
    if (!path.includes(wanted)) continue;
    const name = path.slice(path.lastIndexOf("/") + 1);
    groups[name.startsWith(wanted) ? 0 : name.includes(wanted) ? 1 : 2].push(file);
  }
  return groups.flat();
}

/** The last list of each workspace: completion asks for the same files with every key. */
const LAST = new WeakMap<WorkspaceFiles, { readonly capture: CaptureId; readonly files: readonly ListedFile[] }>();

function listed(workspace: WorkspaceFiles, capture: CaptureId): readonly ListedFile[] {
  const known = LAST.get(workspace);
  if (known?.capture === capture) return known.files;
  const files = [...workspace.files(capture).entries()].map(([path, state]) => ({
    path: showPath(path),
    kind: state.kind,
    ...(state.kind === "directory" ? {} : { size: state.size }),
  }));
  LAST.set(workspace, { capture, files });
  return files;
}
