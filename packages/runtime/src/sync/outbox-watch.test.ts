import { expect, test } from "vitest";
import { OutboxWatch } from "./outbox-watch.ts";

test.each([
  ["[L6] nothing while nothing waits", [0, 0, 0, 0, 0, 0, 0], []],
  ["[L6] operations once none was added for a while", [0, 3, 5, 5], [3]],
  ["[L6] operations that waited when the look began", [2, 2], [1]],
  ["[L6] operations of a turn that goes on, after some time", [1, 3, 5, 7, 9], [4]],
  ["[L6] later operations after their own time, not that of earlier ones", [1, 3, 0, 2, 4, 5, 6, 7], [7]],
])("sends %s", (_, counts, sent) => {
  const watch = new OutboxWatch();
  const answers = counts.map((count) => watch.look(count));
  expect(answers.flatMap((answer, index) => (answer ? [index] : []))).toEqual(sent);
});
