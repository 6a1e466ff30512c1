/**
 * B11: the model summarizes the older part of a conversation, and the summary replaces it, as one operation that can be
 * undone.
 *
 * The request is the conversation up to that point, as a turn would send it, followed by a prompt that asks for the
 * summary: so the provider's cache is used. A conversation that the provider does not accept like that is sent once
 * more in short. Nothing changes until the summary has arrived and is valid, and then only if the conversation is still
 * the same.
 */
import {
  activeTake,
  asJson,
  attachedTo,
  type Built,
  type Context,
  compressEntries,
  type Entry,
  entries,
  equal,
  isRefusal,
  type JsonObject,
  type Operation,
  type Refusal,
  refuse,
  runningTurn,
  type State,
  SYSTEM,
  USER,
  type Usage,
} from "@retake/core";
import { charactersOf } from "../model/message-size.ts";
import type { Model, ModelEnd, ModelRequest } from "../model/model.ts";
import type { ModelFacts } from "../model/model-facts.ts";
import type { Identity } from "../store/identity.ts";
import { cutText } from "../tools/cut-text.ts";
import type { Tool } from "../tools/tool.ts";
import { attachedContents, type ContextPlaces } from "./attach-context.ts";
import type { CommsLine } from "./comms-log.ts";
import { estimated } from "./context-use.ts";
import { imagesOf, modelRequest } from "./model-request.ts";

export interface CompressRequest {
  readonly model: Model;
  /** They are not run, but a request without them would not share the prefix of the turns' requests. */
  readonly tools: readonly Tool[];
  /** How many pairs of prompt and answer stay unchanged; otherwise two, or fewer where there are no others. */
  readonly keep?: number | undefined;
  /** Everything before this entry is summarised, and nothing else. */
  readonly before?: string;
  /** Nobody asked for it: the context is full. */
  readonly automatic?: boolean;
  readonly signal: AbortSignal;
}

export interface CompressParts {
  readonly context: ContextPlaces;
  /** Facts about the model: other limits would make another request, which shares no cache with the turns. */
  readonly facts: ModelFacts;
  readonly identity: Identity;
  readonly read: <T>(look: (state: State) => T) => T;
  readonly log: (line: CommsLine) => void;
}

interface Changing {
  readonly change: (build: (state: State, context: Context) => Built) => Operation | Refusal;
}

type Unchanged = { readonly kind: "failed"; readonly code: string; readonly message: string } | Refusal;

export type Summarised =
  | {
      readonly kind: "summarised";
      /** With a turn, the operation is a part of that turn. */
      readonly build: (state: State, context: Context, turn_id?: string) => Built;
      readonly summary: string;
      readonly usage: Usage;
    }
  | Unchanged;

export type Compressed =
  | { readonly kind: "compressed"; readonly operation: Operation; readonly summary: string; readonly usage: Usage }
  | Unchanged;

const KEPT_PAIRS = 2;

export async function compress(parts: CompressParts & Changing, request: CompressRequest): Promise<Compressed> {
  const summarised = await summarise(parts, request);
  if (summarised.kind !== "summarised") return summarised;
  const operation = parts.change((state, context) => summarised.build(state, context));
  const { summary, usage } = summarised;
  return isRefusal(operation) ? operation : { kind: "compressed", operation, summary, usage };
}

/** Asks for the summary, and changes nothing: `build` makes the operation. */
export async function summarise(parts: CompressParts, request: CompressRequest): Promise<Summarised> {
  const { model, automatic = false } = request;
  const prepared = parts.read((state) => prepare(state, parts, request));
  if (isRefusal(prepared)) return prepared;
  const { older, attached } = prepared;
  let answer = await ask(parts, request, prepared.sent("whole"));
  if (IN_SHORT.has(answer.problem?.code ?? "")) answer = await ask(parts, request, prepared.sent("short"));
  const { text, end, problem } = answer;
  if (problem) return { kind: "failed", ...problem, message: `${problem.message} Nothing was changed.` };
  const usage = end?.kind === "responded" ? end.usage : {};
  const content = `Summary of the conversation before this point, by ${model.name}:\n\n${text.trim()}`;
  const through = older.at(-1)?.id;
  const build: Extract<Summarised, { kind: "summarised" }>["build"] = (state, context, turn_id) => {
    const now = [...entries(state, activeTake(state))].slice(0, older.length);
    if (!equal(asJson(now), asJson(older)))
      return refuse("stale-version", "The conversation was changed meanwhile. Nothing else was changed; try again.");
    const summary = { id: parts.identity.entryId(), role: SYSTEM, content, usage: usage as JsonObject, attached };
    const signed = automatic ? { ...context, actor: { kind: "agent", name: model.name } as const } : context;
    const more = { ...(through === undefined ? {} : { through }), ...(turn_id === undefined ? {} : { turn_id }) };
    return compressEntries(state, signed, { summary, automatic, ...more });
  };
  return { kind: "summarised", build, summary: text.trim(), usage };
}

/** Failures that a shorter request may not have. A summary is cut off where the conversation leaves it no room. */
const IN_SHORT: ReadonlySet<string> = new Set(["context-overflow", "invalid-signature", "invalid-image", "cut-off"]);

type Sent = Omit<ModelRequest, "signal">;

