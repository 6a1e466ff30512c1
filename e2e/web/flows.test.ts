/**
 * The flows of the page, each twice: with the mouse, and with the keyboard alone. The files on disk are looked at as well as
 * the page. One server and one page for all; every flow has its own thread and files.
 */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { BusyModel } from "./busy-model.ts";
import { ASKING } from "./flows/asking.ts";
import { flowPage } from "./flows/flow-page.ts";
import { keyboard, mouse } from "./flows/hands.ts";
import { REVIEWING } from "./flows/reviewing.ts";
import { TAKING_BACK } from "./flows/taking-back.ts";
import { TALKING } from "./flows/talking.ts";
import { THREADS } from "./flows/threads.ts";
import { WebPlace } from "./web-place.ts";

let place: WebPlace;
let page: Page;
let busy: BusyModel;
beforeAll(async () => {
  busy = await BusyModel.open();
  place = await WebPlace.open(busy.environment);
  page = await place.page();
  await place.served.client().changeApprovals({ add: { tool: "bash", command: "sleep *", decision: "allow" } });
});
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") console.error(await place.found(page));
  // Turns of one directory wait for each other.
  await place.served.client().stopTurns({});
  place.expectNoProblems();
});
afterAll(async () => {
  await place?.close();
  await busy?.close();
});

describe.each([
  ["mouse", mouse],
  ["keyboard", keyboard],
] as const)("with the %s", (_, handsOf) => {
  test.each([...TALKING, ...ASKING, ...TAKING_BACK, ...REVIEWING, ...THREADS])("$title", async ({ run }) =>
    run(flowPage(place, page, handsOf(page), busy)),
  );
});
