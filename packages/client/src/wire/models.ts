import { z } from "zod";

const price = z.number().min(0).optional();

const model = z.object({
  /** As `model` of a turn or a setting takes it: `provider/model`. */
  name: z.string(),
  /** How many tokens it accepts, where that is known. */
  context_window: z.number().int().optional(),
  /** How many tokens it writes at most in one answer, where that is known. */
  max_output: z.number().int().optional(),
  /** In dollars per million tokens, as the user has set them, or as they were published. */
  price: z.object({ input: price, output: price, cache_read: price, cache_write: price }).optional(),
});

export const models = z.object({
  /** The one for threads that choose none. */
  model: z.string(),
  providers: z.array(
    z.object({
      provider: z.string(),
      label: z.string(),
      status: z.enum(["ready", "unreachable", "not-configured"]),
      /** The reason why the provider is not ready. */
      message: z.string().optional(),
      models: z.array(model),
    }),
  ),
});
