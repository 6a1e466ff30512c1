import { turnsPage } from "../answers/turns-answer.ts";
import { type Action, answer } from "./action.ts";
import { cursorOf, requireOneEnd, wrongCursor } from "./shared/page.ts";

export const action: Action<"listTurns"> = ({ runtime, params, query }) =>
  runtime.read(params.id, (history) => {
    requireOneEnd([query.last, query.before, query.cursor]);
    const page = turnsPage(history, runtime.turns.of(params.id), query);
    if (!page) throw wrongCursor();
    const { items, more_before } = page;
    return answer({ turns: items as never[], version: history.state.version, more_before, ...cursorOf(page) });
  });
