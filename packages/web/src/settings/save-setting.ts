import type { Settings } from "@retake/core";
import { client } from "../data/connection.ts";
import { messageOf } from "../data/session.ts";

/** Saves one field; what was refused is returned in the server's words. */
export async function saveSetting(
  thread: string,
  change: Partial<Settings>,
  options: { readonly typing?: boolean; readonly take?: string } = {},
): Promise<string | undefined> {
  try {
    await client.changeSettings(thread, { ...change, ...options } as never);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
