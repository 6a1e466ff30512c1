/**
 * The web UI in a real browser, over the built package: what is loaded, how long threads and reviews take to open, and how
 * quickly a key and an undo are shown. Long ones are compared with short ones, the rest with budgets of UI.md.
 */
import { mkdirSync } from "node:fs";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { PacedModel } from "../e2e/web/paced-model.ts";
import { WebPlace } from "../e2e/web/web-place.ts";
import { buildRetake } from "./built-retake.ts";
import { ENTRIES_A_TURN, fillWithTurns } from "./long-thread.ts";
import { quantile, type Row, report, sideBySide } from "./measure.ts";

const [SHORT, LONG] = [1000, Number(process.env["RETAKE_ENTRIES"] ?? 100_000)];
const [FEW, MANY] = [100, 10_000];
const TIMES = 7;
const KEYS = 60;
/** A row that takes longer than this did not finish. */
const LIMIT_MS = 60_000;
const TOKENS_A_SECOND = 200;
const BUDGETS = { script_kb: 200, key_ms: 50, undo_ms: 150 };

buildRetake();
const model = await PacedModel.open(TOKENS_A_SECOND);
const place = await WebPlace.open({ ...model.environment, RETAKE_MODEL: "scripted/default" });
const rows: Row[] = [];
try {
  const [short, long] = [await filled(SHORT), await filled(LONG)];
  const page = await place.page();
  page.setDefaultTimeout(LIMIT_MS);
  rows.push(await scripts(page, short));
  rows.push(await opening(page, short, long));
  rows.push(...(await typing(page)));
  rows.push(await undoing(page));
  rows.push(await reviewing(page));
} finally {
  await place.close();
  await model.close();
}
report(`web UI, load ${loadavg()[0]?.toFixed(1)}`, rows);

/** A thread of so many entries, made past the server. */
async function filled(entries: number): Promise<string> {
  const thread = await place.thread();
  const { root, home } = place.served.place;
  await place.served.stop("SIGTERM");
  fillWithTurns(home, { id: thread, root }, entries / ENTRIES_A_TURN);
  await place.served.start();
  return thread;
}

function lastAnswer(page: Page): Promise<void> {
  return page.getByText("says the same thing").last().waitFor();
}

/** The JavaScript that was loaded until a thread is shown, compressed. */
async function scripts(page: Page, thread: string): Promise<Row> {
  const bodies: Promise<Buffer>[] = [];
  const loaded = (response: import("playwright-core").Response) => {
    if (response.request().resourceType() === "script") bodies.push(response.body());
  };
  page.on("response", loaded);
  await page.goto(`${place.served.url}/t/${thread}`);
  await lastAnswer(page);
  page.off("response", loaded);
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body, { level: 9 }).length / 1024);
  const ours = sizes.reduce((sum, size) => sum + size, 0);
  return { what: "JavaScript until a thread is shown", ours, other: BUDGETS.script_kb, unit: "kB gz", atMost: 1 };
}

async function opening(page: Page, short: string, long: string): Promise<Row> {
  const open = (thread: string) => ({
    work: async () => {
      await page.goto(`${place.served.url}/t/${thread}`);
      await lastAnswer(page);
    },
  });
  for (const thread of [short, long]) await open(thread).work();
  const took = await sideBySide(TIMES, open(long), open(short));
  return { what: `open ${LONG.toLocaleString("en")} entries / ${SHORT.toLocaleString("en")}`, ...took, atMost: 2 };
}

/** From the press of a key to the frame that shows its letter, while nothing happens and while text streams. */
async function typing(page: Page): Promise<Row[]> {
  const thread = await place.thread("Say hello");
  await page.goto(`${place.served.url}/t/${thread}`);
  await page.getByRole("article", { name: "Turn #1" }).waitFor();
  const idle = quantile(await echoes(page), 0.95);
  await place.served.client().changeSettings(thread, { model: "compatible/paced" });
  const { turn_id } = await place.served.client().startTurn(thread, { prompt: "Tell me a story" });
  await page.getByText("w100 ", { exact: false }).waitFor();
  const streaming = quantile(await echoes(page), 0.95);
  await place.served.client().interruptTurn(thread, turn_id, {});
  const what = `key to frame, p95, while ${TOKENS_A_SECOND} tokens/s stream`;
  return [
    { what: `${what} / budget`, ours: streaming, other: BUDGETS.key_ms, atMost: 1 },
    { what: `${what} / idle`, ours: streaming, other: idle, atMost: 2 },
  ];
}

