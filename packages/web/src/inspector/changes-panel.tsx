import { actionFor, keyName } from "@retake/client/screen";
import { turn as turnById } from "@retake/core";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { client } from "../data/connection.ts";
import { keyStore } from "../data/key-choices.ts";
import { sayError } from "../data/notices.ts";
import { messageOf, type Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { useAnswer } from "../data/use-answer.ts";
import { useVersion } from "../data/use-version.ts";
import { focusStore } from "../data/view-state.ts";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { PanelHeading } from "../parts/panel-heading.tsx";
import { CallList } from "../review/call-list.tsx";
import { type DiffSource, type Points, pointsOf, turnsOf } from "../review/diff-source.ts";
import { FileList } from "../review/file-list.tsx";
import { type DiffedFile, type Hunk, Hunks, hunkKey } from "../review/hunks.tsx";
import { SourceChooser } from "../review/source-chooser.tsx";
import { type ChosenHunk, canTakeBack, takeBackFiles, takeBackHunks } from "../review/take-back.ts";
import type { PanelProps } from "./panel.ts";

const NOTHING: Readonly<Record<DiffSource["kind"], string>> = {
  turn: "This turn changed no files.",
  call: "This call changed no files.",
  range: "These turns changed no files.",
  take: "This take has changed no files.",
  snapshot: "Nothing has changed since this snapshot.",
  working: "Your files are as the last turn left them.",
};

/** The button that takes back everything of a review. */
const ALL: Readonly<Record<DiffSource["kind"], string>> = {
  turn: "Take back the turn",
  call: "Take back the call",
  range: "Take back these turns",
  take: "Take back all turns",
  snapshot: "Restore all",
  working: "",
};

/** Names and counts are read in pages of this size; the lines of a file when it is opened. */
const PAGE = 2000;
/** The first files are there at once, however many there are; the rest of the page follows. */
const FIRST = 100;
const REST_MS = 500;

/** The changes of a turn, a range, a take or a snapshot in the files, with take back on each turn, file and hunk. */
export default function ChangesPanel({ session }: PanelProps) {
  const { thread } = session;
  const version = useVersion(session);
  const focus = useStore(focusStore);
  const [chosen, setChosen] = useState<DiffSource>();
  const lists = useAnswer(
    async () => ({
      turns: (await client.listTurns(thread, { last: 500 })).turns.filter(({ name }) => name !== undefined),
      snapshots: (await client.listSnapshots({ thread, limit: 100 })).snapshots,
    }),
    [thread, version],
  );
  const turns = lists.answer?.turns ?? [];
  const focused = turns.find(({ id }) => id === focus?.turn)?.name;
  const { view } = session.store.value;
  const changed = turns.findLast(
    ({ id }) => view && (turnById(view.state, view.take, id)?.receipt?.files_changed.length ?? 0) > 0,
  );
  const source = chosen ?? { kind: "turn", turn: focused ?? changed?.name ?? turns.at(-1)?.name ?? "" };
  const points = pointsOf(source, turns[0]?.name);
  return (
    <section className="panel" aria-labelledby="panel-changes" data-thread={thread}>
      <PanelHeading
        id="panel-changes"
        title="Changes"
        about="What a turn, a take or a range of turns changed in your files, file by file."
      />
      <Failure text={lists.failure} />
      {lists.answer && turns.length === 0 && (
        <p className="text-muted px-4 text-sm">No turn has run yet. What the agent changes is listed here.</p>
      )}
      {turns.length > 0 && (
        <SourceChooser source={source} turns={turns} snapshots={lists.answer?.snapshots ?? []} onChange={setChosen} />
      )}
      {points && (
        <Review
          key={JSON.stringify(source)}
          {...{ session, source, points, version }}
          onSource={setChosen}
          span={turnsOf(source, turns)}
        />
      )}
    </section>
  );
}

interface ReviewProps {
  readonly session: Session;
  readonly source: DiffSource;
  readonly points: Points;
  readonly version: number | undefined;
  /** The first and the last turn of it. */
  readonly span: ReturnType<typeof turnsOf>;
  readonly onSource: (source: DiffSource) => void;
}

function Review({ session, source, points, version, span, onSource }: ReviewProps) {
  const { thread } = session;
  const [limit, setLimit] = useState(FIRST);
  const [filter, setFilter] = useState("");
  const [opened, setOpened] = useState<string>();
  const [selected, setSelected] = useState<ReadonlyMap<string, ChosenHunk>>(new Map());
  const list = useAnswer(() => client.diffThread(thread, { ...points, limit }), [version, limit]);
  const more = list.answer?.cursor !== undefined;
  useEffect(() => {
    if (!more || limit >= PAGE) return;
    // After the lines of the first file, which are waited for.
    const timer = setTimeout(() => setLimit(PAGE), REST_MS);
    return () => clearTimeout(timer);
  }, [more, limit]);
  const files = useMemo(() => {
    const wanted = filter.toLowerCase();
    return (list.answer?.files ?? []).filter(({ path }) => path.toLowerCase().includes(wanted));
  }, [list.answer, filter]);
  const path = files.some((file) => file.path === opened) ? opened : files[0]?.path;
  const place = useRef<HTMLDivElement>(null);
  const can = canTakeBack(source);
  const choose = (of: string, hunk: Hunk) =>
    setSelected((before) => {
      const next = new Map(before);
      if (!next.delete(hunkKey(of, hunk))) next.set(hunkKey(of, hunk), { path: of, edits: hunk.edits });
      return next;
    });
  const open = (step: 1 | -1) => setOpened(files[files.findIndex((file) => file.path === path) + step]?.path ?? path);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement && event.target.type !== "checkbox") return;
    const does = {
      "next-file": () => open(1),
      "previous-file": () => open(-1),
      "next-hunk": () => moveToHunk(place.current, 1),
      "previous-hunk": () => moveToHunk(place.current, -1),
      "take-back": () => focusedHunk()?.querySelector<HTMLButtonElement>("button:last-of-type")?.click(),
      select: focusedHunk() === document.activeElement ? () => checkboxIn(focusedHunk())?.click() : undefined,
    }[actionFor(keyName(event), "moving", keyStore.value.map) as string];
    if (!does) return;
    does();
    event.preventDefault();
    event.stopPropagation();
  };
  const total = list.answer?.total ?? 0;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for the files and hunks inside, each of which has a button
    <div className="flex min-h-0 flex-1 flex-col" ref={place} onKeyDown={onKeyDown}>
      <div className="flex items-center gap-2 px-4 pb-2">
        <p className="text-muted flex-1 text-xs" data-testid="changed-count">
          {list.asking && !list.answer
            ? "Looking …"
            : total === 0
              ? NOTHING[source.kind]
              : `${total.toLocaleString("en")} changed ${total === 1 ? "file" : "files"}`}
        </p>
        {can.files && total > 0 && (
          <button type="button" className="button" onClick={() => takeBackFiles(thread, source, span)}>
            <Icon name="undo" /> {ALL[source.kind]}
          </button>
        )}
        {selected.size > 0 && (
          <button
            type="button"
            className="button primary"
            onClick={() => {
              takeBackHunks(thread, source, [...selected.values()]);
              setSelected(new Map());
            }}
          >
            {`Take back ${selected.size} ${selected.size === 1 ? "hunk" : "hunks"}`}
          </button>
        )}
      </div>
      <Failure text={list.failure} />
      {total > 1 && (
        <input
          className="field mx-4 mb-2 flex-none"
          type="search"
          aria-label="Filter files"
          placeholder="Filter by name"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      {files.length > 0 && <FileList files={files} selected={path} onSelect={setOpened} />}
      {more && limit >= PAGE && (
        <button type="button" className="button mx-4 my-1" onClick={() => setLimit(limit + PAGE)}>
          {`Show ${Math.min(PAGE, total - limit).toLocaleString("en")} more files`}
        </button>
      )}
      {source.kind === "turn" && (
        <CallList
          session={session}
          turn={source.turn}
          onShow={(call) => onSource({ kind: "call", turn: source.turn, call })}
        />
      )}
      {path !== undefined && (
        <OpenFile
          key={path}
          {...{ thread, points, path, version }}
          onTakeBackFile={can.files ? () => takeBackFiles(thread, source, span, [path]) : undefined}
          onTakeBack={can.hunks ? ({ edits }) => takeBackHunks(thread, source, [{ path, edits }]) : undefined}
          chosen={selected}
          onChoose={can.hunks ? (hunk) => choose(path, hunk) : undefined}
        />
      )}
    </div>
  );
}

