import { pathsIn } from "@retake/core";
import { useId, useState } from "react";
import { changeFiles } from "../context/change-lists.ts";
import { ImageList } from "../context/image-list.tsx";
import { client } from "../data/connection.ts";
import { messageOf, type Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { useAnswer } from "../data/use-answer.ts";
import { Icon } from "../parts/icon.tsx";
import { PanelHeading } from "../parts/panel-heading.tsx";
import type { PanelProps } from "./panel.ts";

/** Context files, screenshots, and the files that the user has picked. */
export default function ContextPanel({ session }: PanelProps) {
  const view = useStore(session.store, (state) => state.view);
  if (!view) return null;
  const { state, take } = view;
  const paths = (list: "context" | "file") => pathsIn(state, take, list).map(({ path }) => path);
  const { thread } = session;
  return (
    <section className="panel" aria-labelledby="panel-context" data-thread={thread}>
      <PanelHeading
        id="panel-context"
        title="Context"
        about="Files and images that the model is sent with every request."
      />
      <PathList
        title="Context files"
        about="Sent with every request. Switching to this thread brings them back."
        session={session}
        paths={paths("context")}
        add={(path, outside) => client.changeContext(thread, { add: path, ...(outside ? { outside } : {}) })}
        remove={(path) => client.changeContext(thread, { remove: path })}
      />
      <ImageList thread={thread} images={pathsIn(state, take, "screenshot")} />
      <PathList
        title="Working set"
        about="Files that you have picked. They are shown here and not sent."
        session={session}
        paths={paths("file")}
        add={(path) => changeFiles(thread, (files) => [...files, path])}
        remove={(path) => changeFiles(thread, (files) => files.filter((each) => each !== path))}
      />
    </section>
  );
}

interface PathListProps {
  readonly title: string;
  readonly about: string;
  readonly session: Session;
  readonly paths: readonly string[];
  readonly add: (path: string, outside: boolean) => Promise<unknown>;
  readonly remove: (path: string) => Promise<unknown>;
}

function PathList({ title, about, session, paths, add, remove }: PathListProps) {
  const [typed, setTyped] = useState("");
  const [refusal, setRefusal] = useState<{ readonly text: string; readonly path: string }>();
  const list = useId();
  const offered = useAnswer(() => client.listFiles(session.thread, { q: typed, limit: 20 }), [session.thread, typed]);
  const found = useAnswer(
    () => Promise.all(paths.map((path) => sizeOf(session.thread, path))),
    [session.thread, paths.join("\n")],
  );
  const attempt = async (path: string, change: () => Promise<unknown>) => {
    try {
      await change();
      setRefusal(undefined);
      // Another path may be typed meanwhile.
      setTyped((now) => (now.trim() === path ? "" : now));
    } catch (error) {
      setRefusal({ text: messageOf(error), path });
    }
  };
  return (
    <div className="border-b border-line px-4 py-3">
      <h3 className="text-sm font-medium">{title}</h3>
      <p className="text-muted text-xs">{about}</p>
      <ul aria-label={title}>
        {paths.map((path, index) => (
          <li key={path} className="flex items-center gap-2 text-sm">
            <span className="min-w-0 flex-1 truncate font-mono text-xs">{path}</span>
            <span className="text-muted text-xs">{found.answer?.[index] ?? ""}</span>
            <button
              type="button"
              className="icon-button"
              aria-label={`Remove ${path} from ${title.toLowerCase()}`}
              onClick={() => void attempt(path, () => remove(path))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <form
        className="mt-1 flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const path = typed.trim();
          if (path !== "") void attempt(path, () => add(path, false));
        }}
      >
        <input
          className="field min-w-0 flex-1"
          aria-label={`Add to ${title.toLowerCase()}`}
          placeholder="Path in the workspace"
          list={list}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <datalist id={list}>
          {(offered.answer?.files ?? []).map(({ path }) => (
            <option key={path} value={path} />
          ))}
        </datalist>
        <button type="submit" className="button">
          Add
        </button>
      </form>
      {refusal && (
        <div role="alert" className="error-box mt-2 text-xs">
          <p>{refusal.text}</p>
          {refusal.text.includes("outside") && (
            <button
              type="button"
              className="button mt-1"
              onClick={() => void attempt(refusal.path, () => add(refusal.path, true))}
            >
              Send it all the same
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Its size in tokens, about four bytes each; or that it is not there. */
async function sizeOf(thread: string, path: string): Promise<string> {
  try {
    const { size } = await client.readFile(thread, { path, limit: 1 });
    return `about ${Math.ceil(size / 4).toLocaleString("en")} tokens`;
  } catch {
    return path.startsWith("/") ? "" : "missing";
  }
}
