import { errorBody, type Route, routes } from "@retake/client/routes";
import { z } from "zod";

/** `/v1/openapi.json`: every route as it is described, in OpenAPI 3.1, whose schemas are JSON Schema. */
export function describeApi(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries(routes as Readonly<Record<string, Route>>)) {
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = describeRoute(name, route);
    paths[route.path] = path;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Retake",
      version,
      description: "The session runtime for coding agents in which everything can be taken back.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Error: schemaOf(errorBody) },
    },
    paths,
  };
}

/** The path parameters that name things of a thread. */
const NAMED: Readonly<Record<string, string>> = {
  take: "A take: its name or its id",
  a: "A take: its name or its id",
  b: "A take: its name or its id",
  entry: "An entry: its name (`#7.2`, where the `#` may be left out) or its id",
  turn: "A turn: its name (`#7`, where the `#` may be left out) or its id",
  call: "A tool call: its name (`#7.2.1`), its result's entry, or the id that the model gave it",
  op: "An operation by its name or its id, or a turn (`#7`), whose last operation is meant",
};

function describeRoute(name: string, route: Route): object {
  const changes = route.method !== "GET";
  const type = route.stream ? "text/event-stream" : "application/json";
  return {
    operationId: name,
    summary: route.summary,
    ...(route.open ? { security: [] } : {}),
    parameters: [
      ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, each]) => ({
        name: each,
        in: "path",
        required: true,
        ...(Object.hasOwn(NAMED, each ?? "") ? { description: NAMED[each ?? ""] } : {}),
        schema: { type: "string" },
      })),
      ...queryOf(route),
      ...(changes && route.path.includes("{id}") ? [header("If-Match", VERSION)] : []),
      ...(route.method === "POST" ? [header("Idempotency-Key", KEY)] : []),
      ...(route.stream ? [header("Last-Event-ID", LAST)] : []),
    ],
    ...(route.body
      ? { requestBody: { required: true, content: { "application/json": { schema: schemaOf(route.body) } } } }
      : {}),
    responses: {
      [route.status ?? 200]: {
        description: "Done",
        content: { [type]: { schema: schemaOf(route.answer) } },
      },
      default: {
        description: "Not done; nothing was changed",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

const VERSION = "Only if the thread is at this version; otherwise 409, with what changed since";
const KEY = "The same key twice does it once, and answers the same";
const LAST = "The id of the last event that was seen";

function header(name: string, description: string): object {
  return { name, in: "header", required: false, description, schema: { type: "string" } };
}

function queryOf({ query }: Route): object[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query) as {
    properties?: Record<string, object>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

/** The schema of the input side: an answer may gain fields without breaking its readers. */
function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return described;
}
