import { statSync } from "node:fs";
import { resolve } from "node:path";
import { activeTake, addPath, isRefusal, pathsIn, refuse, removePath } from "@retake/core";
import { type Action, answer } from "./action.ts";
import { outsideFiles } from "./shared/outside-files.ts";
import { contextOf } from "./shared/settings-of.ts";

export const action: Action<"changeContext"> = async ({ runtime, params, body, change }) => {
  const outside = outsideFiles(runtime, params.id);
  if ("remove" in body) {
    const removed = await runtime.change(
      params.id,
      (state, context) => removePath(state, context, { list: "context", path: body.remove }),
      change,
      contextOf,
    );
    if (!isRefusal(removed)) outside.forget(body.remove);
    return removed;
  }
  const path = body.add;
  const { workspace_root: root } = runtime.thread(params.id);
  if (statSync(resolve(root, path), { throwIfNoEntry: false })?.isDirectory())
    return refuse(
      "invalid-input",
      `${path} is a directory. Nothing was changed; name the files that the model shall see.`,
    );
  const refusal = body.outside === true ? undefined : outside.refusal([path]);
  if (refusal) return refusal;
  // It stands in the list by an undo or a jump, which bring no yes.
  const unsent = runtime.read(params.id, ({ state }) => {
    const listed = pathsIn(state, activeTake(state), "context").some((each) => each.path === path);
    return listed && outside.find(path) === undefined
      ? { op_id: null, version: state.version, message: `${path} is sent from now on.`, ...contextOf(state) }
      : undefined;
  });
  const added = unsent
    ? answer(unsent)
    : await runtime.change(
        params.id,
        (state, context) => addPath(state, context, { list: "context", member: { path } }),
        change,
        contextOf,
      );
  if (!isRefusal(added)) outside.allow(path);
  return added;
};
