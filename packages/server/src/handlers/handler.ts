import type { Route, RouteName, Routes } from "@retake/client/routes";
import type { Action, ActionCall } from "@retake/runtime/actions";
import type { Logins } from "../access/logins.ts";

/** A request that is let in, read and checked. */
export type HandlerCall<Described extends Route> = ActionCall<Described> & {
  readonly logins: Logins;
  readonly signal: AbortSignal;
  readonly header: (name: string) => string | undefined;
};

/** An action, or what answers by itself: a stream. */
type Handler<Name extends RouteName> = Routes[Name] extends { readonly stream: true }
  ? (call: HandlerCall<Routes[Name]>) => Response
  : (call: HandlerCall<Routes[Name]>) => ReturnType<Action<Name>>;

/** A handler for each of these routes, and for no others. */
export type Handlers<Name extends RouteName = RouteName> = { readonly [Each in Name]: Handler<Each> };
