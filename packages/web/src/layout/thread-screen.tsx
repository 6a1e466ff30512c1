import type { SessionView } from "@retake/client";
import { fileCount } from "@retake/client/screen";
import { entriesBack, entryById, inThread, liveTakes, runningTurn, type Turn, turn as turnById } from "@retake/core";
import { useEffect, useRef, useState } from "react";
import { useLocation, useRoute, useSearch } from "wouter";
import { editing } from "../commands/entry-commands.ts";
import { switchTake } from "../commands/history-commands.ts";
import { useKeys } from "../commands/use-keys.ts";
import { Composer } from "../composer/composer.tsx";
import { say, sayError, status } from "../data/notices.ts";
import { leaveThread, planStore, putPlanAside } from "../data/plan.ts";
import { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { panels } from "../data/view-state.ts";
import { Inspector } from "../inspector/inspector.tsx";
import { Overlays } from "../overlays/overlays.tsx";
import { Notices } from "../parts/notices.tsx";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { FindBar } from "../transcript/find-bar.tsx";
import { backToNow, travelStore, travelTo } from "../travel/travel.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { Centre } from "./centre.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import { DeletedBar } from "./deleted-bar.tsx";
import { Separator } from "./separator.tsx";
import { TopBar } from "./top-bar.tsx";
import { usePlanAddress } from "./use-plan-address.ts";

/** One thread: the list of threads, the conversation, and the inspector. */
export function ThreadScreen({ thread }: { readonly thread: string }) {
  const session = useSession(thread);
  return session ? <Screen session={session} /> : null;
}

function Screen({ session }: { readonly session: Session }) {
  const { sidebar, inspector, width } = useStore(panels);
  const plan = useStore(planStore);
  useKeys(session);
  useAnnouncements(session);
  useHiddenEdit(session);
  useNamedEntry(session);
  useNamedTake(session);
  useNamedMoment(session);
  usePlanAddress(session);
  const inspecting = inspector || (plan !== undefined && plan.aside !== true);
  return (
    <div
      className="screen"
      data-sidebar={sidebar}
      data-inspector={inspecting}
      data-plan={plan !== undefined}
      data-conflict={(plan?.plan?.conflicts?.length ?? 0) > 0}
      style={{ "--inspector": `${width}px` } as object}
    >
      <a className="skip-link" href="#composer">
        Skip to the prompt
      </a>
      {sidebar && <Sidebar thread={session.thread} />}
      <main className="centre" aria-label="Conversation" data-region tabIndex={-1}>
        <TopBar session={session} />
        <ConnectionBar />
        <DeletedBar session={session} />
        {!inspecting && plan && <PlanAside title={plan.request.title} />}
        <FindBar session={session} />
        <Centre session={session} />
        <Composer session={session} />
        <BottomBar />
      </main>
      {inspecting && <Separator />}
      {/* A plan that is put aside stays as it is: decisions and results are not lost. */}
      {(inspecting || plan) && <Inspector session={session} hidden={!inspecting} />}
      <Notices />
      <Overlays session={session} />
    </div>
  );
}

function PlanAside({ title }: { readonly title: string }) {
  const show = () => {
    putPlanAside(false);
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("plan-title")?.focus()));
  };
  return (
    <div className="bar bar-action" role="status">
      <p>{`${title}: nothing has changed yet.`}</p>
      <button type="button" className="button" onClick={show}>
        Back to preview
      </button>
    </div>
  );
}

