import { syncWords } from "@retake/client/screen";
import { recordOf, runningTurn, setting } from "@retake/core";
import { useEffect, useState } from "react";
import { client } from "../data/connection.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { syncState } from "../data/sync.ts";
import { useAnswer } from "../data/use-answer.ts";
import { showTab } from "../data/view-state.ts";
import { useConnection } from "../layout/connection-bar.tsx";
import { duration } from "../parts/time.ts";

interface GitRecord {
  readonly now?: { readonly branch?: string; readonly dirty?: boolean };
}

const CONNECTIONS = {
  connecting: "connecting",
  live: "live",
  lost: "reconnecting",
  "signed-out": "signed out",
} as const;

let models: ReturnType<typeof client.listModels> | undefined;

/** Asked once for the page: the model of threads that choose none. */
function usualModel() {
  models ??= client.listModels();
  models.catch(() => {
    models = undefined;
  });
  return models;
}

/** One quiet line: git, model, what the turn waits for, and the connection. */
export function StatusLine({ session }: { readonly session: Session }) {
  const { store } = session;
  const retry = useStore(store, (state) => state.retry);
  const progress = useStore(store, (state) => state.progress);
  const model = useStore(store, ({ view }) => (view ? setting(view.state, view.take, "model") : ""));
  const git = useStore(store, ({ view }) => view && (recordOf(view.state, "git") as GitRecord | undefined))?.now;
  const running = useStore(store, ({ view }) => view && runningTurn(view.state, view.take) !== undefined);
  const connection = useConnection();
  const usual = useAnswer(usualModel, []);
  return (
    <footer className="status-line">
      {git?.branch && <span>{`${git.branch}${git.dirty ? " · changed" : ""}`}</span>}
      <button type="button" onClick={() => showTab("settings")}>
        {model || usual.answer?.model || "default model"}
        {(model || usual.answer?.model || "").startsWith("scripted/") && " · a scripted stand-in: choose a model"}
      </button>
      {retry ? (
        <Countdown message={retry.message} until={retry.retry_at} />
      ) : progress ? (
        <span>{`${progress.what === "capture" ? "Looking at" : "Putting back"} ${progress.files.toLocaleString("en")} files`}</span>
      ) : (
        running && <span>Answering …</span>
      )}
      <SyncWords />
      <span className={`connection ${connection}`}>
        <span className="dot" aria-hidden="true" /> {CONNECTIONS[connection]}
      </span>
    </footer>
  );
}

/** Nothing where this machine does not sync. */
function SyncWords() {
  const summary = useStore(syncState);
  const words = syncWords(summary);
  if (words === "") return null;
  return (
    <button type="button" title={summary.problem} onClick={() => showTab("settings")}>
      {words}
    </button>
  );
}

function Countdown({ message, until }: { readonly message: string; readonly until: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span className="text-warn">{`${message} Next try in ${duration(until - now)}.`}</span>;
}
