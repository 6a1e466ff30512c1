import type { SessionView } from "@retake/client";
import { entryById, recordsBack, type Turn, turn as turnById, turnName } from "@retake/core";
import { useState } from "react";
import { client } from "../data/connection.ts";
import { useStore } from "../data/store.ts";
import { useAnswer } from "../data/use-answer.ts";
import { focusStore } from "../data/view-state.ts";
import { Failure } from "../parts/failure.tsx";
import { PanelHeading } from "../parts/panel-heading.tsx";
import { Receipt } from "../parts/receipt.tsx";
import { shortTime } from "../parts/time.ts";
import type { PanelProps } from "./panel.ts";

/** The focused entry: what is known of it, its turn's receipt, and what the model was sent in that turn. */
export default function EntryPanel({ session }: PanelProps) {
  const view = useStore(session.store, (state) => state.view);
  const focus = useStore(focusStore);
  const entry = view && focus?.entry !== undefined ? entryById(view.state, view.take, focus.entry) : undefined;
  const turn = view && (focus?.turn === undefined ? lastTurn(view) : turnById(view.state, view.take, focus.turn));
  const facts: readonly (readonly [string, string])[] = entry
    ? [
        ["Name", focus?.name ?? entry.id],
        ["Role", entry.role],
        ["Time", shortTime(entry.ts)],
        ...(turn?.model === undefined ? [] : [["Model", turn.model] as const]),
        ...Object.entries(entry.usage ?? {}).map(
          ([name, value]) => [name.replaceAll("_", " "), String(value)] as const,
        ),
      ]
    : [];
  return (
    <section className="panel" aria-labelledby="panel-entry" data-thread={session.thread}>
      <PanelHeading id="panel-entry" title="Entry" about="The focused entry: what it cost, and what was sent." />
      {!entry && (
        <p className="text-muted px-4 text-sm">
          {turn ? `The last turn, ${turnName(turn.number)}. ` : ""}Choose an entry in the conversation to see more of
          it.
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 px-4 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="break-all">{value}</dd>
          </div>
        ))}
      </dl>
      {turn?.receipt && <Receipt receipt={turn.receipt} />}
      {turn && <Sent key={turn.id} thread={session.thread} turn={turn.id} />}
    </section>
  );
}

function lastTurn({ state, take }: SessionView): Turn | undefined {
  for (const [id] of recordsBack(state, take, "turn")) return turnById(state, take, id);
  return undefined;
}

/** The requests to the model in a turn, step by step, as the communication log has them. */
function Sent({ thread, turn }: { readonly thread: string; readonly turn: string }) {
  const [open, setOpen] = useState(false);
  const [step, setStep] = useState<number>();
  const { answer, failure } = useAnswer(
    async () => (open ? client.getTurnRequest(thread, turn, step === undefined ? {} : { step }) : undefined),
    [thread, turn, open, step],
  );
  const request = answer?.request;
  return (
    <details className="border-t border-line px-4 py-2" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="text-sm font-medium">What the model was sent</summary>
      <Failure text={failure} />
      {answer && answer.requests.length === 0 && (
        <p className="text-muted text-sm">The communication log has no request of this turn.</p>
      )}
      {answer && answer.requests.length > 1 && (
        <select
          className="field my-1"
          aria-label="Request"
          value={request?.step ?? ""}
          onChange={(event) => setStep(Number(event.target.value))}
        >
          {answer.requests.map((each) => (
            <option key={`${each.step} ${each.attempt}`} value={each.step}>
              {`Request ${each.step} to ${each.model}, ${each.messages} messages`}
            </option>
          ))}
        </select>
      )}
      {request && (
        <div data-testid="sent">
          <h4 className="text-muted pt-2 text-xs">System prompt</h4>
          <pre className="text-xs whitespace-pre-wrap">{request.system || "(none)"}</pre>
          <h4 className="text-muted pt-2 text-xs">{`${request.messages.length} messages`}</h4>
          {request.messages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages that were sent never change
            <SentMessage key={index} message={message} />
          ))}
          <h4 className="text-muted pt-2 text-xs">Answer</h4>
          <pre className="text-xs whitespace-pre-wrap">{JSON.stringify(request.response, null, 2)}</pre>
        </div>
      )}
    </details>
  );
}

/** One message: its texts as text, everything else as data. */
function SentMessage({ message }: { readonly message: unknown }) {
  const { role = "", parts = [] } = message as { role?: string; parts?: readonly Record<string, unknown>[] };
  return (
    <section className="sent-message" aria-label={role}>
      <h5 className="read-role">{role}</h5>
      {parts.map(({ type, text, entry_id: _, ...data }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts that were sent never change
        <pre key={index}>{typeof text === "string" ? text : `${String(type)} ${JSON.stringify(data, null, 2)}`}</pre>
      ))}
    </section>
  );
}
