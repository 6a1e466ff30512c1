import { z } from "zod";

const rule = z.looseObject({
  tool: z.string(),
  path: z.string().optional(),
  command: z.string().optional(),
  decision: z.enum(["allow", "ask", "deny"]),
});

/** The settings of a take (S2). What a value may be is the core's to say; here is only its type. */
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
  approval_rules: z.array(rule),
  auto_compress: z.boolean(),
});
