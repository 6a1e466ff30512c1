import type { PulledSegments, Segment, SyncOutcome, ThreadStep } from "@retake/core/sync";
import type { FoundSegment } from "./read-segment.ts";

export type PullStep = Extract<ThreadStep, { kind: "pull" }>;

/** Segments of an answer that are stored in one transaction. */
export interface PullPart {
  readonly step: PullStep;
  /** The changes of the vault that the request carried. */
  readonly seen: readonly string[];
  /** The answer, with the segments of this part alone. */
  readonly outcome: SyncOutcome<"pullSegments">;
  /** Up to the first segment that is unreadable. */
  readonly found: readonly FoundSegment[];
  /** No other part follows it at once. */
  readonly isLast: boolean;
}

interface Pull {
  readonly step: PullStep;
  ask(after: number): Promise<{ readonly seen: readonly string[]; readonly outcome: SyncOutcome<"pullSegments"> }>;
  /** Called with the first answer: whether it is worth a thread depends on its size. */
  reader(segments: number): { read(segment: Segment): Promise<FoundSegment> };
}

/**
 * Pulls a thread page by page, and reads it part by part. While a part is stored, the next ones are read and the next page
 * is under way. A caller that stores a part in another way than as it was given stops: what comes after it is then not read.
 */
export async function* pullParts({ step, ask, reader }: Pull): AsyncGenerator<PullPart> {
  let read: ReturnType<Pull["reader"]> | undefined;
  const begin = async (at: PullStep) => {
    const { seen, outcome } = await ask(at.after);
    const segments = outcome.kind === "answer" ? outcome.answer.segments : [];
    read ??= reader(segments.length);
    const parts = [...partsOf(segments)].map((some) => ({ segments: some, found: readAll(some, read) }));
    // A caller that stops does not wait for them.
    for (const { found } of parts) found.catch(() => undefined);
    return { at, seen, outcome, parts };
  };
  let page = begin(step);
  for (let more = true; more; ) {
    const { at, seen, outcome, parts } = await page;
    more = false;
    if (outcome.kind === "answer") {
      const { segments, last_seq } = outcome.answer;
      const after = at.after + segments.length;
      more = segments.length > 0 && after < last_seq;
      if (more) page = begin({ ...at, after, last_seq: Math.max(at.last_seq, last_seq) });
      // The caller may stop before it is wanted.
      page.catch(() => undefined);
    }
    let { after } = at;
    for (const [index, { segments, found }] of parts.entries()) {
      const part = outcome.kind === "answer" ? { ...outcome, answer: { ...outcome.answer, segments } } : outcome;
      const isLast = !more && index === parts.length - 1;
      yield { step: { ...at, after }, seen, outcome: part, found: await found, isLast };
      after += segments.length;
    }
  }
}

async function readAll(segments: readonly Segment[], reader: ReturnType<Pull["reader"]> | undefined) {
  const found = await Promise.all(segments.map((segment) => reader?.read(segment)));
  const bad = found.findIndex((each) => each?.kind === "unreadable");
  return found.slice(0, bad < 0 ? found.length : bad + 1) as FoundSegment[];
}

type NumberedSegments = PulledSegments["segments"];

/** A part holds about so many operations, or characters of segments: others wait for the database no longer than for one part. */
const OPERATIONS_AT_ONCE = 1000;
const AT_ONCE = 256 * 1024;

/** At least one part: an answer without segments says something too. */
function* partsOf(segments: NumberedSegments): Generator<NumberedSegments> {
  let [from, length, operations] = [0, 0, 0];
  for (const [at, { body, envelope }] of segments.entries()) {
    length += body.length;
    operations += envelope.operations.length;
    if ((length < AT_ONCE && operations < OPERATIONS_AT_ONCE) || at === segments.length - 1) continue;
    yield segments.slice(from, at + 1);
    [from, length, operations] = [at + 1, 0, 0];
  }
  yield segments.slice(from);
}
