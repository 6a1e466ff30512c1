import { plural, syncWords } from "@retake/client/screen";
import { recordOf, runningTurn, setting } from "@retake/core";
import { readModels } from "../data/models.ts";
import { questionsIn, type Session, type SessionState } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { syncState } from "../data/sync.ts";
import { useAnswer } from "../data/use-answer.ts";
import { showTab } from "../data/view-state.ts";
import { useConnection } from "../layout/connection-bar.tsx";

interface GitRecord {
  readonly now?: { readonly branch?: string; readonly dirty?: boolean };
}

const CONNECTIONS = {
  connecting: "connecting",
  live: "live",
  lost: "reconnecting",
  "signed-out": "signed out",
} as const;

/** One quiet line: git, model, what the turn does, and the connection. */
export function StatusLine({ session }: { readonly session: Session }) {
  const { store } = session;
  const progress = useStore(store, (state) => state.progress);
  const model = useStore(store, ({ view }) => (view ? setting(view.state, view.take, "model") : ""));
  const git = useStore(store, ({ view }) => view && (recordOf(view.state, "git") as GitRecord | undefined))?.now;
  const running = useStore(store, ({ view }) => view && runningTurn(view.state, view.take) !== undefined);
  const waits = useStore(store, (state) => state.retry !== undefined);
  const asks = useStore(store, (state) => questionsIn(state).length > 0);
  const connection = useConnection();
  const usual = useAnswer(readModels, []);
  return (
    <footer className="status-line">
      {git?.branch && <span>{`${git.branch}${git.dirty ? " · changed" : ""}`}</span>}
      <button type="button" onClick={() => showTab("settings")}>
        {model || usual.answer?.model || "default model"}
        {(model || usual.answer?.model || "").startsWith("scripted/") && " · a scripted stand-in: choose a model"}
      </button>
      {progress ? (
        <span>{progressWords(progress)}</span>
      ) : (
        running && <span>{asks ? "Waits for your answer" : waits ? "Waits for the model" : "Answering …"}</span>
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

/** How many files were looked at or put back so far. */
function progressWords({ what, files }: NonNullable<SessionState["progress"]>): string {
  const count = files === 0 ? "the files …" : plural(files, "file");
  return `${what === "capture" ? "Looking at" : "Putting back"} ${count}`;
}
