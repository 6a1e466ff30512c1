import type { Runtime } from "../../host/runtime.ts";
import { describeConfinement } from "../../tools/confine/confinement.ts";

/** The approval mode and rules of a directory, and how its commands are confined. */
export async function approvalsAnswer(runtime: Runtime, root: string) {
  const { mode, rules } = runtime.store.approvals.of(root);
  const found = await runtime.workspace(root).confinement();
  const confinement = { kind: found.kind, description: describeConfinement(found) };
  return { workspace_root: root, mode, rules: [...rules], confinement };
}
