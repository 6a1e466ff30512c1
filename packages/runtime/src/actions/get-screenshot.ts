import { activeTake, liveTakes, pathsIn, refuse } from "@retake/core";
import { readImage } from "../runner/read-images.ts";
import { type Action, answer } from "./action.ts";
import { outsideFiles } from "./shared/outside-files.ts";

export const action: Action<"getScreenshot"> = ({ runtime, params: { id }, query: { path } }) => {
  const outside = outsideFiles(runtime, id);
  // Only files that a take of the thread names: this route reads no others.
  const isNamed = runtime.read(id, ({ state }) =>
    [activeTake(state), ...liveTakes(state).map((take) => take.id)].some((take) =>
      pathsIn(state, take, "screenshot").some((each) => each.path === path),
    ),
  );
  if (!isNamed) return refuse("not-found", `No screenshot of this thread is called ${path}.`);
  const read = readImage(outside.find(path));
  if ("problem" in read) return refuse("not-found", `${path} cannot be shown: ${read.problem}.`);
  const { data, media_type } = read;
  return answer({
    path,
    media_type,
    size: data.length,
    encoding: "base64" as const,
    content: Buffer.from(data).toString("base64"),
  });
};
