import { createServer, type Server, type Socket, connect as tcpConnect } from "node:net";

export const FAULTS = ["refuse", "cut-request", "lose-answer", "cut-answer", "late", "repeat"] as const;
export type Fault = (typeof FAULTS)[number];

/**
 * A TCP proxy before a sync server. It records every byte in both directions, and gives each connection the fault that
 * `choose` names: it cuts requests and answers, forwards a request and loses its answer, answers late, and sends all
 * requests of a connection a second time after it has ended.
 */
export class FaultProxy {
  choose: () => Fault | undefined = () => undefined;
  readonly #recorded: Buffer[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #target: () => number;
  /** From 0 up to 1. */
  readonly #chance: () => number;

  /** `target`: the port of the sync server, which may change. */
  constructor(target: () => number, chance: () => number) {
    this.#target = target;
    this.#chance = chance;
    this.#server = createServer((client) => this.#accept(client));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  /** All bytes so far. */
  recorded(): Buffer {
    return Buffer.concat(this.#recorded);
  }

  /** Ends all connections that are open. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(client: Socket): void {
    const fault = this.choose();
    this.#follow(client);
    if (fault === "refuse") {
      client.destroy();
      return;
    }
    const server = tcpConnect(this.#target(), "127.0.0.1");
    this.#follow(server);
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on("error", end).on("close", end);
    const requests: Buffer[] = [];
    let room = 1 + this.#chance() * 3000;
    const cutAfter = ({ length }: Buffer) => {
      room -= length;
      if (room < 0) end();
    };
    client.on("data", (bytes) => {
      this.#recorded.push(bytes);
      requests.push(bytes);
      server.write(bytes);
      if (fault === "cut-request") cutAfter(bytes);
    });
    server.on("data", (bytes) => {
      this.#recorded.push(bytes);
      if (fault === "lose-answer") end();
      else if (fault === "late") setTimeout(() => client.writable && client.write(bytes), this.#chance() * 300);
      else client.write(bytes);
      if (fault === "cut-answer") cutAfter(bytes);
    });
    if (fault === "repeat") client.once("close", () => this.#repeat(Buffer.concat(requests)));
  }

  #repeat(requests: Buffer): void {
    const server = tcpConnect(this.#target(), "127.0.0.1");
    this.#follow(server);
    server.on("error", () => undefined);
    server.on("data", (bytes) => this.#recorded.push(bytes));
    server.end(requests);
  }

  #follow(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => undefined).once("close", () => this.#sockets.delete(socket));
  }
}
