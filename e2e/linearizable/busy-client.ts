import { type Asking, askOverHttp } from "./http-client.ts";
import type { Asked } from "./recorded-call.ts";

/** A client that asks for one thing after the other: changes, reads, turns, some on condition, some with a key. */
export async function workOverHttp(asking: Asking, requests: number, random: () => number): Promise<void> {
  const below = (limit: number) => Math.floor(random() * limit);
  /** The last seen version and entries, for edits and conditions. */
  let version = 1;
  let entries: readonly string[] = [];
  for (let number = 0; number < requests; number += 1) {
    const value = `${asking.name}-${number}`;
    const asked = next(value);
    // While a turn runs or waits there is nothing to try again, and most undos are refused.
    if (asked.kind === "retry" || (asked.kind === "undo" && below(2) === 0)) await asking.quiet();
    const reads = asked.kind.startsWith("read");
    const expected = !reads && below(10) < 3 ? version : undefined;
    const key = !reads && below(10) < 3 ? value : undefined;
    const answer = await askOverHttp(asking, asked, { expected, key });
    if (answer.kind !== "refused") version = answer.version ?? version;
    if (answer.kind === "entries") entries = answer.entries.map(([id]) => id);
  }

  // The last client to get here finds a turn that no other takes away.
  await askOverHttp(asking, { kind: "turn", prompt: `write ${asking.name}.txt: last` });
  await asking.quiet();
  await askOverHttp(asking, { kind: "retry", prompt: `write ${asking.name}.txt: last again` });

  function next(value: string): Asked {
    const entry = entries[below(entries.length)];
    switch (below(16)) {
      case 0:
        // Seldom: while a turn runs or waits, much else is refused.
        if (below(3) > 0) return { kind: "undo" };
        return { kind: "turn", prompt: `write ${asking.name}.txt: ${value}` };
      case 1:
        return { kind: "retry", prompt: `write ${asking.name}.txt: again ${value}` };
      case 2:
      case 3:
      case 4:
        return { kind: "read-entries" };
      case 5:
        return { kind: "read-thread" };
      case 6:
      case 7:
        return { kind: "draft", text: value };
      case 8:
      case 9:
      case 10:
        return { kind: "undo" };
      case 11:
      case 12:
      case 13:
        if (entry !== undefined) return { kind: "edit", entry, content: `edited by ${value}` };
        return { kind: "insert", entry: `entry-${value}`, content: value };
      default:
        return { kind: "insert", entry: `entry-${value}`, content: value };
    }
  }
}
