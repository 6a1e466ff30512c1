import { isObject, type Json, type JsonObject, textProblem } from "@retake/core";

/**
 * Describes the problem of an input. Checks by the schema that the model was shown, so that the two cannot differ.
 * Supports the part of JSON Schema that the tools use. An optional field may be null, because some models must name
 * every field.
 */
export function checkInput(schema: JsonObject, input: Json): string | undefined {
  return problemWith(schema, input, "the input");
}

export function stringIn(input: JsonObject, field: string): string | undefined {
  const value = input[field];
  return typeof value === "string" ? value : undefined;
}

export function numberIn(input: JsonObject, field: string): number | undefined {
  const value = input[field];
  return typeof value === "number" ? value : undefined;
}

function problemWith(schema: JsonObject, value: Json, name: string): string | undefined {
  switch (schema["type"]) {
    case "object":
      return isObject(value) ? problemInObject(schema, value, name) : `${name} must be an object.`;
    case "array":
      return Array.isArray(value) ? problemInList(schema, value, name) : `${name} must be a list.`;
    case "string":
      return problemInText(schema, value, name);
    case "integer":
      return problemInNumber(schema, value, name);
    case "boolean":
      return typeof value === "boolean" ? undefined : `${name} must be true or false.`;
    default:
      throw new Error(`No check for schema type ${JSON.stringify(schema["type"])}`);
  }
}

function problemInObject(schema: JsonObject, value: JsonObject, name: string): string | undefined {
  const fields = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const missing = required.find((field) => typeof field === "string" && value[field] === undefined);
  if (missing !== undefined) return `${name} lacks ${missing}.`;
  for (const [field, member] of Object.entries(value)) {
    const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (!isObject(known)) {
      return `${name} has no field ${JSON.stringify(field)}; its fields are ${Object.keys(fields).join(", ")}.`;
    }
    if (member === null && !required.includes(field)) continue;
    const problem = problemWith(known, member, name === "the input" ? field : `${field} of ${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemInList(schema: JsonObject, value: readonly Json[], name: string): string | undefined {
  const most = schema["maxItems"];
  if (typeof most === "number" && value.length > most) return `${name} may have at most ${most} items.`;
  const item = schema["items"];
  if (!isObject(item)) return undefined;
  for (const [index, each] of value.entries()) {
    const problem = problemWith(item, each, `item ${index + 1} of ${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemInText(schema: JsonObject, value: Json, name: string): string | undefined {
  const problem = textProblem(value);
  if (problem !== undefined || typeof value !== "string") return `${name} ${problem}.`;
  const choices = schema["enum"];
  if (Array.isArray(choices) && !choices.includes(value)) return `${name} must be one of ${choices.join(", ")}.`;
  const shortest = schema["minLength"];
  if (typeof shortest === "number" && value.length < shortest) return `${name} is empty.`;
  const longest = schema["maxLength"];
  if (typeof longest === "number" && value.length > longest) return `${name} is longer than ${longest} characters.`;
  return undefined;
}

function problemInNumber(schema: JsonObject, value: Json, name: string): string | undefined {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) return `${name} must be a whole number.`;
  const least = schema["minimum"];
  const most = schema["maximum"];
  if (typeof least === "number" && value < least) return `${name} must be at least ${least}.`;
  if (typeof most === "number" && value > most) return `${name} must be at most ${most}.`;
  return undefined;
}
