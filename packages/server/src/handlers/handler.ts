import type { PathNames, Route, RouteName, Routes } from "@retake/client/routes";
import type { ChangeOptions, Outcome, Runtime } from "@retake/runtime";
import type { z } from "zod";
import type { Logins } from "../access/logins.ts";

/** What a handler is given: a request that is let in, read and checked. */
export interface Asked<Described extends Route> {
  readonly runtime: Runtime;
  /** The directory that is meant where none is named. */
  readonly root: string;
  readonly logins: Logins;
  readonly params: Readonly<Record<PathNames<Described["path"]>, string>>;
  readonly query: Described extends { readonly query: infer Query extends z.ZodType } ? z.output<Query> : undefined;
  readonly body: Described extends { readonly body: infer Body extends z.ZodType } ? z.output<Body> : undefined;
  /** Who changes it, and which version they saw (`If-Match`). */
  readonly change: ChangeOptions;
  /** Aborted when the caller has gone away. */
  readonly signal: AbortSignal;
  readonly header: (name: string) => string | undefined;
}

/** What was asked for, or why it was not done. A stream answers by itself. */
export type Handler<Described extends Route> = (
  asked: Asked<Described>,
) => Described extends { readonly stream: true } ? Response : Handled<Described> | Promise<Handled<Described>>;

type Handled<Described extends Route> = Outcome<Frozen<z.input<Described["answer"]>>>;

/** What is answered is only read from here on. */
type Frozen<Value> = Value extends readonly (infer Each)[]
  ? readonly Frozen<Each>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

/** A handler for each of these routes, and for no others. */
export type Handlers<Name extends RouteName = RouteName> = { readonly [Each in Name]: Handler<Routes[Each]> };

export function answer<Answer>(said: Answer): { readonly kind: "answer"; readonly answer: Answer } {
  return { kind: "answer", answer: said };
}
