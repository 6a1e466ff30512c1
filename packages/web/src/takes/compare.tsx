import { callSummary } from "@retake/client/screen";
import { TOOL, type ToolCall } from "@retake/core";
import { useState } from "react";
import { useLocation } from "wouter";
import { client } from "../data/connection.ts";
import type { Session } from "../data/session.ts";
import { useAnswer } from "../data/use-answer.ts";
import { useVersion } from "../data/use-version.ts";
import { Failure } from "../parts/failure.tsx";
import { ReadCall, ReadText } from "../parts/read-rows.tsx";
import { type Compared, CompareFiles } from "./compare-files.tsx";
import { turnsBeside } from "./turns-beside.ts";

type Entry = Compared["entries"]["a"][number];
type Shown = "conversation" | "files" | "settings";

/** Two takes side by side: what they say after their common beginning, how their files and their settings differ. */
export default function Compare({
  session,
  a,
  b,
}: {
  readonly session: Session;
  readonly a: string;
  readonly b: string;
}) {
  const { thread } = session;
  const version = useVersion(session);
  const [shown, setShown] = useState<Shown>("conversation");
  const [, go] = useLocation();
  const { answer, failure } = useAnswer(() => client.compareTakes(thread, a, b), [thread, a, b, version]);
  const titles: Readonly<Record<Shown, string>> = {
    conversation: "Conversation",
    files: `Files (${answer?.files.length ?? 0})`,
    settings: "Settings",
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="compare">
      <div className="bar plain bar-action">
        <p>
          {answer ? (
            <>
              <strong>{answer.a.name}</strong> and <strong>{answer.b.name}</strong>
              {`: ${answer.common} entries in common`}
            </>
          ) : failure === undefined ? (
            "Comparing …"
          ) : (
            "Nothing to compare"
          )}
        </p>
        <fieldset className="segmented" aria-label="What to compare">
          {(["conversation", "files", "settings"] as const).map((each) => (
            <button key={each} type="button" aria-pressed={each === shown} onClick={() => setShown(each)}>
              {titles[each]}
            </button>
          ))}
        </fieldset>
        <button type="button" className="button" onClick={() => go(`/t/${thread}`)}>
          Back
        </button>
      </div>
      <Failure text={failure} />
      {answer && shown === "conversation" && <Conversations compared={answer} />}
      {answer && shown === "files" && <CompareFiles {...{ thread, version }} compared={answer} />}
      {answer && shown === "settings" && <Settings session={session} compared={answer} />}
    </div>
  );
}

/** Turns beside each other, in the order in which each take has them. */
function Conversations({ compared }: { readonly compared: Compared }) {
  const { a, b, entries, names } = compared;
  const rows = turnsBeside(entries.a, entries.b);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls the conversations
    <section className="compare-turns" aria-label="Conversations" tabIndex={0}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added at the end
        <div key={index} className="compare-row">
          <Turn take={a.name} entries={row.a} names={names} />
          <Turn take={b.name} entries={row.b} names={names} />
        </div>
      ))}
    </section>
  );
}

function Turn({
  take,
  entries,
  names,
}: {
  readonly take: string;
  readonly entries: readonly Entry[];
  readonly names: Compared["names"];
}) {
  const calls = new Map(
    entries.flatMap(({ tool_calls }) => ((tool_calls ?? []) as unknown as ToolCall[]).map((call) => [call.id, call])),
  );
  const name = names[entries[0]?.id ?? ""]?.split(".")[0];
  return (
    <section aria-label={`${take} ${name ?? ""}`.trim()}>
      <h2>
        {take} {name && <span className="text-muted">{name}</span>}
      </h2>
      {entries.length === 0 && <p className="text-muted text-sm">No more turns.</p>}
      {entries.map((entry) => {
        const { id, role, content, tool_result } = entry;
        const call = calls.get((tool_result as { call_id?: string } | undefined)?.call_id ?? "");
        if (role !== TOOL) return <ReadText key={id} entry={entry} />;
        return <ReadCall key={id} summary={call ? callSummary(call) : "Tool"} output={content} />;
      })}
    </section>
  );
}

/** The settings that differ. */
function Settings({ session, compared }: { readonly session: Session; readonly compared: Compared }) {
  const { thread } = session;
  const takes = [compared.a, compared.b];
  const { answer, failure } = useAnswer(
    () => Promise.all(takes.map(({ id }) => client.getSettings(thread, { take: id }) as Promise<Fields>)),
    [thread, compared],
  );
  if (!answer) return <Failure text={failure} />;
  const [first, second] = answer;
  const fields = Object.keys(first ?? {}).filter(
    (field) => field !== "draft" && JSON.stringify(first?.[field]) !== JSON.stringify(second?.[field]),
  );
  if (fields.length === 0) return <p className="text-muted p-4 text-sm">Their settings are the same.</p>;
  return (
    <table className="compare-settings">
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">{compared.a.name}</th>
          <th scope="col">{compared.b.name}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field}>
            <th scope="row">{field.replaceAll("_", " ")}</th>
            <td>{wordOf(first?.[field])}</td>
            <td>{wordOf(second?.[field])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Fields = Readonly<Record<string, unknown>>;

function wordOf(value: unknown): string {
  if (value === "" || value === undefined || value === null) return "(none)";
  return typeof value === "string" ? value : JSON.stringify(value);
}
