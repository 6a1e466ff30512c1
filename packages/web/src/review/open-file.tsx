import { useState } from "react";
import { addToDraft } from "../composer/draft-field.ts";
import { client } from "../data/connection.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { useAnswer } from "../data/use-answer.ts";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import type { Points } from "./diff-source.ts";
import { type DiffedFile, type Hunk, type HunkActions, Hunks } from "./hunks.tsx";
import { ImageSides, isImage } from "./image-sides.tsx";
import { changeKey, seenChanges, toggleSeen } from "./seen.ts";
import { useWriters } from "./use-writers.ts";

export interface OpenFileProps {
  readonly session: Session;
  readonly points: Points;
  readonly path: string;
  readonly version: number | undefined;
  readonly onTakeBackFile: (() => void) | undefined;
  /** Brings the whole file back, which was taken back. */
  readonly onBringBackFile: (() => void) | undefined;
  readonly actions: Omit<HunkActions, "onComment">;
}

/** One file of a review: its hunks, or the two sides of an image. */
export function OpenFile({ session, points, path, version, onTakeBackFile, onBringBackFile, actions }: OpenFileProps) {
  const { thread } = session;
  const found = useAnswer(() => client.diffThread(thread, { ...points, path, hunks: true }), [version]);
  const file: DiffedFile | undefined = found.answer?.files.find((each) => each.path === path);
  const seen = useStore(seenChanges);
  const [blames, setBlames] = useState(false);
  const { writers, failure } = useWriters(session, { path, at: points.to ?? "now", isWanted: blames, version });
  const comment = ({ new_start }: Hunk) => addToDraft(`${path}:${new_start}: `);
  return (
    <div className={`min-h-0 flex-1 overflow-y-auto ${onBringBackFile ? "taken-back" : ""}`} data-testid="open-file">
      <div className="flex flex-wrap items-center gap-2 px-4 py-2">
        <h3 className="min-w-0 basis-full font-mono text-xs font-semibold wrap-anywhere">{path}</h3>
        {file && (
          <label className="seen-switch">
            <input type="checkbox" checked={seen.has(changeKey(file))} onChange={() => toggleSeen(file)} />
            Seen
          </label>
        )}
        {file?.hunks && file.status !== "removed" && (
          <button type="button" className="small-button" aria-pressed={blames} onClick={() => setBlames(!blames)}>
            Who wrote it
          </button>
        )}
        {onBringBackFile ? (
          <button type="button" className="button ml-auto" onClick={onBringBackFile}>
            <Icon name="redo" /> Bring back this file
          </button>
        ) : (
          onTakeBackFile && (
            <button type="button" className="button ml-auto" onClick={onTakeBackFile}>
              <Icon name="undo" /> Take back this file
            </button>
          )
        )}
      </div>
      <Failure text={found.failure ?? failure} />
      {file?.binary && isImage(path) ? (
        <ImageSides
          thread={thread}
          file={file}
          from={points.from ?? session.store.value.view?.state.head ?? "now"}
          to={points.to ?? "now"}
        />
      ) : (
        file && (
          <Hunks
            file={file}
            actions={onBringBackFile ? {} : { ...actionsOn(file, actions), writers, onComment: comment }}
          />
        )
      )}
    </div>
  );
}

/** A file that came or went is taken back as a whole. */
function actionsOn({ status }: DiffedFile, actions: OpenFileProps["actions"]): OpenFileProps["actions"] {
  return status === "modified" ? actions : {};
}
