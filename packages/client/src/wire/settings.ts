import { z } from "zod";

/** A path of one of the lists, and what else is known of it. */
const member = z.looseObject({ path: z.string().max(4096) });
const paths = z.array(member);
const givenPaths = z
  .array(
    z.union([
      z
        .string()
        .max(4096)
        .transform((path) => ({ path })),
      member,
    ]),
  )
  .max(10_000);

/** The settings of a take (S2). The core checks the values; this schema gives only their types. */
export const settings = z.strictObject({
  draft: z.string(),
  base_system_prompt: z.string(),
  global_system_prompt: z.string(),
  project_system_prompt: z.string(),
  use_default_base_prompt: z.boolean(),
  temperature: z.number(),
  top_p: z.number(),
  max_tokens: z.number(),
  auto_add_history: z.boolean(),
  model: z.string(),
  undo_depth: z.number(),
  auto_compress: z.boolean(),
  budget: z.number(),
  /** The working set that the user has picked; the files that are sent with every request; images that are sent. */
  files: paths,
  context_files: paths,
  screenshots: paths,
});

/** Any of them; a path may be given as a text. */
export const settingsGiven = settings
  .extend({ files: givenPaths, context_files: givenPaths, screenshots: givenPaths })
  .partial();
