import type { z } from "zod";

/**
 * One route, described once: the server takes and answers nothing else, the typed client and
 * `/v1/openapi.json` are made from it.
 */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` stands for one segment. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  /** Of a success; 200 unless it says otherwise. */
  readonly status?: 201 | 202;
  /** Answered to anyone. All other routes need the token or a signed-in browser. */
  readonly open?: true;
  /** The answer is a stream of events of that form. */
  readonly stream?: true;
}

/** Keeps the literal types of a description, which the client's types are made of. */
export function route<const Described extends Route>(described: Described): Described {
  return described;
}

/** What stands in a path for its names, in order. */
export type PathValues<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [...{ [Value in Name]: [value: string] }[Name], ...PathValues<Rest>]
  : [];

export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;
