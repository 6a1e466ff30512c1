/**
 * A bad line to a server: every connection through it may break after some bytes, in the middle of an event or of a
 * character, or stop for a while without breaking. It outlives the server, so that its address stays the same when
 * another one is started.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export class CuttingProxy {
  readonly #random: () => number;
  readonly #target: () => string;
  readonly #lines = new Set<Line>();
  readonly #server = createServer((client) => this.#accept(client));
  /** While it is good, nothing new goes wrong. */
  #good = false;
  cuts = 0;
  holds = 0;

  /** `target` is where the server is now. */
  constructor(target: () => string, random: () => number) {
    this.#target = target;
    this.#random = random;
  }

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${this.#port}`;
  }

  /** One moment of the walk is over: some lines break, some that stood still go on. */
  tick(): void {
    for (const line of this.#lines) {
      const dice = this.#random();
      if (dice < 0.1) this.#cut(line);
      else if (dice < 0.4) line.server.resume();
    }
  }

  /** Keeps the line good during `work`, so that late readers catch up. */
  async good<T>(work: () => Promise<T>): Promise<T> {
    this.#good = true;
    for (const line of this.#lines) line.server.resume();
    try {
      return await work();
    } finally {
      this.#good = false;
    }
  }

  close(): void {
    this.#server.close();
    for (const line of this.#lines) end(line);
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #accept(client: Socket): void {
    const { hostname, port } = new URL(this.#target());
    const line = { client, server: connect(Number(port), hostname) };
    const { server } = line;
    this.#lines.add(line);
    const done = () => {
      end(line);
      this.#lines.delete(line);
    };
    for (const socket of [client, server]) socket.on("error", done).on("close", done);
    // The server takes only what was meant for it.
    const named = [`127.0.0.1:${this.#port}`, `${hostname}:${port}`] as const;
    client.on("data", (bytes) => server.write(bytes.toString("latin1").replaceAll(...named), "latin1"));
    let left = this.#bytesBeforeACut();
    server.on("data", (bytes) => {
      const cut = !this.#good && bytes.length >= left;
      client.write(cut ? bytes.subarray(0, left) : bytes, () => cut && this.#cut(line));
      left -= Math.min(left, bytes.length);
      // The first time for certain, so that no walk is without.
      if (cut || this.#good || (this.holds > 0 && this.#random() >= 0.05)) return;
      this.holds += 1;
      server.pause();
    });
  }

  /** Often within the first events, sometimes never. */
  #bytesBeforeACut(): number {
    const dice = this.#random();
    return dice < 0.3 ? Number.POSITIVE_INFINITY : Math.ceil(400 + 20_000 * dice * dice);
  }

  #cut(line: Line): void {
    if (this.#good) return;
    this.cuts += 1;
    end(line);
  }
}

interface Line {
  readonly client: Socket;
  readonly server: Socket;
}

function end({ client, server }: Line): void {
  client.destroy();
  server.destroy();
}
