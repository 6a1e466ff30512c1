/** Notices that the server has another version of this page: asked whenever a connection that was lost stands again. */
import { channel } from "./connection.ts";
import { Store } from "./store.ts";

export const isOutdated = new Store(false);

/** The names of the page's files contain hashes of their contents, so another version names another script. */
export function watchVersion(): () => void {
  let wasLost = false;
  return channel.onConnection(() => {
    if (channel.connection === "lost") wasLost = true;
    if (channel.connection !== "live" || !wasLost) return;
    wasLost = false;
    void check();
  });
}

async function check(): Promise<void> {
  const script = document.querySelector<HTMLScriptElement>("script[type=module][src]");
  const answer = await fetch("/", { headers: { accept: "text/html" } }).catch(() => undefined);
  if (!script || !answer?.ok) return;
  isOutdated.set(!(await answer.text()).includes(new URL(script.src).pathname));
}
