import { liveText } from "@retake/client";
import type { EntryRow as Row } from "@retake/client/screen";
import { AI, type Entry, preview, SYSTEM, TOOL, USER } from "@retake/core";
import { Suspense } from "react";
import {
  changeRole,
  copyLink,
  copyText,
  editing,
  insertBefore,
  removeEntry,
  startEditing,
  toggle,
} from "../commands/entry-commands.ts";
import { branchAt } from "../commands/history-commands.ts";
import { useTitle } from "../data/key-choices.ts";
import { useStore } from "../data/store.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Icon } from "../parts/icon.tsx";
import { lazily } from "../parts/lazily.tsx";
import { Menu } from "../parts/menu.tsx";
import { sidesOf } from "../parts/sides-of.ts";
import { useRows } from "./row-context.ts";
import { Thinking } from "./thinking.tsx";

const EntryEditor = lazily(() => import("./entry-editor.tsx"));

/** One entry: who speaks, what is said, and everything that can be done to it. */
export function EntryRow({ row }: { readonly row: Row }) {
  const { session, roles, running, planned } = useRows();
  const { entry } = row;
  const live = useStore(session.store, ({ view }) => view?.live.get(entry.id));
  // The view on the screen: the row's own text is of the same moment.
  const { view } = session.store.snapshot();
  const edited = useStore(editing, (each) => (each?.entry === entry.id ? each : undefined));
  // Its words may all be committed while it goes on: only its end brings its usage.
  const streams = entry.role === AI && entry.usage === undefined && running !== undefined && running === entry.turn_id;
  const text = entry.content + (streams && view ? liveText(view, entry.id) : "");
  const going = planned.get(entry.id);
  const kind = KINDS[entry.role] ?? "other";
  return (
    <div className={`entry ${kind} ${going ? `plan-${going}` : ""}`} aria-busy={streams || undefined}>
      <div className="entry-head">
        <Menu
          label={`Role: ${entry.role}. Change it`}
          className={`role-chip ${kind}`}
          items={roles.map((role) => ({
            label: role,
            ...(role === entry.role ? { icon: "check" as const } : {}),
            run: () => void changeRole(session.thread, entry.id, role),
          }))}
        >
          {entry.role}
        </Menu>
        {badgesOf(entry).map((badge) => (
          <span key={badge} className="badge">
            {badge}
          </span>
        ))}
        <EntryActions entry={entry} name={row.name} />
      </div>
      {edited ? (
        <Suspense fallback={<p className="text-muted">Loading the editor …</p>}>
          <EntryEditor session={session} entry={entry} edited={edited} />
        </Suspense>
      ) : entry.collapsed ? (
        <button
          type="button"
          className="collapsed-text"
          onClick={() => void toggle(session.thread, entry, "collapsed")}
        >
          {preview(entry)}
        </button>
      ) : (
        <>
          <Thinking entry={entry} live={live?.thinking?.text} streams={streams} />
          {text === "" ? (
            streams || entry.tool_calls ? null : (
              <p className="text-muted italic">Empty</p>
            )
          ) : entry.read_mode ? (
            <Markdown text={text} finished={!streams} />
          ) : (
            <p className={`plain ${sidesOf(text)}`}>{text}</p>
          )}
        </>
      )}
    </div>
  );
}

const KINDS: Readonly<Record<string, string>> = { [USER]: "user", [AI]: "ai", [TOOL]: "tool", [SYSTEM]: "system" };

function badgesOf(entry: Entry): string[] {
  return [
    ...(entry.failed ? ["not sent"] : []),
    ...(entry["edited_at"] === undefined ? [] : ["edited"]),
    ...(entry.turn_id === undefined ? ["by hand"] : []),
  ];
}

function EntryActions({ entry, name }: { readonly entry: Entry; readonly name: string }) {
  const { session, running } = useRows();
  const { thread } = session;
  const busy = running !== undefined && running === entry.turn_id;
  const editTitle = useTitle("Edit", "edit");
  return (
    <span className="entry-actions">
      <button
        type="button"
        className="icon-button"
        aria-label={`Edit entry ${name}`}
        title={busy ? "The turn still writes it" : editTitle}
        disabled={busy}
        onClick={() => startEditing(entry)}
      >
        <Icon name="edit" />
      </button>
      <Menu
        label={`More for entry ${name}`}
        items={[
          { label: "Branch here", icon: "branch", action: "branch", run: () => void branchAt(thread, entry.id) },
          { label: "Insert before", icon: "plus", action: "insert", run: () => void insertBefore(thread, entry.id) },
          {
            label: entry.read_mode ? "Show as plain text" : "Show as Markdown",
            icon: "list",
            action: "read-mode",
            run: () => void toggle(thread, entry, "read_mode"),
          },
          {
            label: entry.collapsed ? "Expand" : "Collapse",
            icon: "chevron",
            action: "collapse",
            run: () => void toggle(thread, entry, "collapsed"),
          },
          { label: "Copy text", icon: "copy", action: "copy", run: () => void copyText(entry.content) },
          { label: "Copy link", icon: "link", run: () => void copyLink(thread, entry.id) },
          "line",
          {
            label: "Delete",
            icon: "trash",
            action: "delete",
            disabled: busy,
            run: () => void removeEntry(thread, entry.id),
          },
        ]}
      />
    </span>
  );
}
