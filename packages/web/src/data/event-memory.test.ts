import type { RetakeEvent } from "@retake/client";
import { describe, expect, test } from "vitest";
import { EventMemory } from "./event-memory.ts";

const opened = (seq: string): RetakeEvent => ({ type: "stream-opened", seq });
const said = (seq: string, thread_id = "T"): RetakeEvent => ({
  type: "notice",
  seq,
  thread_id,
  turn_id: "turn",
  message: "",
});

function heard(...events: readonly RetakeEvent[]): EventMemory {
  const memory = new EventMemory();
  for (const event of events) memory.add(event);
  return memory;
}

/** The events that a reader gets from now on, by type and position; ends with the event `end`. */
async function read(memory: EventMemory, since_seq: string | undefined, later: () => void = () => {}) {
  const seen: string[] = [];
  const events = memory.follow({ thread: "T", ...(since_seq === undefined ? {} : { since_seq }) });
  // The reader begins before anything later happens.
  let next = events.next();
  later();
  memory.add(said("end"));
  for (;;) {
    const { value } = await next;
    if (!value || value.seq === "end") break;
    seen.push(value.type === "gap" ? `gap after ${value.since_seq}` : value.seq);
    next = events.next();
  }
  await events.return();
  return seen;
}

describe("the events of a tab", () => {
  test("[P8] a reader gets the events of its thread after its position, those before it came too", async () => {
    const memory = heard(opened("1"), said("2"), said("3", "other"), said("4"));
    expect(await read(memory, "2", () => memory.add(said("5")))).toEqual(["4", "5"]);
    expect(await read(memory, "1")).toEqual(["2", "4", "5"]);
    expect(await read(memory, undefined, () => memory.add(said("6")))).toEqual(["6"]);
  });

  test("[P8] a stream that opens where the reader is has missed nothing; elsewhere the reader is told of a gap", async () => {
    const early = heard();
    expect(await read(early, "1", () => early.add(opened("1")))).toEqual([]);
    const late = heard();
    const open = () => {
      for (const event of [opened("2"), said("3")]) late.add(event);
    };
    expect(await read(late, "1", open)).toEqual(["gap after 1", "3"]);
  });

  test("[P8] a position from before the stream was opened, or that is kept no more, is a gap, told once", async () => {
    expect(await read(heard(opened("2"), said("3")), "1")).toEqual(["gap after 1", "3"]);
    const many = Array.from({ length: 3000 }, (_, index) => said(`${index}`, "other"));
    expect(await read(heard(opened("start"), ...many), "5")).toEqual(["gap after 5"]);
    expect(await read(heard(opened("start"), ...many), "2999")).toEqual([]);
  });

  test("[P8] a stream that begins anew tells a reader of a gap unless nothing happened meanwhile", async () => {
    const memory = heard(opened("1"));
    const again = () => {
      for (const event of [said("2"), opened("2"), said("3"), opened("5")]) memory.add(event);
    };
    expect(await read(memory, "1", again)).toEqual(["2", "3", "gap after 3"]);
  });

  test("a reader ends by its signal, also while it waits", async () => {
    const stop = new AbortController();
    const events = heard().follow({ signal: stop.signal });
    const next = events.next();
    stop.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
