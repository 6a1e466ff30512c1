import { expect, test } from "vitest";
import { lineText } from "../draw/line.ts";
import { viewOf } from "../screens/view-of.ts";
import { modelOf, talkedView } from "../testing/talked-view.ts";
import { update } from "./update.ts";

test("[L6] the line below the conversation says how sync stands, as soon as that changes", () => {
  const screen = (model: ReturnType<typeof modelOf>) => viewOf(model).lines.map(lineText).join("\n");
  const model = modelOf(talkedView([["a prompt", "an answer"]]), 120);
  expect(screen(model)).not.toContain("sync");
  const told = (event: object) =>
    screen(update(model, { type: "told", event: { type: "sync-changed", seq: "1", ...event } as never }).model);
  expect(told({ state: "synced", pending: 0 })).toContain("synced");
  expect(told({ state: "pending", pending: 3, problem: "cannot be reached" })).toContain("sync waits, 3 to send");
  expect(told({ state: "synced", pending: 0, problem: "cannot be reached" })).toContain("sync waits");
  expect(told({ state: "stopped", pending: 1, problem: "revoked" })).toContain("sync stopped");
});
