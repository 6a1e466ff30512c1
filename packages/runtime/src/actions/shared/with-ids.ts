import type { EntryInput } from "@retake/core";
import type { Runtime } from "../../host/runtime.ts";

/** Entries that are new need not be given an id. */
export function withIds(runtime: Runtime, list: readonly { readonly id?: string | undefined }[]): EntryInput[] {
  return list.map((entry) => ({ ...entry, id: entry.id ?? runtime.store.identity.entryId() }) as EntryInput);
}
