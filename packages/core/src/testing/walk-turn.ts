import { changeSetting } from "../operations/change-settings.ts";
import { endTool, finishTurn, progressTool, startTool, startTurn, streamTurn } from "../operations/turn.ts";
import type { Context } from "../session/draft.ts";
import { promptEntryId, resultEntryId, stepEntryId } from "../session/entry-ids.ts";
import type { Meaning } from "./learner.ts";
import { type Facts, type FileChanges, withChanges } from "./naive-model.ts";
import { patch, step } from "./walk-parts.ts";
import type { Walker } from "./walker.ts";

/**
 * A whole turn: a prompt, streamed parts, tools that write their own files, sometimes with changes by the user in
 * between.
 */
export function runTurn(walker: Walker, a: number, b: number, retries?: string): void {
  const { world, model, take } = walker;
  const turn_id = world.id("turn");
  const prompt = promptEntryId(turn_id);
  const answer = stepEntryId(turn_id, 1);
  const content = `prompt ${turn_id}`;
  const at = (): Context => world.context({ actor: { kind: "agent" } });
  const part = (run: (facts: Facts) => void, more: Partial<Meaning> = {}): Meaning => ({
    role: "turn",
    turn: turn_id,
    takes: new Map([[take, run]]),
    ...more,
  });
  const entry = (role: string, text: string, more = {}) => ({
    role,
    content: text,
    collapsed: false,
    read_mode: role === "AI",
    turn_id,
    ...more,
  });

  const tree_before = walker.treeOf(model.files(take));
  const { turn_id: _, ...ofUser } = entry("User", content);
  walker.act(
    startTurn(world.state, at(), { turn_id, prompt: { id: prompt, content }, ...(retries ? { retries } : {}) }),
    part(
      (facts) => {
        facts.set(`entry:${prompt}`, entry("User", content));
        facts.set(`turn:${turn_id}`, { status: "running", prompt: content, tree_before });
      },
      {
        writes: [prompt],
        prompt: { entry: prompt, text: content, put: (facts) => facts.set(`entry:${prompt}`, ofUser) },
      },
    ),
  );
  const call = { id: `call-${turn_id}`, name: "write", input: { n: a } };
  for (const [index, text] of ["I ", "will."].entries()) {
    const fields = index === 1 && b % 2 === 0 ? { tool_calls: [call] } : {};
    walker.act(
      streamTurn(world.state, at(), { turn_id, entry: answer, text, fields }),
      part(
        (facts) => {
          const before = facts.get(`entry:${answer}`) ?? entry("AI", "");
          facts.set(`entry:${answer}`, { ...before, content: `${String(before["content"])}${text}`, ...fields });
        },
        { writes: [answer] },
      ),
    );
  }
  if (a % 4 === 0) {
    const value = `typed during ${turn_id}`;
    const typed = changeSetting(world.state, world.context(), { field: "draft", value });
    walker.act(
      typed,
      step(take, (facts) => facts.set("setting:draft", { value })),
    );
  }
  if (b % 2 === 0) {
    const tool = resultEntryId(turn_id, 1, 1);
    const result = { call_id: call.id, name: call.name };
    const running = entry("Tool", "", { tool_result: { ...result, status: "running" } });
    walker.act(
      startTool(world.state, at(), { turn_id, entry: tool, call }),
      part((facts) => facts.set(`entry:${tool}`, running), { writes: [tool] }),
    );
    const progress = { fraction: 0.5 };
    const half = { tool_result: { ...result, status: "running", progress } };
    walker.act(
      progressTool(world.state, at(), { turn_id, entry: tool, progress }),
      part(patch(`entry:${tool}`, half), { writes: [tool] }),
    );
    const changes: FileChanges = { [`by-${turn_id}`]: "written", shared: `by ${turn_id}` };
    const ended = { content: "done", tool_result: { ...result, status: "completed" } };
    const tree = walker.treeOf(withChanges(model.files(take), changes));
    walker.act(
      endTool(world.state, at(), { turn_id, entry: tool, status: "completed", content: "done", tree }),
      part(patch(`entry:${tool}`, ended), { files: changes, writes: [tool] }),
    );
  }
  // Changes that the last capture finds after the tools belong to the turn too.
  const late: FileChanges = b % 3 === 0 ? { [`late-${turn_id}`]: "captured" } : {};
  const tree = walker.treeOf(withChanges(model.files(take), late));
  const status = a % 3 === 0 ? "interrupted" : "finished";
  walker.act(
    finishTurn(world.state, at(), { turn_id, status, ...(b % 3 === 0 ? { tree } : {}) }),
    part(patch(`turn:${turn_id}`, { status, tree_after: tree }), { files: late }),
  );
}
