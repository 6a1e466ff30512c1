import fc from "fast-check";
import { describe, test } from "vitest";
import { projectMessages } from "../provider/project-messages.ts";
import { MODEL } from "../provider/testing/conversation.ts";
import { PROVIDERS } from "../provider/testing/provider-rules.ts";
import { quickHash } from "../provider/testing/quick-hash.ts";
import type { State } from "../session/state.ts";
import { entries, liveTakes } from "../session/view.ts";
import { walkRuns } from "../testing/runs.ts";
import { ACTIONS } from "../testing/walk-actions.ts";
import { Walker } from "../testing/walker.ts";

const step = fc.tuple(fc.constantFrom(...Object.keys(ACTIONS)), fc.nat(999), fc.nat(999));

/** Why a provider would refuse what is made of a take's conversation. */
function refusals(state: State): string[] {
  return liveTakes(state).flatMap(({ id }) => {
    const sent = projectMessages({
      entries: [...entries(state, id)],
      system: "Be brief.",
      model: MODEL,
      hash: quickHash,
    });
    if (sent.messages.length === 0) return [];
    return PROVIDERS.flatMap(({ name, problems }) => problems(sent, MODEL).map((problem) => `${name}: ${problem}`));
  });
}

describe("a random walk", () => {
  test("[P6] [PR1] [H1] [H3] [H4] [H5] [H6] [H8] [H12] [H15] agrees with a naive model after every step, and can be sent", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 300, size: "max" }), (steps) => {
        const walker = new Walker();
        for (const [name, a, b] of steps) {
          ACTIONS[name]?.(walker, a, b);
          const wrong = walker.disagreement();
          if (wrong) throw new Error(`after ${name} ${a} ${b}: ${wrong}`);
          const refused = refusals(walker.world.state);
          if (refused.length > 0) throw new Error(`after ${name} ${a} ${b}: ${refused.join("; ")}`);
        }
      }),
      walkRuns(30),
    );
  });
});
