/**
 * The cause that ended a server after an injected failure, in the same words for the same cause. libuv ends the process
 * without a message when it cannot wake a thread or read its own events; all other causes print one.
 */
export function causeOfDeath(end: string, said: string, met: string | undefined): string {
  // Earlier failures are printed there too; only an uncaught exception ends with a status.
  const words = end.startsWith("SIG") ? /assert|fatal/i : /error/i;
  const last = said.split("\n").findLast((line) => words.test(line));
  const call = /^(\d+ +)?(\w+)\((.*)/.exec(met ?? "");
  if (!call) return `${end}, no call failed: ${last ?? "nothing was said"}`;
  const [, , name, rest = ""] = call;
  const on = /^\d+<([^>]*)>/.exec(rest)?.[1] ?? /"([^"]*)"/.exec(rest)?.[1] ?? "";
  return `${end} when ${name} failed on ${on.replace(/\d+/g, "N")}: ${last ?? "nothing was said"}`;
}
