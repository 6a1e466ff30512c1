import { OPERATION_ROLES, type Operation } from "../session/operation.ts";
import { type Check, either, fields, list, maybe, object, oneOf, text, whole } from "../values/check.ts";
import { foreignProblem } from "../values/foreign.ts";
import { asJson, isObject, type JsonObject } from "../values/json.ts";
import { idProblem, textProblem } from "../values/text.ts";
import type { Format } from "./versioned.ts";

/** An operation as version 0.1.0 wrote it. Its splices have no sums, and it names no groups, so it cannot be applied. */
export type OperationV1 = Omit<Operation, "diff" | "kind"> & {
  readonly kind: Operation["kind"] | "turn-captured";
  readonly diff: DiffV1;
};

interface DiffV1 {
  readonly changes: readonly ChangeV1[];
  readonly spaces?: readonly {
    readonly take: string;
    readonly before: SourceV1 | null;
    readonly after: SourceV1 | null;
  }[];
}

export type ChangeV1 =
  | { readonly kind: "create"; readonly id: string; readonly after: JsonObject }
  | { readonly kind: "update"; readonly id: string; readonly fields: { readonly [name: string]: FieldV1 } }
  | { readonly kind: "remove"; readonly id: string; readonly before: JsonObject };

export type FieldV1 =
  | { readonly before?: JsonObject[string]; readonly after?: JsonObject[string] }
  | { readonly at: number; readonly removed: string; readonly inserted: string };

export type SourceV1 = { readonly operation: string; readonly take: string; readonly upto?: string } | "empty";

const recordId: Check = (value) => textProblem(value, 5000) ?? (value === "" ? "is empty" : undefined);

const fieldChange: Check = (value) => {
  if (isObject(value) && "at" in value)
    return fields({ at: whole(0), removed: text(), inserted: text() }, {}, "closed")(value);
  return fields({}, { before: () => undefined, after: () => undefined }, "closed")(value);
};

const CHANGES: Readonly<Record<ChangeV1["kind"], Check>> = {
  create: fields({ id: recordId, after: object }),
  remove: fields({ id: recordId, before: object }),
  update: fields({
    id: recordId,
    fields: (value) => object(value) ?? list(fieldChange)(Object.values(value as object)),
  }),
};

const change: Check = (value) => {
  const kind = isObject(value) ? value["kind"] : undefined;
  if (typeof kind !== "string" || !Object.hasOwn(CHANGES, kind)) return "is not a change";
  return CHANGES[kind as ChangeV1["kind"]](value);
};

const source = either(oneOf([null, "empty"]), fields({ operation: idProblem, take: idProblem }, { upto: text() }));

const checkOperation = fields(
  {
    id: idProblem,
    version: whole(1),
    parents: list(idProblem),
    take: maybe(text(128)),
    scope: oneOf(["take", "thread"]),
    kind: oneOf([...Object.keys(OPERATION_ROLES), "turn-captured"]),
    actor: fields({ kind: oneOf(["user", "agent", "editor", "hook", "sync", "system"]) }, { name: text(200) }),
    description: text(),
    created_at: whole(0),
    diff: fields(
      { changes: list(change) },
      { spaces: list(fields({ take: idProblem, before: source, after: source })) },
    ),
  },
  {
    group: idProblem,
    turn_id: idProblem,
    undoes: list(fields({ group: idProblem, scope: oneOf(["both", "conversation", "files"]) })),
    redoes: list(idProblem),
  },
);

/** How version 0.1.0 stored an operation. Only `LogUpgrade` reads it. Never edit it. */
export const operationV1: Format<OperationV1> = {
  name: "retake-operation",
  version: 1,
  upgrades: [],
  defaults: { parents: [], scope: "take", actor: { kind: "user" }, description: "" },
  check: (value) => checkOperation(value) ?? foreignProblem(value),
  read: (json) => ({ group: json["id"], ...json }) as unknown as OperationV1,
  write: (operation) => asJson(operation),
};
