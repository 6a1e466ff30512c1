import type { Runtime } from "../../host/runtime.ts";

/** Which thread each workspace stands at, found once for each. */
export function currentOf(runtime: Runtime): (root: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (root) => {
    if (!known.has(root)) known.set(root, runtime.current(root)?.id);
    return known.get(root);
  };
}
