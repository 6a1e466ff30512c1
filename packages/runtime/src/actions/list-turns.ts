import { turnsPage } from "../answers/turns-answer.ts";
import { type Action, answer } from "./action.ts";
import { turnNamed } from "./shared/names.ts";
import { cursorOf, requireOneEnd, wrongCursor } from "./shared/page.ts";

export const action: Action<"listTurns"> = ({ runtime, params, query }) =>
  runtime.store.names(params.id, (scope) => {
    const { history } = scope;
    requireOneEnd([query.last, query.before, query.cursor]);
    const id = (name: string | undefined) => name && turnNamed(scope, name);
    const call = { ...query, before: id(query.before), cursor: id(query.cursor) };
    const page = turnsPage(history, runtime.turns.of(params.id), call);
    if (!page) throw wrongCursor();
    const { items, more_before } = page;
    return answer({ turns: items as never[], version: history.state.version, more_before, ...cursorOf(page) });
  });
