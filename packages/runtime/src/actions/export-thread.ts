import { isRefusal } from "@retake/core";
import { exportThread } from "../exchange/exchange.ts";
import { findPoint } from "../names/find-point.ts";
import { type Action, answer } from "./action.ts";

const EXTENSIONS = { json: "json", toml: "toml", markdown: "md", bundle: "bundle" };

export const action: Action<"exportThread"> = ({ runtime, params: { id }, query }) =>
  runtime.inWorkspace(id, async (workspace) => {
    const { format = "json", at, with_ignored = false } = query;
    const point = at === undefined ? undefined : runtime.store.names(id, (scope) => findPoint(scope, at));
    if (isRefusal(point)) return point;
    const done = await exportThread(workspace, id, format, { at: point?.operation, withIgnored: with_ignored });
    if (isRefusal(done)) return done;
    const { bytes, held_back = [] } = done;
    const encoding = format === "bundle" ? ("base64" as const) : ("utf8" as const);
    const name = `${fileName(runtime.thread(id).title)}.${EXTENSIONS[format]}`;
    return answer({ format, name, encoding, size: bytes.byteLength, content: bytes.toString(encoding), held_back });
  });

/** A title as part of a file's name, on every system. */
function fileName(title: string): string {
  return (
    title
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
      .replaceAll(/^[-.]+|[-.]+$/g, "")
      .slice(0, 80) || "thread"
  );
}
