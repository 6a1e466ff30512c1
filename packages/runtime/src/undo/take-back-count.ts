import type { TakenBack } from "./take-back.ts";

/** Takes back as many as were asked for. Behind a branch or a switch what remains is another take's. */
export async function takeBackCount(count: number, step: (count: number) => Promise<TakenBack>): Promise<TakenBack[]> {
  const all: TakenBack[] = [];
  for (let left = count; left > 0; ) {
    const done = await step(left);
    all.push(done);
    left = done.kind === "done" && done.plan.kind === "plan" ? done.plan.remaining : 0;
  }
  return all;
}
