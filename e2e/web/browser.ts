/**
 * A real browser for the tests of the web UI: the system's Chromium, or else the one that npm installs. It is started once
 * for all test files of this folder that run in one process.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { packedBrowser } from "./packed-browser.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface OpenBrowser {
  /** A browser's own storage and cookies. */
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** Starts a browser with an empty profile. */
export async function openBrowser(): Promise<OpenBrowser> {
  const profile = mkdtempSync(join(tmpdir(), "retake-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await findBrowser(),
    args: FLAGS,
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function findBrowser(): Promise<string> {
  const given = process.env["RETAKE_CHROMIUM"];
  if (given) return given;
  for (const folder of (process.env["PATH"] ?? "").split(delimiter))
    for (const name of NAMES) if (existsSync(join(folder, name))) return join(folder, name);
  return packedBrowser();
}
