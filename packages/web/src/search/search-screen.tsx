import { plural } from "@retake/client/screen";
import { useEffect, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { useKeys } from "../commands/use-keys.ts";
import { client } from "../data/connection.ts";
import { useStore } from "../data/store.ts";
import { useAnswer } from "../data/use-answer.ts";
import { panels } from "../data/view-state.ts";
import { ConnectionBar } from "../layout/connection-bar.tsx";
import { SidebarButton } from "../layout/sidebar-button.tsx";
import { Overlays } from "../overlays/overlays.tsx";
import { Failure } from "../parts/failure.tsx";
import { Marked } from "../parts/marked.tsx";
import { Notices } from "../parts/notices.tsx";
import { shortTime } from "../parts/time.ts";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { FROM_HERE } from "./search-address.ts";

const FACETS = [
  { field: "role", label: "Role" },
  { field: "tag", label: "Tag" },
  { field: "branch", label: "Git branch" },
  { field: "commit", label: "Commit" },
  { field: "directory", label: "Directory" },
] as const;

const QUIET_MS = 250;

/** Search over all threads, with what narrows it down. The address holds the question, so it can be linked to. */
export function SearchScreen() {
  useKeys();
  const [, go] = useLocation();
  const { sidebar } = useStore(panels);
  const [params, setParams] = useSearchParams();
  const asked = params.toString();
  const question = {
    ...(params.get("q") ? { words: params.get("q") as string } : {}),
    ...Object.fromEntries(FACETS.flatMap(({ field }) => (params.get(field) ? [[field, params.get(field)]] : []))),
  };
  const empty = Object.keys(question).length === 0;
  const { answer, failure } = useAnswer(
    async () => (empty ? undefined : client.searchThreads({ ...question, limit: 50 })),
    [asked],
  );
  const set = (field: string, value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(field);
        else next.set(field, value);
        return next;
      },
      { replace: true, state: history.state },
    );
  return (
    <div className="screen" data-sidebar={sidebar} data-inspector={false}>
      {sidebar && <Sidebar thread="" />}
      <main className="centre" aria-label="Search" data-region tabIndex={-1}>
        <ConnectionBar />
        <search className="search-fields">
          <div className="flex items-center gap-2">
            <SidebarButton />
            <h1 className="flex-1 text-base font-semibold">Search all threads</h1>
            <button
              type="button"
              className="button"
              onClick={() => (history.state === FROM_HERE ? history.back() : go("/"))}
            >
              Back
            </button>
          </div>
          <Field label="Words" large value={params.get("q") ?? ""} onChange={(value) => set("q", value)} />
          <div className="flex flex-wrap gap-2">
            {FACETS.map(({ field, label }) => (
              <Field
                key={field}
                label={label}
                value={params.get(field) ?? ""}
                onChange={(value) => set(field, value)}
              />
            ))}
          </div>
        </search>
        <Failure text={failure} />
        <div className="search-results">
          {empty && <p className="text-muted">Type words, or fill in what narrows it down.</p>}
          {answer && <p className="text-muted text-sm">{`${plural(answer.total, "thread")} found`}</p>}
          <ul aria-label="Results">
            {answer?.threads.map(({ id, title, matches, updated_at }) => (
              <li key={id}>
                <h2>
                  <Link href={`/t/${id}`}>{title}</Link>
                  <time className="text-muted" dateTime={updated_at}>
                    {shortTime(updated_at)}
                  </time>
                </h2>
                {matches.map(({ entry_id, snippet, highlights, role }) => (
                  <Link key={entry_id} className="match" href={`/t/${id}?entry=${encodeURIComponent(entry_id)}`}>
                    <span className="read-role">{role}</span> <Marked text={snippet} places={highlights} />
                  </Link>
                ))}
              </li>
            ))}
          </ul>
        </div>
      </main>
      <Notices />
      <Overlays />
    </div>
  );
}

/** Typing is asked for when it pauses; until then, and only then, the field shows something else than the address. */
function Field(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly large?: boolean;
}) {
  const { label, value, onChange, large } = props;
  const [typed, setTyped] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed changes the question
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => {
      onChange(typed);
      setTyped(undefined);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      type="search"
      className={large ? "field basis-full" : "field facet"}
      aria-label={label}
      placeholder={label}
      value={typed ?? value}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
