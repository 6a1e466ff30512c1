import { connect, type Database } from "@retake/workspace";
import { storeSchema } from "./migrations.ts";

/** Opens the database of a store, creating or migrating it. */
export function openDatabase(file: string): Database {
  return connect(file, storeSchema);
}
