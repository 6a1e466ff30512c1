import { join } from "node:path";
import { directories } from "@retake/runtime";
import { type Call, type Command, notFound, wrongUsage } from "../command.ts";
import { usageOf } from "../command-usage.ts";
import { endInTime } from "../end-in-time.ts";
import { pagesOf, portOf, SERVE_OPTIONS, tlsOf, untilSignal } from "../serve-until-ended.ts";
import { pathIn } from "../world.ts";

export const command: Command = {
  name: "sync-server",
  group: "setup",
  summary: "A server that machines sync their threads to; it can read nothing of them",
  usage: "[invite | quota <vault> <megabytes> | support-key <file> | support-links <file> <url>]",
  details: [
    "invite prints a code, once, with which one machine makes a vault on the server; with --vault, one that joins that vault.",
    "quota changes how much one vault may have; its users find its id with retake sync account.",
    "support-key makes a key for people who help users, and prints its public half for --support. support-links prints the threads that users shared",
    "with them, as links below the server's address. Without --support no thread can be shared with support.",
    "The database is a file of SQLite, or the address of a PostgreSQL database. An address with a password belongs into the",
    "variable RETAKE_SYNC_DB, where other users of the machine do not see it.",
  ],
  apart: true,
  most: 3,
  options: {
    db: { type: "string", value: "file or url", about: "the database; otherwise a file in the data directory" },
    blobs: {
      type: "string",
      value: "directory or s3 url",
      about: "where the contents of files are; otherwise in the data directory",
    },
    ...SERVE_OPTIONS,
    "behind-proxy": { type: "boolean", about: "another address without TLS: a proxy before it does that" },
    quota: { type: "string", value: "megabytes", about: "how much a new vault may have; otherwise 10 GB" },
    vault: { type: "string", value: "id", about: "with invite: for this vault" },
    support: { type: "string", value: "public key", about: "users can share threads with the owners of this key" },
  },
  examples: [
    ["retake sync-server --port 7070", "serve at a port of this machine, with a database of SQLite"],
    ["retake sync-server invite", "a code for a new vault"],
  ],
  async run(call) {
    const [word, ...rest] = call.args;
    if (word === undefined) return serve(call);
    if (word === "invite" && rest.length === 0) return invite(call);
    if (word === "quota" && rest.length === 2) return quota(call, rest[0] ?? "", rest[1] ?? "");
    if (word === "support-key" && rest.length === 1) return makeSupportKey(call, rest[0] ?? "");
    if (word === "support-links" && rest.length === 2) return listSupportLinks(call, rest[0] ?? "", rest[1] ?? "");
    throw wrongUsage(`There is no 'retake sync-server ${call.args.join(" ")}'. Usage: ${usageOf(command)}`);
  },
};

async function quota(call: Call, vault: string, megabytes: string): Promise<void> {
  const { setQuota } = await import("@retake/sync-server");
  const quota_bytes = bytesOf(megabytes);
  if (!(await setQuota({ db: placeOf(call).db }, vault, quota_bytes)))
    throw notFound(`There is no vault ${vault}. Nothing was changed.`);
  call.output.say({ vault, quota_bytes }, () => [`✓ The vault may have ${megabytes} MB.`]);
}

function bytesOf(megabytes: string): number {
  if (!/^[1-9]\d{0,8}$/.test(megabytes)) throw wrongUsage(`'${megabytes}' is not a number of megabytes.`);
  return Number(megabytes) * 1024 ** 2;
}

async function makeSupportKey({ output, world }: Call, named: string): Promise<void> {
  const { supportKey } = await import("@retake/runtime/support-key");
  const file = pathIn(world, named);
  const { public_key, made } = supportKey(file);
  output.say({ public_key, made }, () => [
    public_key,
    output.hint(`The private half is in ${file}. Start the server with --support ${public_key}`),
  ]);
}

async function listSupportLinks(call: Call, key: string, url: string): Promise<void> {
  const { supportShares } = await import("@retake/sync-server");
  const { supportLink } = await import("@retake/runtime/support-key");
  const { db } = placeOf(call);
  const file = pathIn(call.world, key);
  const found = await supportShares({ db });
  const links = found.flatMap(({ vault, thread, share, sealed_key, shared_at }) => {
    const link = supportLink(file, url.replace(/\/+$/, ""), share, sealed_key);
    return link === undefined ? [] : [{ vault, thread, shared_at, link }];
  });
  const { output } = call;
  output.say({ links }, () =>
    links.length === 0
      ? ["No thread is shared with the owner of this key."]
      : links.map(({ link, shared_at }) => `${link} ${output.style("dim", output.ago(shared_at))}`),
  );
}

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
  const { isLoopback } = await import("@retake/server/running");
  const { world, options, output } = call;
  const { host, support, quota: limit } = options;
  const tls = tlsOf(call);
  if (typeof host === "string" && !isLoopback(host) && !tls.tls && options["behind-proxy"] !== true)
    throw wrongUsage(`${host} can be reached from other machines: give --tls-cert and --tls-key, or --behind-proxy.`);
  const server = await startSyncServer({
    ...placeOf(call),
    port: portOf(call),
    ...(typeof host === "string" && { host }),
    ...tls,
    ...pagesOf(),
    settings: {
      ...(typeof support === "string" && { support_key: supportOf(support) }),
      ...(typeof limit === "string" && { quota_bytes: bytesOf(limit) }),
    },
    environment: world.environment,
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
    blobs: typeof blobs !== "string" ? join(folder, "blobs") : blobs.startsWith("s3:") ? blobs : pathIn(world, blobs),
  };
}

function supportOf(key: string): string {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(key))
    throw wrongUsage("--support takes what retake sync-server support-key prints.");
  return key;
}
