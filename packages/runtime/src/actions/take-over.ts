import { activeTake, refuse, takeById, tree } from "@retake/core";
import type { Action } from "./action.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"takeOver"> = (call) => {
  const { runtime, params } = call;
  const from = runtime.read(params.id, ({ state }) => ({
    isActive: params.take === activeTake(state),
    name: takeById(state, params.take)?.name ?? params.take,
    tree: tree(state, params.take),
  }));
  if (from.isActive) return refuse("invalid-input", "That is the active take. Nothing was changed.");
  if (from.tree === "") return refuse("not-found", "No files of that take were captured. Nothing was changed.");
  return takeBack(call, params.id, (workspace, options) =>
    workspace.restore(params.id, { snapshot: from.name, tree: from.tree }, options),
  );
};