function OpenFile(props: {
  readonly thread: string;
  readonly points: Points;
  readonly path: string;
  readonly version: number | undefined;
  readonly onTakeBackFile: (() => void) | undefined;
  readonly onTakeBack: ((hunk: Hunk) => void) | undefined;
  readonly chosen: ReadonlyMap<string, ChosenHunk>;
  readonly onChoose: ((hunk: Hunk) => void) | undefined;
}) {
  const { thread, points, path, version } = props;
  const found = useAnswer(() => client.diffThread(thread, { ...points, path, hunks: true }), [version]);
  const file: DiffedFile | undefined = found.answer?.files.find((each) => each.path === path);
  const comment = ({ new_start }: Hunk) => void addToDraft(thread, `${path}:${new_start}: `);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto" data-testid="open-file">
      <div className="flex items-center gap-2 px-4 py-2">
        <h3 className="min-w-0 flex-1 truncate font-mono text-xs font-semibold">{path}</h3>
        {props.onTakeBackFile && (
          <button type="button" className="button" onClick={props.onTakeBackFile}>
            <Icon name="undo" /> Take back this file
          </button>
        )}
      </div>
      <Failure text={found.failure} />
      {file && (
        <Hunks
          file={file}
          actions={{
            onTakeBack: props.onTakeBack,
            onComment: comment,
            chosen: new Set(props.chosen.keys()),
            onChoose: props.onChoose,
          }}
        />
      )}
    </div>
  );
}

/** A line comment collects in the draft, which is sent with the next prompt. */
async function addToDraft(thread: string, line: string): Promise<void> {
  try {
    const { draft } = await client.getSettings(thread);
    await client.changeSettings(thread, { draft: draft === "" ? line : `${draft}\n${line}` });
    document.getElementById("composer")?.focus();
  } catch (error) {
    sayError(messageOf(error));
  }
}

function checkboxIn(hunk: HTMLElement | null): HTMLElement | null {
  return hunk?.querySelector<HTMLElement>("input[type=checkbox]") ?? null;
}

function focusedHunk(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>("[data-hunk]") ?? null;
}

function moveToHunk(place: HTMLElement | null, step: number): void {
  const hunks = [...(place?.querySelectorAll<HTMLElement>("[data-hunk]") ?? [])];
  const at = hunks.indexOf(focusedHunk() as HTMLElement);
  hunks[Math.max(0, Math.min(hunks.length - 1, at + step))]?.focus();
}
