/**
 * The one event stream of a browser. A browser opens six connections to a server, so a stream for each tab would make the
 * seventh tab wait for ever. All tabs connect here instead, and each is sent every event.
 */
import { EventPump } from "./event-pump.ts";

const ports = new Set<MessagePort>();
const pump = new EventPump((message) => {
  for (const port of ports) port.postMessage(message);
});
let stop: AbortController | undefined;

function start(): void {
  stop = new AbortController();
  const { signal } = stop;
  void pump.run(signal).finally(() => {
    // Signed out. The next tab that comes is signed in, and starts again.
    if (stop?.signal === signal) stop = undefined;
  });
}

(globalThis as unknown as { onconnect: (event: MessageEvent) => void }).onconnect = ({ ports: [port] }) => {
  if (!port) return;
  ports.add(port);
  port.onmessage = ({ data }) => {
    if (data === "bye") ports.delete(port);
    if (data === "check" && stop) {
      // After a sleep the connection may be dead without anyone knowing.
      stop.abort();
      start();
    }
    if (ports.size === 0) {
      stop?.abort();
      stop = undefined;
    }
  };
  port.start();
  if (!stop) start();
  for (const message of pump.present()) port.postMessage(message);
};
