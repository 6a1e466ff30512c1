/**
 * Who ended a server that an injected failure met, in words that are the same for the same cause. libuv ends the
 * process without a word when it cannot wake a thread or read its own events; whoever else does it says so.
 */
export function causeOfDeath(end: string, said: string, met: string | undefined): string {
  // What failed before is told there too; only an exception that nobody caught ends with a status.
  const words = end.startsWith("SIG") ? /assert|fatal/i : /error/i;
  const last = said.split("\n").findLast((line) => words.test(line));
  const call = /^(\d+ +)?(\w+)\((.*)/.exec(met ?? "");
  if (!call) return `${end}, no call failed: ${last ?? "nothing was said"}`;
  const [, , name, rest = ""] = call;
  const on = /^\d+<([^>]*)>/.exec(rest)?.[1] ?? /"([^"]*)"/.exec(rest)?.[1] ?? "";
  return `${end} when ${name} failed on ${on.replace(/\d+/g, "N")}: ${last ?? "nothing was said"}`;
}
