/**
 * The conversation: rows of turns in a virtual list, over a window of the thread. Scrolling to an end of the window asks
 * for more. While the user has not turned away from the end, the list stays there; a wheel, key or touch upwards turns
 * that off by intention, not by distance.
 */
import type { SessionView } from "@retake/client";
import { type Row, rowsOf } from "@retake/client/screen";
import { entryAt, entryById, entryCount, roles, runningTurn } from "@retake/core";
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import { planStore } from "../data/plan.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { focusStore } from "../data/view-state.ts";
import { Icon } from "../parts/icon.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { EmptyThread } from "./empty-thread.tsx";
import { focusElement, focusOf, transcriptControl } from "./focus-row.ts";
import { Minimap } from "./minimap.tsx";
import { type RowContext, RowsContext } from "./row-context.ts";
import { RowView } from "./row-view.tsx";
import { useKeptPlace } from "./use-kept-place.ts";
import { useScroll } from "./use-scroll.ts";

const OPEN_TURNS = 20;
const NEAR_PX = 800;
const MORE = 300;
const MOST_HELD = 1200;

export function Transcript({ session }: { readonly session: Session }) {
  const { view, failure } = useStore(session.store);
  if (failure)
    return (
      <div className="flex-1 p-4">
        <p role="alert" className="error-box">
          {failure}
        </p>
      </div>
    );
  if (!view) return <p className="text-muted flex-1 p-6">Loading …</p>;
  if (view.total === 0) return <EmptyThread session={session} />;
  return <Rows session={session} view={view} />;
}

interface RowsProps {
  readonly session: Session;
  readonly view: SessionView;
}

/** Text that is not committed yet is read by its own row, so that the list stands still while an answer grows. */
const Rows = memo(RowList, (before, after) => {
  const [{ live: _, seq: __, ...held }, { live: ___, seq: ____, ...now }] = [before.view, after.view];
  const keys = Object.keys(now) as (keyof typeof now)[];
  return before.session === after.session && keys.every((key) => held[key] === now[key]);
});

function RowList({ session, view }: RowsProps) {
  const list = useRef<VirtualizerHandle>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const focus = useStore(focusStore);
  const plan = useStore(planStore, (state) => state?.plan?.entries);
  const { state, take } = view;
  const rows = useMemo(
    () => rowsOf(view, (turn, fromEnd) => folds.get(turn.id) ?? (fromEnd >= OPEN_TURNS && turn.status !== "running")),
    [view, folds],
  );
  const toggleFold = useCallback(
    (turn: string, folded: boolean) => setFolds((before) => new Map(before).set(turn, folded)),
    [],
  );
  const planned = useMemo(() => new Map((plan ?? []).map(({ id, becomes }) => [id, becomes])), [plan]);
  const names = roles(state, take).join("\n");
  const running = runningTurn(state, take);
  const context: RowContext = useMemo(
    () => ({ session, roles: names.split("\n"), running, planned, toggleFold }),
    [session, names, running, planned, toggleFold],
  );
  const scroll = useScroll(list, frame, rows, view, view.to === null);
  const focusedAt = focus ? rows.findIndex(({ key }) => key === focus.row) : -1;
  useJump({ session, view, rows, goToRow: scroll.goToRow, toggleFold });
  useKeptFocus(frame, rows);
  // One request at a time: another one for the same window would take the place of the first.
  const asked = useRef("");
  const range = `${view.from} ${view.to}`;
  const { shift, noteAnchor } = useKeptPlace(rows, list, frame, scroll.keepRow);
  const goToEnd = () => {
    scroll.resume();
    if (view.to !== null) session.show({ last: MORE });
  };
  transcriptControl.set({ rows, reveal: scroll.reveal, toggleFold, goToEnd, leaveEnd: scroll.leave });
  const loadMore = () => {
    const { scrollOffset = 0, scrollSize = 0, viewportSize = 0 } = list.current ?? {};
    const request = moreOf(view, scrollOffset < NEAR_PX, scrollSize - scrollOffset - viewportSize < NEAR_PX);
    if (request && asked.current !== range && session.showMore(request)) asked.current = range;
  };
  const newest = view.next === null ? rows.findLast((row) => row.kind === "turn")?.turn : undefined;
  return (
    <RowsContext value={context}>
      <div className="transcript-area">
        <Minimap session={session} onJump={scroll.leave} />
        <div ref={frame} className="transcript-frame" {...scroll.handlers}>
          <VirtualList
            ref={list}
            className="transcript"
            role="feed"
            label="Turns and entries"
            tabIndex={0}
            shift={shift}
            keepMounted={focusedAt >= 0 ? [focusedAt] : []}
            onScroll={() => {
              scroll.onScroll();
              noteAnchor();
              loadMore();
            }}
          >
            {rows.map((row, index) => (
              // biome-ignore lint/a11y/useSemanticElements: an article in a feed, inside a virtual row
              <div
                key={row.key}
                role="article"
                aria-label={labelOf(row)}
                aria-posinset={index + 1}
                aria-setsize={view.previous === null && view.next === null ? rows.length : -1}
                tabIndex={focusedAt === index || (focusedAt < 0 && index === rows.length - 1) ? 0 : -1}
                data-row={row.key}
                data-entry={entryIdOf(row)}
                className={`row row-${row.kind}`}
                onFocus={() => {
                  if (focusStore.value?.row !== row.key) focusStore.set(focusOf(row));
                }}
              >
                <RowView row={row} isNewest={row.kind === "turn" && row.turn.id === newest?.id} />
              </div>
            ))}
          </VirtualList>
          {!scroll.follows && (
            <button type="button" className="to-end" onClick={goToEnd}>
              <Icon name="down" /> Latest
            </button>
          )}
        </div>
      </div>
    </RowsContext>
  );
}

