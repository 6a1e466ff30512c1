import { call } from "../effect.ts";
import type { AskedFor, Model } from "../model.ts";
import { type Step, say, step } from "../step.ts";
import { openPlace } from "./open-place.ts";

/** Carries out the wish for which the user typed a text. */
export function askDone(model: Model, asked: AskedFor, text: string): Step {
  if (asked.what === "search") return text === "" ? step(model) : openPlace(model, "search", { words: text });
  const { thread } = model;
  if (thread === undefined) return step(model);
  if (text === "" && asked.what !== "setting") return say(model, "Nothing was changed: the text was empty.");
  switch (asked.what) {
    case "promote":
      return step(
        model,
        call("promoteTake", [thread, asked.take, { name: text }], {
          for: "changed",
          say: `Promoted to ${text}. Ctrl+Z takes it back.`,
          reload: "takes",
        }),
      );
    case "rename":
      return step(
        model,
        call("renameTake", [thread, asked.take, { name: text }], {
          for: "changed",
          say: `Renamed to ${text}. Ctrl+Z takes it back.`,
          reload: "takes",
        }),
      );
    case "context":
      return step(
        model,
        call("changeContext", [thread, { add: text }], {
          for: "changed",
          say: `Added ${text}. Ctrl+Z takes it back.`,
          reload: "context",
        }),
      );
    case "setting": {
      const value = asked.isNumber ? Number(text) : text;
      return step(
        model,
        call("changeSettings", [thread, { [asked.field]: value } as never], {
          for: "changed",
          say: `Changed ${asked.field}. Ctrl+Z takes it back.`,
          reload: "settings",
        }),
      );
    }
  }
}
