import { DatabaseSync } from "node:sqlite";

/** Makes a store of 0.1.0 name another directory as its workspace. */
export function moveOldStore(file: string, root: string): void {
  const database = new DatabaseSync(file);
  database.prepare("UPDATE workspaces SET root = ?").run(Buffer.from(root));
  database.prepare("UPDATE threads SET workspace_root = ?").run(root);
  database.prepare("UPDATE snapshots SET workspace_root = ?").run(root);
  database.close();
}
