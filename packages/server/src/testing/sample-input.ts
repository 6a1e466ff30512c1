import type { Route } from "@retake/client/routes";
import { z } from "zod";

/** A body that a route's description takes, with no more than it must have. */
export function sampleBody(route: Route): unknown {
  return route.body
    ? sampleOf(z.toJSONSchema(route.body, { io: "input", unrepresentable: "any" }) as Schema)
    : undefined;
}

/** The same of a query, as it stands in a URL. */
export function sampleQuery({ query }: Route): string {
  if (!query) return "";
  const sample = sampleOf(z.toJSONSchema(query, { io: "input", unrepresentable: "any" }) as Schema);
  const text = new URLSearchParams(sample as Record<string, string>).toString();
  return text === "" ? "" : `?${text}`;
}

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
}

function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0]);
  switch (schema.type) {
    case "string":
      return "sample";
    case "number":
    case "integer":
      return Math.max(schema.minimum ?? 1, 1);
    case "boolean":
      return true;
    case "array":
      return [];
    default:
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
      );
  }
}
