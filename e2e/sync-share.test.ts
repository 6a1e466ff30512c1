/** Shared threads, read in a real Chromium from the built server, through a proxy that records every byte. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TIMEOUT_MS } from "../testing/budget.ts";
import { formsOf, SyncPlaces, syncAll } from "./sync/sync-places.ts";
import type { RetakePlace } from "./testing/retake-place.ts";
import { ServedPlace } from "./testing/served-place.ts";
import { type OpenBrowser, openBrowser } from "./web/browser.ts";

const sync = new SyncPlaces();
let browser: OpenBrowser;
let one: RetakePlace;
const key = join(sync.folder, "support.json");
/** Problems in any page: exceptions, errors of the console, requests to other hosts. */
const problems: string[] = [];

beforeAll(async () => {
  const { answer } = await sync.callServer("support-key", key);
  sync.options = ["--support", String(answer["public_key"])];
  [browser] = await Promise.all([openBrowser(), sync.start()]);
  one = await sync.join();
});
afterEach(() => expect(problems).toEqual([]));
afterAll(async () => {
  await browser.close();
  await sync.close();
});

async function open(link: string): Promise<Page> {
  const page = await browser.context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS / 2);
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("console", (message) => {
    // The browser reports every refused request as an error of its own.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(sync.url)) problems.push(`request: ${request.url()}`);
  });
  await page.goto(link);
  return page;
}

async function newThread(prompt: string, ...options: readonly string[]): Promise<string> {
  const { answer, status } = await one.call(["run", prompt, "--new", ...options]);
  expect(status).toBe(0);
  return String(answer["thread_id"]);
}

async function share(thread: string, ...options: readonly string[]): Promise<{ link: string; title: string }> {
  const { answer, status } = await one.call(["sync", "share", thread, ...options]);
  expect(status).toBe(0);
  return answer["share"];
}

