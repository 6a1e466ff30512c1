import { lineText } from "../draw/line.ts";
import type { Effect, Event } from "../model/effect.ts";
import type { Model } from "../model/model.ts";
import { update } from "../model/update.ts";
import { viewOf } from "../screens/view-of.ts";

/** The model after events, and all effects; those that are due at once are carried out. */
export function after(model: Model, ...events: readonly Event[]): { model: Model; effects: Effect[] } {
  const effects: Effect[] = [];
  let current = model;
  const dispatch = (event: Event): void => {
    const next = update(current, event);
    current = next.model;
    for (const effect of next.effects) {
      if (effect.kind === "after" && effect.milliseconds === 0) dispatch(effect.event);
      else effects.push(effect);
    }
  };
  for (const event of events) dispatch(event);
  return { model: current, effects };
}

export function key(name: string): Event {
  return { type: "key", key: name, ...([...name].length === 1 ? { text: name } : {}) };
}

export function typed(text: string): Event[] {
  return [...text].map(key);
}

export function screen(model: Model): string {
  return viewOf(model).lines.map(lineText).join("\n");
}

/** The calls among the effects, without the thread. */
export function calls(effects: readonly Effect[]): unknown[][] {
  return effects.flatMap((effect) => (effect.kind === "call" ? [[effect.name, ...effect.args.slice(1)]] : []));
}
