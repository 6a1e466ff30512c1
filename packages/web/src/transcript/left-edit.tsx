import type { Entry } from "@retake/core";
import { discardEdit, leftEdits, startEditing } from "../commands/entry-commands.ts";
import { useStore } from "../data/store.ts";

/** Says below an entry that an edit of it was left and is not saved. */
export function LeftEdit({ entry, name }: { readonly entry: Entry | undefined; readonly name: string }) {
  const isLeft = useStore(leftEdits, (edits) => entry !== undefined && edits[entry.id] !== undefined);
  if (!entry || !isLeft) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm">
      <span className="badge warn">unsaved edit</span>
      <button type="button" className="small-button strong" onClick={() => startEditing(entry)}>
        Go on editing <span className="sr-only">{name}</span>
      </button>
      <button type="button" className="small-button" onClick={() => discardEdit(entry.id)}>
        Discard <span className="sr-only">the edit of {name}</span>
      </button>
    </p>
  );
}
