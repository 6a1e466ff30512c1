import { ApiError, type Client } from "@retake/client";
import type { Answered, Asked, RecordedCall } from "./recorded-call.ts";

/** Makes one request over HTTP and records it; twice, at once or one after the other, where it is to have a key. */
export async function askOverHttp(
  { name, client, thread, record }: Asking,
  asked: Asked,
  { expected, key }: { readonly expected?: number | undefined; readonly key?: string | undefined } = {},
): Promise<Answered> {
  const once = async () => {
    const invoked = performance.now();
    const answer = await send(client, thread, asked, {
      ...(expected === undefined ? {} : { version: expected }),
      ...(key === undefined ? {} : { idempotencyKey: key }),
    });
    const returned = performance.now();
    const given = { ...(expected === undefined ? {} : { expected }), ...(key === undefined ? {} : { key }) };
    record({ client: name, asked, ...given, invoked, returned, answer });
    return answer;
  };
  if (key === undefined) return once();
  const both = [once(), once()] as const;
  await both[1];
  return both[0];
}

export interface Asking {
  readonly name: string;
  readonly client: Client;
  readonly thread: string;
  readonly record: (call: RecordedCall) => void;
  /** Resolves when no turn of the thread runs or waits, for a moment at least. */
  readonly quiet: () => Promise<void>;
}

async function send(
  client: Client,
  thread: string,
  asked: Asked,
  options: { version?: number; idempotencyKey?: string },
): Promise<Answered> {
  try {
    switch (asked.kind) {
      case "insert":
        return changed(await client.addEntry(thread, { id: asked.entry, content: asked.content }, options));
      case "edit":
        return changed(await client.editEntry(thread, asked.entry, { content: asked.content }, options));
      case "draft":
        return changed(await client.changeSettings(thread, { draft: asked.text }, options));
      case "undo":
        return changed(await client.undo(thread, { steps: 1 }, options));
      case "retry":
        return changed(await client.retry(thread, { prompt: asked.prompt, approve: "all" as const }, options));
      case "turn": {
        const { version, turn_id } = await client.startTurn(
          thread,
          { prompt: asked.prompt, approve: "all" as const },
          options,
        );
        return { kind: "queued", version, turn: turn_id };
      }
      case "read-entries": {
        const { version, entries } = await client.listEntries(thread);
        return { kind: "entries", version, entries: entries.map(({ id, content }) => [id, content] as const) };
      }
      case "read-thread": {
        const { version, head, entries } = await client.getThread(thread);
        return { kind: "thread", version, head, count: entries };
      }
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: "refused", code: error.code, message: error.message };
  }
}

function changed(said: { version: number; op_id: string | null; turn_id?: string }): Answered {
  return { kind: "changed", version: said.version, operation: said.op_id, turn: said.turn_id };
}
