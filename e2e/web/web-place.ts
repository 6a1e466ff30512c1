import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { PAGE_WAIT_MS } from "../../testing/budget.ts";
import { ServedPlace } from "../testing/served-place.ts";
import { type OpenBrowser, openBrowser } from "./browser.ts";

/** A server over the built package, a workspace, and a browser that is signed in. Everything is real but the model. */
export class WebPlace {
  readonly served: ServedPlace;
  readonly #browser: OpenBrowser;
  #other: OpenBrowser | undefined;
  /** Problems in any page: exceptions, errors of the console, requests to other hosts. */
  readonly problems: string[] = [];

  private constructor(served: ServedPlace, browser: OpenBrowser) {
    this.served = served;
    this.#browser = browser;
  }

  static async open(environment: NodeJS.ProcessEnv = {}): Promise<WebPlace> {
    const served = new ServedPlace(environment);
    const [browser] = await Promise.all([openBrowser(), served.start()]);
    return new WebPlace(served, browser);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#other?.close();
    await this.served.remove();
  }

  /** Signs in through a single-use link, as `retake web` prints it, and opens an address. */
  page(address = "/"): Promise<Page> {
    return this.#pageIn(this.#browser, address);
  }

  /** The same in another browser, which shares nothing with the first. */
  async pageElsewhere(address = "/"): Promise<Page> {
    this.#other ??= await openBrowser();
    return this.#pageIn(this.#other, address);
  }

  async #pageIn({ context }: OpenBrowser, address: string): Promise<Page> {
    const page = await context.newPage();
    // A busy machine is slow, which is no failure: only a page that hangs meets this.
    page.setDefaultTimeout(PAGE_WAIT_MS);
    page.on("pageerror", (error) => this.problems.push(`exception: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !isExpected(message.text())) this.problems.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(this.served.url) && !/^(?:blob|data):/.test(url)) this.problems.push(`request: ${url}`);
    });
    const { path } = await this.served.client().createLogin();
    await page.goto(this.served.url + path);
    await page.waitForURL((url) => url.pathname !== "/login");
    if (address !== "/") await page.goto(this.served.url + address);
    return page;
  }

  /** Takes the cookies of the browser away, and ends its stream: the next one is not let in. */
  async signOut(): Promise<void> {
    await this.#browser.context.clearCookies();
    await this.served.stop("SIGTERM");
    await this.served.start();
  }

  /** A new thread, with prompts that have been answered. */
  async thread(...prompts: readonly string[]): Promise<string> {
    const { thread } = await this.served.client().createThread({});
    for (const prompt of prompts) await this.served.turn(thread.id, prompt);
    return thread.id;
  }

  /** Waits until no turn runs in the thread of a page. */
  async turnsEnded(page: Page): Promise<void> {
    await this.served.turnsEnded(threadOf(page));
  }

  /** A file's content; undefined when it is not there. */
  file(name: string): string | undefined {
    const path = join(this.served.place.root, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  /** Explains a failure: the words on a page, and the newest operations of its thread. */
  async found(page: Page): Promise<string> {
    const shown = await page.locator("body").innerText();
    const { operations } = await this.served.client().getHistory(threadOf(page), { limit: 20 });
    return `${shown}\n\n${JSON.stringify(operations, undefined, 1)}\n${this.served.errors}`;
  }

  bytes(name: string): Buffer | undefined {
    const path = join(this.served.place.root, name);
    return existsSync(path) ? readFileSync(path) : undefined;
  }

  write(name: string, content: string | Buffer): void {
    writeFileSync(join(this.served.place.root, name), content);
  }

  expectNoProblems(): void {
    expect(this.problems).toEqual([]);
  }
}

function threadOf(page: Page): string {
  return new URL(page.url()).pathname.split("/")[2] as string;
}

/** The browser reports every refused request as an error of its own. */
function isExpected(text: string): boolean {
  return /Failed to load resource: (?:the server responded with a status of 4|net::ERR_)/.test(text);
}
