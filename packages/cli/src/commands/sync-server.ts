import { join } from "node:path";
import { directories } from "@retake/runtime";
import { type Call, type Command, notFound, wrongUsage } from "../command.ts";
import { endInTime } from "../end-in-time.ts";
import { portOf, SERVE_OPTIONS, tlsOf, untilSignal } from "../serve-until-ended.ts";
import { pathIn } from "../world.ts";

export const command: Command = {
  name: "sync-server",
  group: "setup",
  summary: "A server that machines sync their threads to; it can read nothing of them",
  usage: "[invite]",
  details: [
    "invite prints a code, once, with which one machine makes a vault on the server; with --vault, one that joins that vault.",
    "The database is a file of SQLite, or the address of a PostgreSQL database. An address with a password belongs into the",
    "variable RETAKE_SYNC_DB, where other users of the machine do not see it.",
  ],
  apart: true,
  most: 1,
  options: {
    db: { type: "string", value: "file or url", about: "the database; otherwise a file in the data directory" },
    blobs: {
      type: "string",
      value: "directory",
      about: "where the contents of files are; otherwise beside the database",
    },
    ...SERVE_OPTIONS,
    "behind-proxy": { type: "boolean", about: "another address without TLS: a proxy before it does that" },
    vault: { type: "string", value: "id", about: "with invite: for this vault" },
  },
  examples: [
    ["retake sync-server --port 7070", "serve at a port of this machine, with a database of SQLite"],
    ["retake sync-server invite", "a code for a new vault"],
  ],
  async run(call) {
    const [word] = call.args;
    if (word === undefined) return serve(call);
    if (word !== "invite") throw wrongUsage(`There is no 'retake sync-server ${word}'.`);
    await invite(call);
  },
};

async function invite(call: Call): Promise<void> {
  const { inviteTo } = await import("@retake/sync-server");
  const { vault } = call.options;
  const { db } = placeOf(call);
  const now = () => call.world.now();
  const invitation = await inviteTo({ db, now }, typeof vault === "string" ? vault : undefined);
  if (invitation === undefined) throw notFound(`There is no vault ${String(vault)}. No invitation was made.`);
  call.output.say({ invitation }, () => [
    invitation,
    call.output.hint("It works once, for 7 days: retake sync login <url> <invitation>"),
  ]);
}

async function serve(call: Call): Promise<void> {
  const { startSyncServer } = await import("@retake/sync-server");
  const { world, options, output } = call;
  const { host } = options;
  const tls = tlsOf(call);
  if (typeof host === "string" && !isLoopback(host) && !tls.tls && options["behind-proxy"] !== true)
    throw wrongUsage(`${host} can be reached from other machines: give --tls-cert and --tls-key, or --behind-proxy.`);
  const server = await startSyncServer({
    ...placeOf(call),
    port: portOf(call),
    ...(typeof host === "string" && { host }),
    ...tls,
    now: () => world.now(),
    log: (line) => world.errors.write(`${JSON.stringify(line)}\n`),
  });
  const ended = untilSignal(world);
  output.say({ url: server.url }, () => [
    `Retake's sync server is at ${server.url}`,
    output.hint("retake sync-server invite makes an invitation for a new vault."),
  ]);
  await ended;
  await endInTime(world, () => server.close());
}

function placeOf({ options, world }: Call): { db: string; blobs: string } {
  const folder = join(directories(world.environment).data, "sync-server");
  const named = options["db"] ?? world.environment["RETAKE_SYNC_DB"] ?? join(folder, "sync.db");
  const db = String(named);
  const blobs = options["blobs"];
  return {
    db: /^postgres(ql)?:/.test(db) ? db : pathIn(world, db),
    blobs: typeof blobs === "string" ? pathIn(world, blobs) : join(folder, "blobs"),
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