async function echoes(page: Page): Promise<number[]> {
  const field = page.getByRole("textbox", { name: "Prompt" });
  await field.focus();
  await field.evaluate((element) => {
    const times: number[] = [];
    (window as unknown as { echoes: number[] }).echoes = times;
    element.addEventListener("keydown", (pressed) => {
      // The frame is on the screen when the task after it runs.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => times.push(performance.now() - pressed.timeStamp);
        port2.postMessage(undefined);
      });
    });
  });
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press("x");
    await page.waitForTimeout(40);
  }
  await page.waitForFunction((count) => (window as unknown as { echoes: number[] }).echoes.length >= count, KEYS);
  const times = await page.evaluate(() => (window as unknown as { echoes: number[] }).echoes.slice());
  await field.fill("");
  return times;
}

/** From the server's answer to the frame that no longer shows the turn. */
async function undoing(page: Page): Promise<Row> {
  const files = Array.from({ length: 10 }, (_, index) => `write undo-${index}.txt: ${index}`).join("\n");
  const thread = await place.thread("Say hello", files);
  await page.goto(`${place.served.url}/t/${thread}`);
  // A row of the end: the head of the turn is above the screen, where no row is drawn.
  const call = page.getByRole("article", { name: "Tool write #2.1.10" });
  const samples: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await call.waitFor();
    const painted = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const isThere = () => document.querySelector('[aria-label^="Tool write #2"]') !== null;
          const look = () => (isThere() ? requestAnimationFrame(look) : resolve(performance.now()));
          requestAnimationFrame(look);
        }),
    );
    await page.evaluate(() => performance.clearResourceTimings());
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    const apply = page.getByRole("button", { name: /^Undo 1 turn/ });
    await Promise.race([painted, apply.waitFor().catch(() => {})]);
    if (await apply.isVisible()) await apply.click();
    const at = await painted;
    const answered = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.endsWith("/undo"))
        .map((entry) => (entry as PerformanceResourceTiming).responseEnd)
        .at(-1),
    );
    samples.push(Math.max(0, at - (answered ?? at)));
    await place.served.client().redo(thread);
  }
  const ours = quantile(samples, 0.5);
  return { what: "undo of 10 files, from the answer to the frame / budget", ours, other: BUDGETS.undo_ms, atMost: 1 };
}

async function reviewing(page: Page): Promise<Row> {
  const [few, many] = [await changed(FEW), await changed(MANY)];
  const open = (thread: string, count: number) => ({
    prepare: async () => {
      await page.goto(`${place.served.url}/t/${thread}`);
      await page.getByRole("tab", { name: "History", exact: true }).click();
      await page.getByRole("list", { name: "Steps" }).getByRole("listitem").first().waitFor();
    },
    work: async () => {
      await page.getByRole("tab", { name: "Changes", exact: true }).click();
      await page
        .getByTestId("changed-count")
        .getByText(`${count.toLocaleString("en")} changed files`)
        .waitFor();
      await page.getByTestId("open-file").getByTestId("hunk-lines").waitFor();
    },
  });
  const took = await sideBySide(TIMES, open(many, MANY), open(few, FEW));
  return { what: `review ${MANY.toLocaleString("en")} changed files / ${FEW}`, ...took, atMost: 2 };
}

/** A thread in a directory of its own, whose turn made so many files. */
async function changed(files: number): Promise<string> {
  const folder = join(dirname(place.served.place.root), `changed-${files}`);
  mkdirSync(folder);
  const { thread } = await place.served.client().createThread({ workspace_root: folder });
  const loop = `for i in $(seq ${files}); do echo "line $i" > "file-$i.txt"; done`;
  await place.served.turn(thread.id, `run ${loop}`);
  return thread.id;
}
