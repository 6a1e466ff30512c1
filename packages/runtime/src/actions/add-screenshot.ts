import { activeTake, addPath, pathsIn, refuse } from "@retake/core";
import { ImageFiles } from "../store/image-files.ts";
import { LARGEST_IMAGE, mediaType } from "../tools/image-type.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"addScreenshot"> = async ({ runtime, params: { id }, body, change }) => {
  runtime.thread(id);
  const bytes = Buffer.from(body.content, "base64");
  if (bytes.length > LARGEST_IMAGE)
    return refuse("invalid-input", `The image is larger than ${LARGEST_IMAGE / 1e6} MB. Nothing was changed.`);
  const type = mediaType(bytes);
  if (type === undefined)
    return refuse("invalid-input", "That is no PNG, JPEG, GIF or WebP image. Nothing was changed.");
  const path = new ImageFiles(runtime.store.directories.data).add(bytes, type);
  const { name, alt } = body;
  const member = { path, ...(name === undefined ? {} : { name }), ...(alt === undefined ? {} : { alt }) };
  const listed = runtime.read(id, ({ state }) => ({
    known: pathsIn(state, activeTake(state), "screenshot").find((each) => each.path === path),
    version: state.version,
  }));
  if (listed.known)
    return answer({ op_id: null, version: listed.version, message: "It is there already.", screenshot: listed.known });
  return runtime.change(
    id,
    (state, context) => addPath(state, context, { list: "screenshot", member }),
    change,
    () => ({ screenshot: member }),
  );
};
