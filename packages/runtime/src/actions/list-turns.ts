import { turnsPage } from "../answers/turns-answer.ts";
import { type Action, answer } from "./action.ts";
import { cursorOf, wrongCursor } from "./shared/page.ts";

export const action: Action<"listTurns"> = ({ runtime, params, query }) =>
  runtime.read(params.id, (history) => {
    const page = turnsPage(history, runtime.turns.of(params.id), query);
    if (!page) throw wrongCursor();
    return answer({ turns: page.items as never[], version: history.state.version, ...cursorOf(page) });
  });
