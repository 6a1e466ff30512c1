/**
 * The terminal UI: the cost of a frame, the time to the first one, and the delay of a key while an answer streams in.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import type { SessionView } from "@retake/client";
import { entriesBack } from "@retake/core";
import { type DrawnFrame, frameDiff } from "../packages/tui/src/draw/frame-diff.ts";
import { createPaint } from "../packages/tui/src/draw/paint.ts";
import type { Event } from "../packages/tui/src/model/effect.ts";
import type { Model } from "../packages/tui/src/model/model.ts";
import { update } from "../packages/tui/src/model/update.ts";
import { viewOf } from "../packages/tui/src/screens/view-of.ts";
import { modelOf, talkedView } from "../packages/tui/src/testing/talked-view.ts";
import { MAIN } from "../testing/main.ts";
import { BuiltRetake } from "./built-retake.ts";
import { quantile, type Row, report, sideBySide } from "./measure.ts";

const [COLUMNS, ROWS] = [120, 40];
const FRAMES = 400;
const paint = createPaint({ colour: true });
const PARAGRAPH = "Some words of an answer, with **bold** ones, `code`, 世界 and an emoji 👩‍👩‍👧 in it.\n";
const talk = (turns: number) =>
  Array.from({ length: turns }, (_, at) => [`prompt ${at}`, PARAGRAPH.repeat(4)] as const);

/** A view of so many turns, two entries each; the last one goes on. */
const viewWith = (turns: number) => talkedView(talk(turns), true, 2 * turns);
const short = viewWith(100);
const long = viewWith(50_000);
let runs = 0;

/** The models of an answer that grows by some words a frame; never the same words twice. */
function* streaming(view: SessionView): Generator<Model> {
  let model = modelOf(view, COLUMNS, ROWS);
  const entry = [...entriesBack(view.state, view.take)][0]?.id ?? "";
  runs += 1;
  let text = "";
  for (let frame = 0; frame < FRAMES; frame += 1) {
    text += wordsOf(frame);
    const live = new Map([[entry, { turn: "turn", text: { at: PARAGRAPH.length * 4, text } }]]);
    model = update(model, { type: "viewed", view: { ...view, live }, now: model.now + 33 }).model;
    yield model;
  }
}

function wordsOf(frame: number): string {
  return `word ${frame} of answer ${runs}, ${frame % 9 === 0 ? "\n\n" : ""}`;
}

function drawAll(models: Iterable<Model>): void {
  let before: DrawnFrame | undefined;
  for (const model of models) {
    const { lines, cursor } = viewOf(model);
    const next = { lines: lines.map(paint), cursor };
    frameDiff(before, next);
    before = next;
  }
}

/** Nothing but a line diff: the same text, cut into lines of the terminal's width, drawn whole every time. */
function drawBare(): void {
  let before: DrawnFrame | undefined;
  const history = PARAGRAPH.repeat(40);
  let text = "";
  for (let frame = 0; frame < FRAMES; frame += 1) {
    text += wordsOf(frame);
    const all = `${history}${text}`.split("\n").flatMap((line) => line.match(/.{1,120}/gu) ?? [""]);
    const lines = all.slice(-ROWS).map((line) => paint([{ text: line, tone: "plain" }]));
    const next = { lines, cursor: undefined };
    frameDiff(before, next);
    before = next;
  }
}

/** The delay of a key: its update, the frame, the bytes. In milliseconds, one for each frame. */
function keyEcho(): number[] {
  const samples: number[] = [];
  let typed: Model | undefined;
  let before: DrawnFrame | undefined;
  for (const model of streaming(short)) {
    const started = performance.now();
    const event: Event = { type: "key", key: "a", text: "a" };
    typed = update({ ...model, composer: typed?.composer ?? model.composer }, event).model;
    const { lines, cursor } = viewOf(typed);
    const next = { lines: lines.map(paint), cursor };
    frameDiff(before, next);
    before = next;
    samples.push(performance.now() - started);
  }
  return samples;
}

/** Starts a program on a terminal and waits until it wrote its first frame, or ended. Answers its memory in MB. */
function firstFrame(built: BuiltRetake, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...args], {
      name: "xterm-256color",
      cols: COLUMNS,
      rows: ROWS,
      cwd: built.root,
      env: { ...process.env, RETAKE_HOME: built.home },
    });
    let seen = "";
    let memory = 0;
    child.onData((data) => {
      seen += data;
      if (memory === 0 && seen.includes("\u001b[?2026l")) {
        memory = rssOf(child.pid);
        child.kill("SIGKILL");
      }
    });
    child.onExit(() => {
      // The mark of a killed screen: the next start would mend the terminal first.
      rmSync(join(built.home, "state", "terminals"), { recursive: true, force: true });
      resolve(memory);
    });
  });
}

function rssOf(pid: number): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

const built = new BuiltRetake();
try {
  built.run("run", "--yes", "write one.txt: one");
  const rows: Row[] = [];
  rows.push({
    what: "CPU of 400 frames of a streaming answer / a bare line diff",
    ...(await sideBySide(5, { work: () => drawAll(streaming(short)) }, { work: drawBare })),
    atMost: 3,
  });
  rows.push({
    what: "frames with 100,000 entries held / with 200",
    ...(await sideBySide(5, { work: () => drawAll(streaming(long)) }, { work: () => drawAll(streaming(short)) })),
    atMost: 2,
  });
  rows.push({
    what: "key echo while it streams, 99th percentile / 50 ms",
    ours: quantile(keyEcho(), 0.99),
    other: 50,
    atMost: 1,
  });
  const memory: number[] = [];
  const ours = { work: async () => memory.push(await firstFrame(built, [MAIN])) };
  rows.push({
    what: "first frame / node -e 0, both on a terminal",
    ...(await sideBySide(9, ours, { work: () => firstFrame(built, ["-e", "0"]) })),
    atMost: 2.5,
  });
  rows.push({
    what: "memory at the first frame / 150 MB",
    ours: quantile(memory, 0.5),
    other: 150,
    unit: "MB",
    atMost: 1,
  });
  report("tui", rows);
} finally {
  built.remove();
}
