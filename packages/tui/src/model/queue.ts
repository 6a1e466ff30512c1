/** The prompts that wait for the end of a turn. Events say how the queue changes; a screen that comes later asks for it. */
import { turn } from "@retake/core";
import { type Composer, replaceText } from "./composer.ts";
import { draftLater } from "./draft.ts";
import { call, type Effect } from "./effect.ts";
import type { Model, QueuedPrompt } from "./model.ts";
import { type Step, say, step } from "./step.ts";

export interface ListedTurn {
  readonly id: string;
  readonly prompt: string;
  readonly status: string;
}

/** Turns that wait are the last ones of the list. */
const MOST_QUEUED = 50;

export function askQueue(thread: string): Effect {
  return call("listTurns", [thread, { last: MOST_QUEUED }], { for: "queue", thread });
}

export function queueKnown(model: Model, turns: readonly ListedTurn[]): Step {
  const known = new Set(model.queue.map((each) => each.turn));
  const asked = turns
    .filter(({ id, status }) => (status === "queued" || status === "paused") && !known.has(id))
    .map(({ id, prompt, status }) => ({
      turn: id,
      prompt,
      ...(status === "paused" ? { isPaused: true as const } : {}),
    }));
  const next: Model = { ...model, queue: [...asked, ...model.queue] };
  return step({ ...next, queue: waitingIn(next) });
}

/** Without turns that have begun: an answer can be older than the view. */
export function waitingIn({ view, queue }: Model): readonly QueuedPrompt[] {
  return view ? queue.filter((each) => turn(view.state, view.take, each.turn) === undefined) : queue;
}

export function queueWithout({ queue }: Model, id: string): readonly QueuedPrompt[] {
  return queue.filter((each) => each.turn !== id);
}

/** Runs the prompts that waited when the process before ended. */
export function continueQueue(model: Model): Step {
  const { thread, queue } = model;
  if (thread === undefined || !queue.some(({ isPaused }) => isPaused)) return say(model, "No prompt is paused.");
  return step({ ...model, anchor: undefined }, call("continueTurns", [thread, {}], { for: "nothing" }));
}

/** Takes a prompt out of the queue; it comes into the field when it is out. */
export function unqueue(model: Model, prompt: QueuedPrompt | undefined): Step {
  if (!prompt || model.thread === undefined) return say(model, "No such prompt waits.");
  const { turn: id, prompt: text } = prompt;
  return step(model, call("removeQueuedTurn", [model.thread, id], { for: "unqueued", turn: id, prompt: text }));
}

/** The process of the queue ends: its prompts are in the store. */
export function paused(model: Model, id: string): Step {
  const queue = model.queue.map((each) => (each.turn === id ? { ...each, isPaused: true as const } : each));
  return step({ ...model, queue });
}

/** A turn that waited does not begin. A prompt that was written here comes back into the field, unless it is there already. */
export function notBegun(model: Model, id: string): Step {
  const waiting = model.queue.find((each) => each.turn === id);
  const isOwn = waiting !== undefined && model.prompts.lines.includes(waiting.prompt);
  if (isOwn && !model.composer.text.includes(waiting.prompt)) return unqueued(model, waiting);
  return step({ ...model, queue: queueWithout(model, id) });
}

/** The field with a prompt that comes back in front of its text. */
export function inFront(composer: Composer, prompt: string): Composer {
  return replaceText(composer, composer.text === "" ? prompt : `${prompt}\n${composer.text}`);
}

/** The prompt is out of the queue, and in the field again. */
export function unqueued(model: Model, { turn: id, prompt }: QueuedPrompt): Step {
  const composer = inFront(model.composer, prompt);
  const next: Model = { ...model, composer, state: "typing", queue: queueWithout(model, id) };
  return step(next, ...draftLater(next));
}
