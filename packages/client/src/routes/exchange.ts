import { z } from "zod";
import { route } from "../route.ts";
import { at, changed, querySwitch } from "../wire/common.ts";
import { content } from "../wire/content.ts";

/** Bytes that go into a thread or come out of one. In JSON like everything else, so one guard and one check suffice. */
export const exchangeRoutes = {
  addScreenshot: route("POST", "/v1/threads/{id}/screenshots", {
    summary: "Keeps an image, and sends it with every request from now on: PNG, JPEG, GIF or WebP of at most 3.75 MB",
    body: z.strictObject({
      /** Base64. */
      content: z.string().max(8_000_000),
      /** The name of the file, and a description of the image. */
      name: z.string().max(300).optional(),
      alt: z.string().max(2000).optional(),
    }),
    answer: z.object({ ...changed, screenshot: z.looseObject({ path: z.string() }) }),
    status: 201,
  }),
  getScreenshot: route("GET", "/v1/threads/{id}/screenshots", {
    summary: "The bytes of a screenshot that the thread names, as the model would be sent them",
    query: z.strictObject({ path: z.string().min(1).max(4096) }),
    answer: content.extend({ path: z.string(), media_type: z.string() }),
  }),
  exportThread: route("GET", "/v1/threads/{id}/export", {
    summary: "A thread as one file: json, toml, markdown, or a bundle with its history and files; as it was, with `at`",
    query: z.strictObject({
      format: z.enum(["json", "toml", "markdown", "bundle"]).optional(),
      ...at,
      /** A bundle then also holds files that ignore rules name and turns changed. */
      with_ignored: querySwitch,
    }),
    answer: content.extend({
      format: z.string(),
      /** A name for the file. */
      name: z.string(),
      held_back: z.array(z.looseObject({ path: z.string() })),
    }),
  }),
  importThreads: route("POST", "/v1/import", {
    summary: "Takes in a file that was exported: json, toml (older project files too) or a bundle",
    body: content.pick({ encoding: true, content: true }).extend({ workspace_root: z.string().max(4096).optional() }),
    answer: z.object({
      format: z.string(),
      threads: z.array(z.object({ id: z.string(), title: z.string() })),
      /** How many operations of a bundle were new. */
      operations: z.number().int().optional(),
      /** Parts that the import left out: rules about tools, and files outside of the workspace. */
      left_out: z.array(z.looseObject({ what: z.string() })),
    }),
    status: 201,
  }),
};
