import { callDiff, callSummary } from "@retake/client/screen";
import { AI } from "@retake/core";
import type { ShareDocument, ShareEntry } from "@retake/core/sync";
import { useLayoutEffect, useRef } from "react";
import { safeHtml } from "../markdown/sanitize.ts";

/** A conversation that is only read. */
export function SharedThread({ document: { title, shared_at, entries } }: { readonly document: ShareDocument }) {
  const results = new Map(entries.flatMap((each) => (each.tool_result ? [[keyOf(each), each] as const] : [])));
  const calls = entries.flatMap((each) => (each.tool_calls ?? []).map(({ id }) => `${each.turn} ${id}`));
  const asked = new Set(calls);
  const shown = entries.filter((each) => !each.tool_result || !asked.has(keyOf(each)));
  return (
    <main className="shared">
      <header>
        <h1>{title}</h1>
        <p className="muted">
          A thread of Retake as it was on{" "}
          <time dateTime={new Date(shared_at).toISOString()}>{new Date(shared_at).toLocaleString()}</time>, decrypted in
          your browser.
        </p>
      </header>
      {shown.map((entry, index) => (
        // The list never changes.
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name here
        <Entry key={index} entry={entry} resultOf={(id) => results.get(`${entry.turn} ${id}`)} />
      ))}
    </main>
  );
}

function keyOf({ turn, tool_result }: ShareEntry): string {
  return `${turn} ${tool_result?.call_id}`;
}

function Entry({
  entry,
  resultOf,
}: {
  readonly entry: ShareEntry;
  readonly resultOf: (call: string) => ShareEntry | undefined;
}) {
  const { role, content, turn, tool_calls: calls = [] } = entry;
  return (
    <article aria-label={turn === undefined ? role : `${role} #${turn}`}>
      <h2>
        {role} {turn !== undefined && <span className="muted">#{turn}</span>}
      </h2>
      {content.trim() !== "" && (role === AI ? <Text markdown={content} /> : <p className="plain">{content}</p>)}
      {calls.map((call) => (
        <Call key={call.id} call={call} result={resultOf(call.id)} />
      ))}
    </article>
  );
}

function Call({
  call,
  result,
}: {
  readonly call: NonNullable<ShareEntry["tool_calls"]>[number];
  readonly result: ShareEntry | undefined;
}) {
  const diff = callDiff(call.name, call.input);
  return (
    <details>
      <summary>
        <code>{callSummary(call)}</code> <span className="muted">{result?.tool_result?.status}</span>
      </summary>
      <pre>{diff.length > 0 ? diff.join("\n") : JSON.stringify(call.input, null, 2)}</pre>
      {result && result.content !== "" && <pre>{result.content}</pre>}
    </details>
  );
}

function Text({ markdown }: { readonly markdown: string }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element.current) element.current.innerHTML = safeHtml(markdown);
  }, [markdown]);
  return <div className="prose" ref={element} />;
}
