import { lastRedoable, lastUndoable, recordOf, runningTurn } from "@retake/core";
import { useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { redo, undoTurns } from "../commands/history-commands.ts";
import { overlay } from "../commands/overlay.ts";
import {
  clear,
  compress,
  deleteThread,
  pinThread,
  renameThread,
  reset,
  truncate,
} from "../commands/thread-commands.ts";
import { useTitle } from "../data/key-choices.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { threads } from "../data/threads.ts";
import { changePanels, panels, showTab } from "../data/view-state.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { NameForm } from "../parts/name-form.tsx";
import { SidebarButton } from "./sidebar-button.tsx";
import { Takes } from "./takes.tsx";

/** The thread's title, its takes, and the ways back. */
export function TopBar({ session }: { readonly session: Session }) {
  const running = useStore(session.store, ({ view }) => view && runningTurn(view.state, view.take) !== undefined);
  const undoable = useStore(session.store, ({ view }) => view && lastUndoable(view.state, view.take) !== undefined);
  const redoable = useStore(session.store, ({ view }) => view && lastRedoable(view.state, view.take) !== undefined);
  const summary = useStore(threads, ({ list }) => list?.find(({ id }) => id === session.thread));
  const { inspector } = useStore(panels);
  const [naming, setNaming] = useState(false);
  const { thread } = session;
  // A deleted thread is in no list.
  const ownTitle = useStore(session.store, ({ view }) => view && recordOf(view.state, "thread")?.["title"]);
  const title = summary?.title ?? String(ownTitle ?? "…");
  const titles = {
    undo: useTitle("Take back the last turn: conversation and files", "undo-turn"),
    redo: useTitle("Bring back what was undone", "redo"),
    changes: useTitle("Review what changed in your files", "show-changes"),
    inspector: useTitle("Inspector", "toggle-inspector"),
  };
  const why = running ? "A turn runs: stop it first" : undefined;
  return (
    <header className="top-bar">
      <SidebarButton />
      <h1 className="thread-title" title={title}>
        {title}
      </h1>
      <Menu
        label="More for this thread"
        items={[
          { label: "Rename thread", icon: "edit", run: () => setNaming(true) },
          {
            label: summary?.pinned ? "Unpin" : "Pin",
            icon: "pin",
            run: () => void pinThread(thread, !summary?.pinned),
          },
          { label: "Find in this thread", icon: "search", action: "find", run: () => overlay.set("find") },
          "line",
          { label: "Keep only the last pair", icon: "list", run: () => void truncate(thread, 1) },
          { label: "Compress older turns", icon: "list", run: () => void compress(thread) },
          { label: "Clear this take", icon: "trash", run: () => void clear(thread) },
          { label: "Reset the thread", icon: "trash", run: () => void reset(thread) },
          "line",
          {
            label: "Delete thread",
            icon: "trash",
            run: async () => {
              const next = await deleteThread(thread);
              if (next) navigate(next);
            },
          },
        ]}
      />
      <Takes session={session} />
      <div className="ways-back">
        <button
          type="button"
          className="button"
          disabled={running || !undoable}
          title={why ?? titles.undo}
          onClick={() => void undoTurns(thread)}
        >
          <Icon name="undo" /> <span>Undo</span>
        </button>
        <button
          type="button"
          className="button icon-when-narrow"
          disabled={running || !redoable}
          title={why ?? titles.redo}
          onClick={() => void redo(thread)}
        >
          <Icon name="redo" /> <span>Redo</span>
        </button>
        <button type="button" className="button wide-only" title={titles.changes} onClick={() => showTab("changes")}>
          <Icon name="file" /> <span>Changes</span>
        </button>
        <button
          type="button"
          className="icon-button wide-screen-only"
          aria-label={inspector ? "Hide the inspector" : "Show the inspector"}
          aria-pressed={inspector}
          title={titles.inspector}
          onClick={() => changePanels({ inspector: !inspector })}
        >
          <Icon name="inspector" />
        </button>
      </div>
      {naming && (
        <NameForm
          title="Rename the thread"
          value={title}
          onClose={() => setNaming(false)}
          onName={(name) => renameThread(thread, name)}
        />
      )}
    </header>
  );
}
