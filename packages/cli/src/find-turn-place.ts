import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@retake/runtime";
import { localTurns } from "./local-turns.ts";
import type { TurnPlace } from "./turn-place.ts";

/**
 * The server where one runs whose turns would come out as ours, so that every client sees the turn, answers for it and can
 * end it (decision 0013); otherwise this process.
 */
export async function findTurnPlace(workspace: Workspace): Promise<TurnPlace> {
  const { state } = workspace.store.directories;
  // A look at most: usually no server runs, and then nothing is loaded for one.
  if (!existsSync(join(state, "server.json"))) return localTurns(workspace);
  const { servedTurns } = await import("./served-turns.ts");
  return (await servedTurns(workspace)) ?? localTurns(workspace);
}
