import { call, changedTag } from "../effect.ts";
import type { AskedFor, Model } from "../model.ts";
import { type Step, say, step } from "../step.ts";
import { changeSetting } from "./change-setting.ts";
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
        call("promoteTake", [thread, asked.take, { name: text }], changedTag(`Promoted to ${text}`, "takes")),
      );
    case "rename":
      return step(
        model,
        call("renameTake", [thread, asked.take, { name: text }], changedTag(`Renamed to ${text}`, "takes")),
      );
    case "context":
      return step(model, call("changeContext", [thread, { add: text }], changedTag(`Added ${text}`, "context")));
    case "setting":
      return changeSetting(model, thread, asked.field, asked.isNumber ? Number(text) : text);
  }
}
