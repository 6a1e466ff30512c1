import type { Entry, ToolStatus } from "../session/entry.ts";
import type { State } from "../session/state.ts";
import { activeTake, entries, inThread, turn } from "../session/view.ts";
import { type Check, fields, list, object, text, whole } from "../values/check.ts";
import { isObject, type JsonObject } from "../values/json.ts";

/**
 * A share is a copy of one conversation for readers outside of the vault.
 *
 *     document   JSON: the title and the entries of the active take, as they are at that moment
 *     body       gzip, padded, then AES-256-GCM with the share's own key; the associated data is `shareData(id)`
 *     link       <server>/s/<id>#<key>: browsers send no fragment, so the server never has the key
 *
 * The key is derived from the key of the thread and from the id. Readers of the link learn nothing else of the thread: not its
 * history, which has undone turns, and not its files. The body is deleted when the share ends.
 */
export interface ShareDocument {
  readonly format: typeof SHARE_FORMAT;
  readonly format_version: number;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly shared_at: number;
  readonly entries: readonly ShareEntry[];
}

export interface ShareEntry {
  readonly role: string;
  readonly content: string;
  /** ISO 8601. */
  readonly ts: string;
  /** The number of its turn. */
  readonly turn?: number;
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly input: JsonObject }[];
  readonly tool_result?: { readonly call_id: string; readonly name: string; readonly status: ToolStatus };
}

/** The readers of a share: everybody with the link, or those who run the server. */
export const SHARE_READERS = ["link", "support"] as const;
export type ShareReaders = (typeof SHARE_READERS)[number];

const SHARE_FORMAT = "retake-share";
const SHARE_VERSION = 1;

/** The associated data of a share's body: nobody can put it under another id. */
export function shareData(share: string): string {
  return `${SHARE_FORMAT} ${share}`;
}

export function shareDocument(state: State, at: number): ShareDocument {
  const take = activeTake(state);
  return {
    format: SHARE_FORMAT,
    format_version: SHARE_VERSION,
    title: String(inThread(state, "thread")?.["title"] ?? ""),
    shared_at: at,
    entries: [...entries(state, take)].map((entry) =>
      shareEntry(entry, turn(state, take, entry.turn_id ?? "")?.number),
    ),
  };
}

/** An entry without everything that the page does not show: thinking, usage, unknown keys. */
function shareEntry({ role, content, ts, tool_calls, tool_result }: Entry, number: number | undefined): ShareEntry {
  return {
    role,
    content,
    ts,
    ...(number === undefined ? {} : { turn: number }),
    ...(tool_calls ? { tool_calls: tool_calls.map(({ id, name, input }) => ({ id, name, input })) } : {}),
    ...(tool_result ? { tool_result: resultOf(tool_result) } : {}),
  };
}

function resultOf({ call_id, name, status }: NonNullable<Entry["tool_result"]>) {
  return { call_id, name, status };
}

export type ReadShare =
  | { readonly kind: "document"; readonly document: ShareDocument }
  | { readonly kind: "unreadable"; readonly code: "newer-version" | "damaged" };

export function readShareDocument(json: unknown): ReadShare {
  if (!isObject(json) || json["format"] !== SHARE_FORMAT) return { kind: "unreadable", code: "damaged" };
  if (Number(json["format_version"]) > SHARE_VERSION) return { kind: "unreadable", code: "newer-version" };
  if (checkDocument(json) !== undefined) return { kind: "unreadable", code: "damaged" };
  return { kind: "document", document: json as unknown as ShareDocument };
}

const checkDocument: Check = fields({
  format_version: whole(1),
  title: text(),
  shared_at: whole(0),
  entries: list(
    fields(
      { role: text(), content: text(), ts: text() },
      {
        turn: whole(1),
        tool_calls: list(fields({ id: text(), name: text(), input: object })),
        tool_result: fields({ call_id: text(), name: text(), status: text() }),
      },
    ),
  ),
});
