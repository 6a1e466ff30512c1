import { callDiff, callSummary, countSigns, plural, type CallRow as Row } from "@retake/client/screen";
import { type Notice, noticeText } from "@retake/core";
import { Suspense } from "react";
import { copyText, editing, removeEntry, startEditing } from "../commands/entry-commands.ts";
import { branchAt, takeBack } from "../commands/history-commands.ts";
import { useTitle } from "../data/key-choices.ts";
import { useStore } from "../data/store.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { lazily } from "../parts/lazily.tsx";
import { Menu } from "../parts/menu.tsx";
import { ChangeView } from "./change-view.tsx";
import { useRows } from "./row-context.ts";
import { useOpen } from "./use-open.ts";

const EntryEditor = lazily(() => import("./entry-editor.tsx"));
const ICONS: Readonly<Record<string, IconName>> = { bash: "terminal", write: "file", edit: "edit", read: "file" };
const SHOWN_LINES = 12;

/** A tool call and its result in one row: what it did, whether it went well, its output or its diff. */
export function CallRow({ row }: { readonly row: Row }) {
  const { session, planned } = useRows();
  const { call, result, name } = row;
  const status = result?.tool_result?.status ?? "pending";
  const output = useStore(session.store, ({ view }) => view?.live.get(result?.id ?? "")?.output?.text);
  const [open, setOpen] = useOpen(row.key, status === "failed");
  const takeBackTitle = useTitle("Take back only this call", "take-back");
  const edited = useStore(editing, (each) => (result && each?.entry === result.id ? each : undefined));
  const text = output ?? result?.content ?? "";
  const notices = (result?.notices ?? []) as unknown as readonly Notice[];
  const going = result ? planned.get(result.id) : undefined;
  const changed = (result?.receipt?.["files_changed"] as readonly string[] | undefined) ?? [];
  return (
    <div className={`call ${status} ${going ? `plan-${going}` : ""}`} aria-busy={status === "running" || undefined}>
      <div className="call-head">
        <button type="button" className="call-title" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name={ICONS[call.name] ?? "tool"} />
          <span className="truncate font-mono">{callSummary(call)}</span>
        </button>
        <span className={`call-status ${status}`}>
          {status === "completed" ? <Counts call={call} /> : (STATUS[status] ?? status)}
        </span>
        {result && status !== "running" && (
          <span className="entry-actions">
            <button
              type="button"
              className="icon-button"
              aria-label={`Take back only call ${name}`}
              title={takeBackTitle}
              onClick={() => void takeBack(session.thread, { kind: "call", name })}
            >
              <Icon name="undo" />
            </button>
            <Menu
              label={`More for call ${name}`}
              items={[
                {
                  label: "Branch here",
                  icon: "branch",
                  action: "branch",
                  run: () => void branchAt(session.thread, result.id),
                },
                { label: "Edit the result", icon: "edit", action: "edit", run: () => startEditing(result) },
                { label: "Copy the result", icon: "copy", action: "copy", run: () => void copyText(result.content) },
                "line",
                {
                  label: "Delete the result",
                  icon: "trash",
                  action: "delete",
                  run: () => void removeEntry(session.thread, result.id),
                },
              ]}
            />
          </span>
        )}
      </div>
      {notices.length > 0 && (
        <ul className="call-notices">
          {notices.map((notice) => (
            <li key={noticeText(notice)}>
              <Icon name="warning" /> {noticeText(notice)}
            </li>
          ))}
        </ul>
      )}
      {edited && result ? (
        <Suspense fallback={null}>
          <EntryEditor session={session} entry={result} edited={edited} />
        </Suspense>
      ) : (
        (open || output !== undefined) && (
          <div className="call-body">
            <ChangeView call={call} row={row.key} />
            {text !== "" && <Output row={row.key} text={text} tail={!open || status === "failed"} />}
            {changed.length > 0 && <p className="text-muted text-xs">{`${plural(changed.length, "file")} changed`}</p>}
          </div>
        )
      )}
    </div>
  );
}

/** Lines that come and go, of a call that writes a file. */
function Counts({ call }: { readonly call: Row["call"] }) {
  if (call.name !== "write" && call.name !== "edit") return <span className="sr-only">done</span>;
  const { additions, deletions } = countSigns(callDiff(call.name, call.input));
  return (
    <span className="counts">
      {additions > 0 && <span className="text-good">{`+${additions}`}</span>}
      {deletions > 0 && <span className="text-bad">{`\u2212${deletions}`}</span>}
    </span>
  );
}

const STATUS: Readonly<Record<string, string>> = {
  pending: "waits",
  running: "runs …",
  failed: "failed",
  denied: "denied",
  interrupted: "stopped",
  unknown: "unknown: it ran when Retake was killed",
};

/** The output of a tool; of one that still runs, or that failed, the last lines: they say why. */
function Output({ row, text, tail }: { readonly row: string; readonly text: string; readonly tail: boolean }) {
  const lines = text.replace(/\n$/, "").split("\n");
  const [all, setAll] = useOpen(`${row} all`, false);
  const cut = !all && lines.length > SHOWN_LINES;
  const shown = cut ? (tail ? lines.slice(-SHOWN_LINES) : lines.slice(0, SHOWN_LINES)) : lines;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls long lines */}
      <pre className="output" tabIndex={0}>
        {shown.join("\n")}
      </pre>
      {cut && (
        <button type="button" className="fact-button" onClick={() => setAll(true)}>
          {`Show all ${plural(lines.length, "line")}`}
        </button>
      )}
    </>
  );
}
