import { contentFolders } from "../store/content-folder.ts";
import type { Problem } from "./problem.ts";

/**
 * Checks attached contents and images: each is what its name says, and none that a thread names is gone. `named`: the
 * hashes that threads contain.
 */
export function* checkAttached(data: string, named: ReadonlySet<string>): Generator<Problem> {
  for (const folder of contentFolders(data)) {
    for (const file of folder.files()) {
      if (!file.isWhole || !folder.isDamaged(file)) continue;
      const message = `${folder.path(file.name)} was changed: it is not what the model was shown. Delete it; the next turn keeps it anew if the file is still there.`;
      yield { code: "damaged-attachment", message, repairable: false };
    }
    for (const name of folder.lost()) {
      if (!named.has(name.slice(0, 64))) continue;
      const message = `${folder.path(name)} is gone: a thread names it, and the model is not shown it any more. The next turn keeps it anew if the file is still there.`;
      yield { code: "missing-attachment", message, repairable: false };
    }
  }
}
