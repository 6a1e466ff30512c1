import type { World } from "./world.ts";

/**
 * Sends the requests of this process through the proxy that the environment names, as other programs do; requests to this
 * machine go directly. Node does so only when it is told to. Returns a function that ends it.
 */
export async function useProxy(world: Pick<World, "environment" | "errors">): Promise<() => void> {
  // Not its `errors`: the process opens that stream when it is first read, which loads a good part of Node.
  const { environment } = world;
  const named = (name: string) => environment[name.toLowerCase()] || environment[name];
  const [http_proxy, https_proxy, others] = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].map(named);
  // Without a proxy, nothing is loaded for it.
  if (!http_proxy && !https_proxy) return () => {};
  const { setGlobalProxyFromEnv } = await import("node:http");
  const no_proxy = others === "*" ? others : [others, ...THIS_MACHINE].filter(Boolean).join(",");
  try {
    return setGlobalProxyFromEnv({ http_proxy, https_proxy, no_proxy });
  } catch {
    // Without its value, which may hold a password.
    world.errors.write(
      "HTTP_PROXY or HTTPS_PROXY is no address of a proxy, so none is used. Example: http://proxy.example:8080\n",
    );
    return () => {};
  }
}

const THIS_MACHINE = ["localhost", "127.0.0.1", "[::1]"];
