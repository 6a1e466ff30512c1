import { spawn } from "node:child_process";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { askKey } from "./ask-key.ts";
import type { Terminal } from "./world.ts";

/** A question at a terminal whose keys the test sends. */
function asking(input: Terminal["input"] = new PassThrough(), gone?: AbortSignal) {
  const seen: string[] = [];
  const kept: string[] = [];
  const shown = Promise.withResolvers<void>();
  const output = new PassThrough();
  const answer = askKey(
    { input, output, interrupt: () => {} },
    {
      show: () => {
        seen.push("question");
        shown.resolve();
      },
      showChoices: () => void seen.push("choices"),
      keys: { y: "allow", n: "deny" },
      keep: (typed) => void kept.push(typed),
    },
    gone,
  );
  return { answer, seen, kept, shown: shown.promise, send: (text: string) => void (input as PassThrough).write(text) };
}

describe("a question that one key answers", () => {
  for (const text of ["y", "Y", "y\r", "yes\r", "yes\n"]) {
    test(`[F1] ${JSON.stringify(text)} at once is an answer`, async () => {
      const { answer, shown, send, kept } = asking();
      await shown;
      send(text);
      expect(await answer).toBe("allow");
      expect(kept).toEqual([]);
    });
  }

  for (const [what, chunks] of [
    ["two keys at once", ["yy"]],
    ["a word that begins with a key", ["yesterday"]],
    ["a paste", ["\u001b[200~y\r\u001b[201~"]],
    ["a paste whose marks come in parts", ["\u001b[20", "0~y", "\u001b[2", "01~"]],
    ["a key of another question", ["a"]],
    ["an arrow", ["\u001b[A"]],
  ] as const) {
    test(`[F1] [F3] ${what} is no answer, and kept`, async () => {
      const { answer, shown, send, kept, seen } = asking();
      await shown;
      for (const chunk of chunks) {
        send(chunk);
        await new Promise((resolve) => setImmediate(resolve));
      }
      send("n");
      expect(await answer).toBe("deny");
      expect(kept).toHaveLength(1);
      expect(seen.filter((each) => each === "question")).toHaveLength(1);
    });
  }

  test("[F3] text in many bytes is kept whole, however it comes", async () => {
    const { answer, shown, kept, send } = asking();
    for (const byte of Buffer.from("é→😀")) send(Buffer.from([byte]) as never);
    await shown;
    send("n");
    await answer;
    expect(kept).toEqual(["é→😀"]);
  });

  test("[F3] a key that was sent before the question is shown is no answer, also where nobody has read it yet", async () => {
    const child = spawn("sh", ["-c", "sleep 0.1; printf y; exec sleep 600"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const { answer, shown, kept } = asking(child.stdout as Terminal["input"]);
      // As long as a slow commit: when it is over, the time is up and the key waits to be read.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      const first = await Promise.race([answer, shown.then(() => "shown")]);
      expect(first).toBe("shown");
      child.kill("SIGKILL");
      expect(await answer).toBe("closed");
      expect(kept).toEqual(["y"]);
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("[F1] Ctrl+C, Ctrl+D and a terminal that goes away are told apart; a question that is gone throws its reason", async () => {
    for (const [text, expected] of [
      ["\u0003", "interrupt"],
      ["what\u0003", "interrupt"],
      ["\u0004", "end"],
    ] as const) {
      const { answer, send } = asking();
      send(text);
      expect(await answer).toBe(expected);
    }
    const closing = new PassThrough();
    const closed = asking(closing);
    closing.end();
    expect(await closed.answer).toBe("closed");
    const gone = new AbortController();
    const asked = asking(new PassThrough(), gone.signal);
    await asked.shown;
    asked.send("hm");
    await new Promise((resolve) => setImmediate(resolve));
    gone.abort("answered elsewhere");
    await expect(asked.answer).rejects.toBe("answered elsewhere");
    expect(asked.kept).toEqual(["hm"]);
  });
});
