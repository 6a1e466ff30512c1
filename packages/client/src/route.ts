import type { z } from "zod";

/**
 * One route, described once: the server takes and answers nothing else. The typed client, `endpoints.ts` and
 * `/v1/openapi.json` are made from it.
 */
export interface Route extends Described {
  readonly method: Method;
  readonly path: string;
}

/** All that a client needs of a route at run time: no schema is part of a browser's bundle. */
export interface Endpoint extends Pick<Route, "method" | "path" | "stream"> {
  /** The input of a call besides the path: a body, or else a query. */
  readonly input?: "body" | "query";
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface Described {
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** For a stream, the schema of each event. */
  readonly answer: z.ZodType;
  /** The answer is a stream of events. */
  readonly stream?: true;
  /** The status of a success; 200 if absent. */
  readonly status?: 201 | 202;
  /** The answer depends only on the records of the thread `{id}`; `current`: also on which thread is current. */
  readonly cached?: "thread" | "current";
  /** Answered to anyone. All other routes need the token or a signed-in browser. */
  readonly open?: true;
}

/** Keeps the literal types of a description, which the client's types are made of. In a path, `{name}` stands for one segment. */
export function route<const Verb extends Method, const Path extends string, const About extends Described>(
  method: Verb,
  path: Path,
  about: About,
): { readonly method: Verb; readonly path: Path } & About {
  return { method, path, ...about };
}

/** The values of a path's parameters, in order. */
export type PathValues<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [...{ [Value in Name]: [value: string] }[Name], ...PathValues<Rest>]
  : [];

export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;
