/**
 * The time that Retake adds to a model's own: turns beside the same requests through the bare AI SDK, the way of a
 * piece of text from the socket to the watcher, and memory over many turns. The model is a server in this process that
 * answers at once, so the figures contain everything but the model.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnswerBlock } from "../packages/runtime/src/model/testing/answer-script.ts";
import { bareSdk } from "../packages/runtime/src/model/testing/bare-sdk.ts";
import { ModelSession } from "../packages/runtime/src/model/testing/model-session.ts";
import { report } from "./measure.ts";

const FILES = Number(process.env["RETAKE_BENCH_FILES"] ?? 10_000);
const TURNS = Number(process.env["RETAKE_BENCH_TURNS"] ?? 1000);
const ROUNDS = Number(process.env["RETAKE_BENCH_ROUNDS"] ?? 25);
const MODEL = "claude-opus-5";

const TEXT: AnswerBlock = { type: "text", text: "This is an answer of some length. ".repeat(20) };
let blocks: (number: number) => AnswerBlock[] = () => [TEXT];

const session = await ModelSession.start(
  ({ number }) => ({ blocks: blocks(number) }),
  (root) => {
    for (let index = 0; index < FILES; index += 1) {
      const folder = join(root, `folder-${index % 100}`);
      if (index < 100) mkdirSync(folder);
      writeFileSync(join(folder, `file-${index}.txt`), `This is file ${index}.\n`.repeat(20));
    }
  },
);
session.server.keep = 1;

const ask = bareSdk(session.server, MODEL);

/** Turns beside as many requests through the bare SDK. */
async function compare(requests: number): Promise<{ ours: number; other: number }> {
  const samples: { ours: number[]; other: number[] } = { ours: [], other: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    samples.ours.push(await timed(() => session.turn("Go.", `anthropic/${MODEL}`)));
    samples.other.push(
      await timed(async () => {
        for (let request = 0; request < requests; request += 1) await ask("Go.");
      }),
    );
  }
  return { ours: middle(samples.ours), other: middle(samples.other) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function middle(samples: number[]): number {
  return samples.toSorted((a, b) => a - b)[samples.length >>> 1] ?? Number.NaN;
}

for (let round = 0; round < 5; round += 1) await session.turn("Warm up.", `anthropic/${MODEL}`);
const text = await compare(1);
blocks = (number) =>
  number % 2 === 0
    ? [TEXT]
    : [
        {
          type: "call",
          id: `c${number}`,
          name: "write",
          input: { path: "folder-1/written.txt", content: `${number}\n` },
        },
      ];
// The answers take turns with the requests: a call, then text.
if ((await session.turn("Warm up.", `anthropic/${MODEL}`)).status !== "finished") throw new Error("not finished");
const write = await compare(2);

/** The times when pieces came from the socket, and when the watcher got them. */
blocks = () => [TEXT];
const arrivals: number[] = [];
const told: number[] = [];
const realFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const response = await realFetch(input, init);
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (Buffer.from(chunk).includes("text_delta")) arrivals.push(performance.now());
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(body, response);
};
session.server.pace = () => new Promise((resolve) => setTimeout(resolve, 2));
await session.turn("Go.", `anthropic/${MODEL}`, {
  onEvent: ({ type }) => {
    if (type === "text") told.push(performance.now());
  },
});
session.server.pace = undefined;
globalThis.fetch = realFetch;
const lag =
  told.length === arrivals.length ? middle(told.map((at, index) => at - (arrivals[index] ?? at))) : Number.NaN;

/** Threads of 50 turns: a conversation may grow, the memory beside it may not. */
const heap: number[] = [];
for (let turn = 1; turn <= TURNS; turn += 1) {
  if (turn % 50 === 1) await session.newThread();
  await session.turn(`Turn ${turn}.`, `anthropic/${MODEL}`);
  if (turn % (TURNS / 5) === 0) {
    globalThis.gc?.();
    heap.push(process.memoryUsage().heapUsed / 1e6);
  }
}

console.log(`\nTurns beside the bare AI SDK, workspace of ${FILES} files`);
console.log(
  `  text turn            ${text.ours.toFixed(1)} ms, bare ${text.other.toFixed(1)} ms, ratio ${(text.ours / text.other).toFixed(1)}`,
);
console.log(
  `  turn with one write  ${write.ours.toFixed(1)} ms, bare ${write.other.toFixed(1)} ms, ratio ${(write.ours / write.other).toFixed(1)}`,
);
console.log(
  `  heap after ${TURNS / 5}, ${(TURNS / 5) * 2} … ${TURNS} turns: ${heap.map((each) => each.toFixed(1)).join(", ")} MB`,
);
report("Models", [
  { what: "overhead of a text turn / what is allowed", ours: text.ours - text.other, other: 150, atMost: 1 },
  {
    what: "overhead of a turn with one write / what is allowed",
    ours: write.ours - write.other,
    other: 250,
    atMost: 1,
  },
  { what: "from a token's arrival to the watcher, median / what is allowed", ours: lag, other: 5, atMost: 1 },
  {
    what: "heap after all turns / after a fifth of them",
    ours: heap.at(-1) ?? 0,
    other: heap[0] ?? 0,
    unit: "MB",
    atMost: 1.25,
  },
]);
await session.close();