describe("a shared thread", () => {
  test("[X16] is read in a browser by its link, as it was then; the server sees neither the text nor the key", async () => {
    const canary = "QzSharedCanary4tB7";
    const thread = await newThread(`write ${canary}.txt: ${canary}\n\n**bold** <img src=x onerror=alert(1)>`);
    const { link } = await share(thread);
    const page = await open(link);
    const prompt = page.getByRole("article", { name: "User #1" });
    await prompt.getByText(canary).first().waitFor();
    expect(await prompt.locator("p").innerText()).toBe(
      `write ${canary}.txt: ${canary}\n\n**bold** <img src=x onerror=alert(1)>`,
    );
    // The model repeats what it does not understand, as Markdown.
    expect(await page.getByRole("article", { name: "AI #1" }).locator("strong").innerText()).toBe("bold");
    expect(await page.locator("img").count()).toBe(0);
    await page.getByText(`write ${canary}.txt`).last().click();
    await page
      .locator("details pre")
      .filter({ hasText: `+${canary}` })
      .waitFor();

    // After the thread is shared again, the same link shows the new entries too.
    await one.call(["run", "and then", "--thread", thread]);
    await page.reload();
    await prompt.waitFor();
    expect(await page.getByText("and then").count()).toBe(0);
    expect((await share(thread)).link).toBe(link);
    await page.reload();
    await page.getByText("and then").first().waitFor();

    const secret = Buffer.from(new URL(link).hash.slice(1), "base64url").toString("hex");
    for (const bytes of [sync.proxy.recorded(), sync.serverBytes()])
      for (const text of [canary, secret, new URL(link).hash.slice(1)])
        expect(formsOf(text).filter((form) => bytes.includes(form))).toEqual([]);
    await page.close();
  });

  test("[X16] a link opens its own thread and nothing else, and without the whole key nothing", async () => {
    const [first, second] = [await newThread("first secret"), await newThread("second secret")];
    const [a, b] = [new URL((await share(first)).link), new URL((await share(second)).link)];
    const wrong = await open(`${a.origin}${a.pathname}${b.hash}`);
    await wrong.getByRole("alert").filter({ hasText: "does not open this thread" }).waitFor();
    await wrong.goto(`${a.origin}${a.pathname}`);
    await wrong.getByRole("alert").filter({ hasText: "not complete" }).waitFor();
    // The same page takes the key when the address gets one.
    await wrong.goto(a.href);
    await wrong.getByText("first secret").first().waitFor();
    await wrong.close();
    expect((await one.call(["sync", "shares"])).answer["shares"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ thread_id: first, link: a.href }),
        expect.objectContaining({ thread_id: second, link: b.href }),
      ]),
    );
  });

  test("[X16] unshare deletes the copy at once; a new link is another; every machine lists and ends shares", async () => {
    const thread = await newThread("for a while");
    const { link } = await share(thread);
    const two = await sync.join();
    await syncAll([two]);
    expect((await two.call(["sync", "shares"])).answer["shares"]).toContainEqual(
      expect.objectContaining({ thread_id: thread, link }),
    );
    expect((await two.call(["sync", "unshare", thread])).answer).toEqual({ ended: 1 });
    const page = await open(link);
    await page.getByRole("alert").filter({ hasText: "not shared any more" }).waitFor();
    await page.close();
    expect(await one.call(["sync", "unshare", thread])).toMatchObject({ status: 4 });
    expect((await share(thread)).link).not.toBe(link);
  });

  test("[L8] a private thread cannot be shared, and nothing of it is sent", async () => {
    const canary = "QzPrivateShare2wK9";
    const thread = await newThread(canary, "--private");
    expect(await one.call(["sync", "share", thread])).toMatchObject({ status: 2 });
    expect(await one.call(["sync", "share", thread, "--support"])).toMatchObject({ status: 2 });
    for (const bytes of [sync.proxy.recorded(), sync.serverBytes()])
      expect(formsOf(canary).filter((form) => bytes.includes(form))).toEqual([]);
  });

  test("[X16] shared with support, it opens with the key of support alone, which the server does not have", async () => {
    const canary = "QzSupportCanary8vN3";
    const thread = await newThread(canary);
    expect(await share(thread, "--support")).not.toHaveProperty("link");
    const links = async (file: string) => (await sync.callServer("support-links", file, sync.url)).answer["links"];
    const [{ link }] = (await links(key)) as [{ link: string }];
    const page = await open(link);
    await page.getByText(canary).first().waitFor();
    await page.close();
    const other = join(sync.folder, "other.json");
    await sync.callServer("support-key", other);
    expect(await links(other)).toEqual([]);
    for (const text of [canary, new URL(link).hash.slice(1)])
      for (const bytes of [sync.proxy.recorded(), sync.serverBytes()])
        expect(formsOf(text).filter((form) => bytes.includes(form))).toEqual([]);
    await one.call(["sync", "unshare", thread]);
    expect(await links(key)).toEqual([]);
  });

  test("[L6] the web UI says how sync stands, and shares and ends sharing where one looks for it", async () => {
    const served = new ServedPlace();
    await served.start();
    try {
      const client = served.client();
      const { code = "", words } = await client.loginSync({ url: sync.url, name: "served" });
      await one.call(["sync", "link", code, ...words.split(" ")]);
      expect(await client.followSyncLogin()).toEqual({ state: "joined" });
      const { id: thread } = (await client.createThread({})).thread;
      await served.turn(thread, "from the web UI");
      const page = await browser.context.newPage();
      page.setDefaultTimeout(TIMEOUT_MS / 2);
      await page.goto(served.url + (await client.createLogin()).path);
      await page.waitForURL((url) => url.pathname !== "/login");
      await page.goto(`${served.url}/t/${thread}`);
      await page.getByRole("button", { name: "synced", exact: true }).click();
      const settings = page.getByTestId("sync");
      await settings.getByText(`All threads are synced with ${sync.url}`).waitFor();
      await settings.getByRole("button", { name: "Share by a link" }).click();
      const link = await settings.getByRole("textbox", { name: "Link to this thread" }).inputValue();
      const reader = await open(link);
      await reader.getByText("from the web UI").first().waitFor();
      await settings.getByRole("button", { name: "End sharing" }).click();
      await settings.getByRole("button", { name: "Share by a link" }).waitFor();
      await reader.reload();
      await reader.getByRole("alert").waitFor();
      await settings.getByRole("button", { name: "Remove from the server" }).click();
      await settings.getByRole("button", { name: "Remove for good" }).click();
      await settings.getByText("This thread was removed from the server.").waitFor();
      expect((await client.getSync()).removed).toMatchObject([{ thread_id: thread }]);
      await Promise.all([reader.close(), page.close()]);
    } finally {
      await served.remove();
    }
  });

  test("[X16] its page runs no script but its own, talks to no other host, and is in no frame", async () => {
    const response = await fetch(`${sync.url}/s/${"0".repeat(32)}`);
    const policy = response.headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      expect(policy.split("; ")).toContain(rule);
    expect(policy).not.toMatch(/unsafe|nonce|data:|\*/);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(await response.text()).not.toMatch(/<script(?![^>]*src=)|<style|style=/);
    expect((await fetch(`${sync.url}/assets/..%2findex.html`)).status).toBe(404);
  });
});