async function ask(parts: CompressParts, { model, signal }: CompressRequest, sent: Sent) {
  const work = { turn_id: parts.identity.id(), step: 1, attempt: 1, model: model.name };
  parts.log({ at: new Date(parts.identity.now()).toISOString(), kind: "request", ...work, request: sent });
  const { text, end } = await listen(model, { ...sent, signal });
  const logged = { text, end: end ?? ({ kind: "aborted" } as const) };
  parts.log({ at: new Date(parts.identity.now()).toISOString(), kind: "response", ...work, response: logged });
  return { text, end, problem: whyUseless(text, end, sent, signal) };
}

function prepare(state: State, { context, facts }: CompressParts, { model, tools, keep, before }: CompressRequest) {
  const take = activeTake(state);
  if (runningTurn(state, take) !== undefined)
    return refuse("agent-running", "The agent is working in this take. Wait until it is done; nothing was changed.");
  const all = [...entries(state, take)];
  // A conversation of one long turn is compressed whole: to keep it would make no room (F71).
  const tried = keep === undefined ? [KEPT_PAIRS, 1, 0] : [keep];
  const { context_window: window = Number.POSITIVE_INFINITY } = facts;
  const makesRoom = (rest: readonly Entry[]) => keep !== undefined || estimated(rest) < window / 2;
  const older =
    before === undefined
      ? tried
          .map((pairs) => beforeLast(all, pairs))
          .find((list) => list.length > 0 && makesRoom(all.slice(list.length)))
      : all.slice(
          0,
          all.findIndex(({ id }) => id === before),
        );
  if (!older || older.length === 0)
    return refuse(
      "nothing-to-do",
      keep
        ? `There is nothing to compress before the last ${keep} prompts. Nothing was changed.`
        : "There is nothing to compress. Nothing was changed.",
    );
  const contents = attachedContents(state, take, context);
  // The summary shows what they showed, so that nothing has to be attached again.
  const attached = [...attachedTo(older, contents).values()];
  const offered = tools.map(({ name, description, input: schema }) => ({ name, description, input: schema }));
  const sent = (length: "whole" | "short"): Sent => {
    const short = length === "short";
    const conversation = [...(short ? older.map(inShort) : older), asking(older)];
    const input = { model: model.name, attached: contents, conversation, facts, withoutThinking: short };
    const { content } = modelRequest(state, take, input);
    const images = imagesOf(content, (digest) => (short ? undefined : context.attachments.bytes(digest)));
    return { ...content, tools: offered, images, step: 1, purpose: "compress" };
  };
  return { older, attached, sent };
}

/**
 * An entry as it is sent for the summary of a conversation that is too long: the beginning of a tool's result says
 * enough, and the provider's count no longer applies.
 */
function inShort({ usage: _, ...entry }: Entry): Entry {
  return entry.tool_result === undefined ? entry : { ...entry, content: cutText(entry.content, LONGEST_RESULT) };
}

const LONGEST_RESULT = 2000;

/** The entries before the last pairs. A pair is a user's entry and all that follows until the next one. */
function beforeLast(list: readonly Entry[], keep: number): Entry[] {
  const starts = list.flatMap(({ role, tool_result: result }, index) =>
    role === USER && result === undefined ? [index] : [],
  );
  const first = keep === 0 ? list.length : (starts[starts.length - keep] ?? 0);
  return list.slice(0, first);
}

/** The prompt at the end of the request. It is not part of the conversation. */
function asking(older: readonly Entry[]): Entry {
  const order = `${older.at(-1)?.order ?? ""}~`;
  return { id: "compress", order, role: USER, content: ASK, ts: "", collapsed: false, read_mode: false };
}

const ASK = `Summarise this conversation for yourself: the summary will stand in its place, and you will go on from it
without the rest. Call no tools. Keep what matters for going on: what the user wants and decided, what was done and
found out, which files were changed and how, names, commands and numbers that will be needed, what is open. Leave
out what is settled and pleasantries. Answer with the summary alone.`;

async function listen(model: Model, request: ModelRequest): Promise<{ text: string; end: ModelEnd | undefined }> {
  let text = "";
  try {
    for await (const part of model.stream(request)) {
      if (part.kind === "responded" || part.kind === "failed") return { text, end: part };
      if (part.kind === "text") text += part.text;
    }
    return { text, end: undefined };
  } catch (error) {
    return { text, end: { kind: "failed", code: "network", message: (error as Error).message } };
  }
}

function whyUseless(
  text: string,
  end: ModelEnd | undefined,
  { messages }: Pick<ModelRequest, "messages">,
  signal: AbortSignal,
): { code: string; message: string } | undefined {
  if (signal.aborted) return { code: "interrupted", message: "Interrupted." };
  if (!end) return { code: "network", message: "The model stopped in the middle of its answer." };
  if (end.kind === "failed") return { code: end.code, message: end.message };
  if (end.stop === "length") return { code: "cut-off", message: "The summary was cut off: raise max_tokens." };
  if (end.stop !== "end") return { code: "no-summary", message: "The model did not answer with a summary." };
  if (text.trim() === "") return { code: "no-summary", message: "The model answered with nothing." };
  const parts = messages
    .slice(0, -1)
    .flatMap((message): readonly Parameters<typeof charactersOf>[0][] => message.parts);
  const before = parts.reduce((sum, part) => sum + charactersOf(part), 0);
  if (text.length > before) return { code: "no-summary", message: "The summary is longer than what it summarises." };
  return undefined;
}