/** Tells screen readers when a turn begins and ends; the text itself is not read out while it grows. */
function useAnnouncements(session: Session): void {
  const running = useStore(session.store, ({ view }) => view && runningTurn(view.state, view.take));
  const begun = useStore(session.store, ({ view }) => view && (inThread(view.state, "numbers")?.turns ?? 0));
  const before = useRef<{ readonly running: string | undefined; readonly begun: number }>(undefined);
  useEffect(() => {
    const { view } = session.store.value;
    if (begun === undefined || !view) return;
    const was = before.current;
    before.current = { running, begun };
    if (!was) return;
    if (running !== undefined) {
      if (was.running === undefined) status.set("Answering");
      return;
    }
    // A turn may begin and end between two frames.
    const newest = begun > was.begun ? newestTurn(view) : undefined;
    const ended = newest?.number === begun ? newest.id : was.running;
    if (ended === undefined) return;
    const turn = turnById(view.state, view.take, ended);
    const { files_changed: files = [], omitted = 0 } = turn?.receipt ?? {};
    status.set(
      turn?.status === "finished"
        ? `Done: ${fileCount(files, omitted)} changed`
        : `The turn ended: ${turn?.status ?? "undone"}`,
    );
  }, [running, begun, session]);
}

function newestTurn({ state, take }: SessionView): Turn | undefined {
  for (const { turn_id: id } of entriesBack(state, take)) if (id !== undefined) return turnById(state, take, id);
  return undefined;
}

/** Says that an edit is kept when its entry leaves the screen with its take: another screen may have switched. */
function useHiddenEdit(session: Session): void {
  const view = useStore(session.store, (state) => state.view);
  const before = useRef(view);
  useEffect(() => {
    const [was, entry] = [before.current, editing.value?.entry];
    before.current = view;
    if (!was || !view || was.take === view.take || was.thread !== view.thread || entry === undefined) return;
    if (!entryById(was.state, was.take, entry) || entryById(view.state, view.take, entry)) return;
    say("The entry that you edit is in the other take. Your text is kept there.");
  }, [view]);
}

/** Goes to the entry that the address names: `?entry=`. */
function useNamedEntry(session: Session): void {
  const entry = new URLSearchParams(useSearch()).get("entry");
  useEffect(() => {
    if (entry === null) return;
    void session.goTo(entry);
  }, [entry, session]);
}

/** Offers the take that the address names: `/t/…/take/…`. Its files come along, so it is a plan like any switch. */
function useNamedTake(session: Session): void {
  const [named, params] = useRoute("/t/:thread/take/:take");
  const [, go] = useLocation();
  const wanted = named ? params.take : undefined;
  const found = useStore(session.store, ({ view }) =>
    view && wanted !== undefined
      ? liveTakes(view.state).find(({ id, name }) => id === wanted || name === wanted)
      : undefined,
  );
  const loaded = useStore(session.store, ({ view }) => view !== undefined);
  useEffect(() => {
    if (wanted === undefined || !loaded) return;
    go(`/t/${session.thread}`, { replace: true });
    if (!found) sayError(`There is no take ${wanted} in this thread.`);
    else if (found.id !== session.store.value.view?.take) void switchTake(session.thread, found.id, found.name);
  }, [wanted, loaded, found, session, go]);
}

/** Shows the moment that the address names (`?op=`), and names the moment that is shown, so that it can be linked to. */
function useNamedMoment(session: Session): void {
  const op = new URLSearchParams(useSearch()).get("op");
  const shown = useStore(travelStore, (travel) => (travel?.thread === session.thread ? travel.op : undefined));
  const [, go] = useLocation();
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (op !== null && op !== travelStore.value?.op) void travelTo(session.thread, op);
    if (op === null && travelStore.value) backToNow();
  }, [op, session]);
  useEffect(() => {
    if (shown === before.current) return;
    const named = new URLSearchParams(location.search).get("op");
    // Leaving a moment takes it out of the address, unless that is another one already; walking through moments replaces it.
    if (shown !== undefined && shown !== named)
      go(`/t/${session.thread}?op=${shown}`, { replace: before.current !== undefined });
    else if (shown === undefined && named !== null) go(`/t/${session.thread}`, { replace: true });
    before.current = shown;
  }, [shown, session, go]);
}

function useSession(thread: string): Session | undefined {
  const [session, setSession] = useState<Session>();
  useEffect(() => {
    const made = new Session(thread);
    setSession(made);
    return () => {
      made.end();
      leaveThread();
    };
  }, [thread]);
  return session;
}
