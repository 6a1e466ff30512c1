/** Edits an entry in place. A line below the text says what the edit breaks for the model and costs, before it is saved. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { parser } from "@lezer/markdown";
import { ApiError } from "@retake/client";
import { type Entry, entriesBack, entryById, promptEntryId } from "@retake/core";
import { useEffect, useRef, useState } from "react";
import { editing, endEditing, leaveEditing } from "../commands/entry-commands.ts";
import { branchAt, runAgain } from "../commands/history-commands.ts";
import { attempt } from "../commands/way-back.ts";
import { client } from "../data/connection.ts";
import { status } from "../data/notices.ts";
import { messageOf, type Session } from "../data/session.ts";
import { pageNonce } from "../parts/page-nonce.ts";
import { focusElement, transcriptControl } from "./focus-row.ts";

const QUIET_MS = 400;

export default function EntryEditor({
  session,
  entry,
  edited,
}: {
  readonly session: Session;
  readonly entry: Entry;
  readonly edited: { readonly text: string; readonly original: string };
}) {
  const place = useRef<HTMLDivElement>(null);
  const { thread } = session;
  const { id } = entry;
  const cost = useCost(thread, id, edited.text, edited.text !== edited.original);
  const focusRow = () => requestAnimationFrame(() => requestAnimationFrame(() => focusElement(id)));
  const text = () => (editing.value?.entry === id ? editing.value.text : edited.text);
  const done = (content: string) => {
    if (endEditing(id, content)) focusRow();
  };
  const save = async () => {
    const content = text();
    if (await attempt(thread, "Saved.", () => saveEdit(session, entry, content))) done(content);
  };
  const saveAsTake = () => {
    const content = text();
    return branchAt(thread, id, { content, done: () => done(content) });
  };
  const theirs = entry.content === edited.original || entry.content === edited.text ? undefined : entry.content;
  const prompt = promptOf(session, entry);
  const again = () => {
    const content = text();
    return prompt && runAgain(thread, prompt, { content, done: () => done(content) });
  };
  const keep = () => {
    if (leaveEditing()) status.set("The edit is not saved. It stays with its entry.");
    focusRow();
  };
  const actions = useRef({ save, keep });
  actions.current = { save, keep };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once for each entry
  useEffect(() => {
    if (!place.current) return;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: edited.text,
        selection: { anchor: edited.text.length },
        extensions: [
          history(),
          keymap.of([
            { key: "Mod-Enter", run: () => doing(() => void actions.current.save()) },
            { key: "Escape", run: () => doing(() => actions.current.keep()) },
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          EditorView.lineWrapping,
          EditorView.perLineTextDirection.of(true),
          EditorView.cspNonce.of(pageNonce()),
          EditorView.contentAttributes.of({ "aria-label": `Text of the entry`, spellcheck: "true" }),
          new Language(defineLanguageFacet(), parser, [], "markdown"),
          syntaxHighlighting(STYLE),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) editing.update((now) => (now?.entry === id ? { ...now, text: state.doc.toString() } : now));
          }),
        ],
      }),
    });
    view.focus();
    stayAt(place.current);
    return () => view.destroy();
  }, [id]);
  return (
    <div className="editor">
      <div ref={place} className="editor-text" />
      <p className="edit-cost" aria-live="polite">
        {cost}
      </p>
      {theirs !== undefined && <ChangedMeanwhile content={theirs} />}
      <div className="flex flex-wrap gap-2">
        <button type="button" className="button primary" onClick={() => void save()}>
          {theirs === undefined ? "Save" : "Save over it"} <kbd>Ctrl ⏎</kbd>
        </button>
        <button type="button" className="button" onClick={() => void saveAsTake()}>
          Save as a new take
        </button>
        {prompt && (
          <button
            type="button"
            className="button"
            title={prompt.isLast ? "In the place of this turn" : "In a new take: the turns after it stay in this one"}
            onClick={() => void again()}
          >
            Save and run again
          </button>
        )}
        <button type="button" className="button" onClick={keep}>
          Leave <kbd>Esc</kbd>
        </button>
      </div>
    </div>
  );
}

/** Someone who edits is not taken to the end of an answer that grows: the editor stays where it is, all of it on the screen. */
function stayAt(editor: HTMLElement): void {
  transcriptControl.get()?.leaveEnd();
  const key = editor.closest<HTMLElement>("[data-row]")?.dataset["row"];
  // The list has measured the row with its editor in the frame after.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const control = transcriptControl.get();
      control?.reveal(control.rows.findIndex((row) => row.key === key));
    }),
  );
}

/** The text that another screen gave the entry while it was edited here. */
function ChangedMeanwhile({ content }: { readonly content: string }) {
  return (
    <div role="alert" className="error-box mb-2">
      <p>The entry was changed meanwhile, by another screen or a step back. Saving replaces this text:</p>
      <pre className="max-h-40 overflow-auto font-mono text-xs whitespace-pre-wrap">{content}</pre>
    </div>
  );
}

/** Saves the text over the one on the screen. Where the entry has another one by now, nobody has seen what would be lost. */
async function saveEdit({ thread, store }: Session, { id, content: seen }: Entry, content: string) {
  const { view } = store.value;
  const isSeen = (now: string | undefined) => {
    if (now !== seen) throw new Error("The entry was changed meanwhile. Nothing was saved; your text is kept.");
  };
  if (view) isSeen(entryById(view.state, view.take, id)?.content);
  try {
    return await client.editEntry(thread, id, { content }, view ? { version: view.state.version } : {});
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "stale-version")) throw error;
    isSeen((await client.getEntry(thread, id)).content);
    return client.editEntry(thread, id, { content });
  }
}

/** The entry as the prompt of its turn; undefined where it is none. */
function promptOf(session: Session, { id, turn_id }: Entry): { entry: string; isLast: boolean } | undefined {
  const { view } = session.store.value;
  if (!view || turn_id === undefined || id !== promptEntryId(turn_id)) return undefined;
  let last: string | undefined;
  for (const entry of entriesBack(view.state, view.take)) {
    last = entry.turn_id;
    if (last !== undefined) break;
  }
  return { entry: id, isLast: view.next === null && last === turn_id };
}

/** A key that the editor has used up. */
function doing(action: () => void): true {
  action();
  return true;
}

/** The consequences of the edit for the model, asked for when the typing pauses. */
function useCost(thread: string, entry: string, content: string, changed: boolean): string {
  const [cost, setCost] = useState("");
  useEffect(() => {
    if (!changed) {
      setCost("Not changed yet. What an edit costs is said here.");
      return;
    }
    let gone = false;
    const timer = setTimeout(async () => {
      const text = await client
        .editEntry(thread, entry, { content }, { query: { effects: true, dry_run: true } })
        .then(({ effects }) => effects?.summary || "Breaks nothing: what the model has read stays valid.")
        .catch(messageOf);
      if (!gone) setCost(text);
    }, QUIET_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [thread, entry, content, changed]);
  return cost;
}

const STYLE = HighlightStyle.define([
  { tag: tags.heading, class: "token-keyword" },
  { tag: tags.strong, class: "font-semibold" },
  { tag: tags.emphasis, class: "italic" },
  { tag: tags.monospace, class: "token-string" },
  { tag: tags.link, class: "token-link" },
]);