/** A row that has the focus may leave the window, far from what is read: the list has the focus then, and not the page. */
function useKeptFocus(frame: React.RefObject<HTMLElement | null>, rows: readonly Row[]): void {
  const focused = useRef<Element>(undefined);
  useEffect(() => {
    const area = frame.current;
    const note = ({ target }: FocusEvent) => {
      focused.current = target instanceof Element ? target : undefined;
    };
    area?.addEventListener("focusin", note);
    return () => area?.removeEventListener("focusin", note);
  }, [frame]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are what takes the focused one away
  useLayoutEffect(() => {
    if (document.activeElement !== document.body || focused.current === undefined || focused.current.isConnected)
      return;
    frame.current?.querySelector<HTMLElement>(".transcript")?.focus({ preventScroll: true });
  }, [rows, frame]);
}

/** Goes to the entry that the address or a search names, once its row is there. A turn that is folded opens. */
function useJump({ session, view, rows, goToRow, toggleFold }: JumpProps): void {
  const target = useStore(session.target);
  useEffect(() => {
    if (target === undefined) return;
    const at = rows.findIndex(
      (row) =>
        row.key === target ||
        entryIdOf(row) === target ||
        (row.kind === "turn" && row.turn.id === target) ||
        // An entry of calls alone has no row of its own.
        (row.kind === "call" && row.asker.id === target),
    );
    const row = rows[at];
    if (!row) {
      const turn = entryById(view.state, view.take, target)?.turn_id;
      const isFolded = rows.some((each) => each.kind === "turn" && each.turn.id === turn && each.folded);
      if (turn !== undefined && isFolded) toggleFold(turn, false);
      return;
    }
    goToRow(row.key, -16);
    focusStore.set(focusOf(row));
    session.target.set(undefined);
    // Someone who types in another place, such as the field of a search, stays there.
    if (document.activeElement?.closest(".transcript") || document.activeElement === document.body)
      requestAnimationFrame(() => requestAnimationFrame(() => focusElement(row.key)));
  }, [target, view, rows, goToRow, toggleFold, session]);
}

interface JumpProps extends RowsProps, Pick<RowContext, "toggleFold"> {
  readonly rows: readonly Row[];
  readonly goToRow: (row: string, offset: number) => void;
}

function entryIdOf(row: Row): string | undefined {
  if (row.kind === "entry") return row.entry.id;
  return row.kind === "call" ? row.result?.id : undefined;
}

/** The window to ask for when an end of this one is near; undefined when there is nothing more. */
function moreOf(view: SessionView, nearStart: boolean, nearEnd: boolean) {
  const { from, to, groups, state, take } = view;
  const count = entryCount(state, take);
  if (nearStart && view.previous !== null) {
    // A window that is large already moves, so that a page never holds the whole of a long thread.
    const keep = count > MOST_HELD ? entryAt(state, take, MORE) : undefined;
    return keep ? { before: keep.id, count: 2 * MORE } : { from, to, groups, more_before: MORE };
  }
  if (nearEnd && view.next !== null) {
    const keep = count > MOST_HELD ? entryAt(state, take, count - MORE) : undefined;
    return keep ? { after: keep.id, count: 2 * MORE } : { from, to, groups, more_after: MORE };
  }
  return undefined;
}

function labelOf(row: Row): string {
  if (row.kind === "turn") return `Turn ${row.name}`;
  return row.kind === "call" ? `Tool ${row.call.name} ${row.name}` : `${row.entry.role} ${row.name}`;
}
