/**
 * Everything that a user can do is an action: one file here, named after its route. Its input and its answer are the
 * route's (`@retake/client/routes`; types alone are imported, the server checks by the schemas). It runs against a
 * runtime, leaves every decision to core, and knows neither HTTP nor a terminal. Routes, commands, hooks and editors
 * call it: there is no second way to do the same.
 */
import type { PathNames, Route, RouteName, Routes } from "@retake/client/routes";
import type { z } from "zod";
import type { Outcome } from "../answers/outcome.ts";
import type { Runtime } from "../host/runtime.ts";
import type { ChangeOptions } from "../store/open-store.ts";

export interface ActionContext {
  readonly runtime: Runtime;
  /** The directory that is meant where none is named. */
  readonly root: string;
  /** The actor of a change, and the version that the caller saw. */
  readonly change: ChangeOptions;
  /** Aborted when the caller has gone away. */
  readonly signal?: AbortSignal | undefined;
}

export type ActionCall<Described extends Route> = ActionContext & ActionInput<Described>;

export interface ActionInput<Described extends Route> {
  readonly params: Readonly<Record<PathNames<Described["path"]>, string>>;
  readonly query: Described extends { readonly query: infer Query extends z.ZodType } ? z.output<Query> : undefined;
  readonly body: Described extends { readonly body: infer Body extends z.ZodType } ? z.output<Body> : undefined;
}

export type Action<Name extends RouteName> = (
  call: ActionCall<Routes[Name]>,
) => Outcome<ActionAnswer<Name>> | Promise<Outcome<ActionAnswer<Name>>>;

export type ActionAnswer<Name extends RouteName> = Frozen<z.input<Routes[Name]["answer"]>>;

/** An answer is only read. */
type Frozen<Value> = Value extends readonly (infer Each)[]
  ? readonly Frozen<Each>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

export interface Answered<Answer> {
  readonly kind: "answer";
  readonly answer: Answer;
}

export function answer<Answer>(given: Answer): Answered<Answer> {
  return { kind: "answer", answer: given };
}
