import type { z } from "zod";
import type { Endpoint } from "./endpoints.ts";

/**
 * One route, described once: the server takes and answers nothing else, the typed client and
 * `/v1/openapi.json` are made from it.
 */
export interface Route extends Endpoint, Described {}

interface Described {
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** For a stream, the schema of each event. */
  readonly answer: z.ZodType;
  /** The status of a success; 200 if absent. */
  readonly status?: 201 | 202;
  /** The answer depends only on the records of the thread `{id}`; `current`: also on which thread is current. */
  readonly cached?: "thread" | "current";
  /** Answered to anyone. All other routes need the token or a signed-in browser. */
  readonly open?: true;
}

/** The schema that a description needs for the client's input. */
type Takes<Target extends Endpoint> = Target extends { readonly input: infer Input extends "body" | "query" }
  ? { readonly [Each in Input]: z.ZodType }
  : { readonly body?: never; readonly query?: never };

/** Keeps the literal types of a description, which the client's types are made of. */
export function route<const Target extends Endpoint, const About extends Described & Takes<Target>>(
  endpoint: Target,
  about: About,
): Target & About {
  return { ...endpoint, ...about };
}

/** The values of a path's parameters, in order. */
export type PathValues<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [...{ [Value in Name]: [value: string] }[Name], ...PathValues<Rest>]
  : [];

export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;
