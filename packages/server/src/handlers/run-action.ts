import { type Route, type RouteName, routes } from "@retake/client/routes";
import { HOOK, threadFor } from "@retake/runtime/actions";
import { checkInput } from "../check-input.ts";
import { RequestError } from "../request-error.ts";
import type { HandlerCall, Handlers } from "./handler.ts";

/** Everything that programs can do by name: the routes that change a thread and need no other name. */
const ACTIONS = (Object.keys(routes) as RouteName[]).filter((name) => {
  const { method, path }: Route = routes[name];
  return method !== "GET" && /^\/v1\/threads\/\{id\}[^{]*$/.test(path);
});

/** S10: an action is a route of that name, with the thread that is meant; there is no second way to do it. */
export function runAction(handlers: Omit<Handlers, "runAction">): Handlers["runAction"] {
  return async (call) => {
    const { runtime, root, params, query, body, change } = call;
    const action = ACTIONS.find((each) => each === params.name);
    if (!action)
      throw new RequestError(404, "not-found", `There is no action ${params.name}. There are: ${ACTIONS.join(", ")}.`);
    const route: Route = routes[action];
    const inner = {
      ...call,
      params: { id: await threadFor(runtime, root, query.thread) },
      query: {},
      body: route.body ? checkInput("body", route.body, body) : undefined,
      change: { ...change, actor: HOOK },
    };
    const handler = handlers[action as keyof typeof handlers] as unknown as Handlers["runAction"];
    return handler(inner as unknown as HandlerCall<(typeof routes)["runAction"]>);
  };
}
