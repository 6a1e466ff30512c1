import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { askWordsBack } from "./ask-words-back.ts";
import type { Call } from "./command.ts";

const WORDS = Array.from({ length: 24 }, (_, index) => `word${index + 1}`).join(" ");

/** Answers each question with what `type` makes of the number in it. Returns everything that was shown. */
async function answered(type: (place: number) => string): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = "";
  let answers = 0;
  output.on("data", (bytes) => {
    shown += String(bytes);
    const questions = [...shown.matchAll(/word (\d+): /g)];
    for (const [, place] of questions.slice(answers)) input.write(type(Number(place)));
    answers = questions.length;
  });
  const lines = { json: false, line: (text: string) => (shown += `${text}\n`) };
  const world = { terminal: { input, output, interrupt: () => undefined } };
  await askWordsBack({ output: lines, world } as unknown as Call, WORDS);
  return shown;
}

test("[X16] three of the recovery words are asked back, in any case of letters", async () => {
  const shown = await answered((place) => ` WORD${place}\r`);
  expect(shown).toContain("✓ These are right.");
  expect(new Set([...shown.matchAll(/word (\d+): /g)].map(([, place]) => place)).size).toBe(3);
});

test("[X16] a wrong word is asked again; who has not written them down is told how to get new ones", async () => {
  const wrong = new Set<number>();
  const mended = await answered((place) => (wrong.size < wrong.add(place).size ? "no\r" : `word${place}\r`));
  expect(mended).toMatch(/That is not word \d+/);
  expect(mended).toContain("✓ These are right.");
  expect(await answered(() => "no\r")).toContain("retake sync rotate");
  // Ctrl+C
  expect(await answered(() => "\u0003")).toContain("retake sync rotate");
});
