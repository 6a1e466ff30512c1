import type { Hash } from "../provider/fingerprint.ts";
import type { Change, Diff } from "../session/diff.ts";
import { OPERATION_ROLES, type Operation } from "../session/operation.ts";
import { type Check, either, fields, list, maybe, object, oneOf, text, whole } from "../values/check.ts";
import { foreignProblem } from "../values/foreign.ts";
import { asJson, canonical, isObject } from "../values/json.ts";
import { idProblem, textProblem } from "../values/text.ts";
import type { OperationV1 } from "./operation-v1.ts";
import type { Format } from "./versioned.ts";

/** How an operation is stored and sent. */
export const operationFormat: Format<Operation> = {
  name: "retake-operation",
  version: 2,
  upgrades: [],
  defaults: { parents: [], scope: "take", actor: { kind: "user" }, description: "" },
  check: (value) => checkOperation(value) ?? foreignProblem(value),
  read: (json) => ("group" in json ? json : { group: json["id"], ...json }) as unknown as Operation,
  write: (operation) => asJson(operation),
};

/**
 * The hash of an operation covers its content and the hashes of its parents, so a change anywhere in a log changes
 * every later hash.
 */
export function hashOperation(operation: Operation | OperationV1, parents: readonly string[], hash: Hash): string {
  return hash(canonical({ parents, operation: asJson(operation) }));
}

const recordId: Check = (value) => textProblem(value, 5000) ?? (value === "" ? "is empty" : undefined);

const fieldChange: Check = (value) => {
  if (isObject(value) && "at" in value)
    return fields({ at: whole(0), removed: text(), inserted: text(), sums: list(whole(0)) }, {}, "closed")(value);
  return fields({}, { before: () => undefined, after: () => undefined }, "closed")(value);
};

const CHANGES: Readonly<Record<Change["kind"], Check>> = {
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
  return CHANGES[kind as Change["kind"]](value);
};

const source = either(
  oneOf([null, "empty"]),
  fields({ operation: idProblem, take: idProblem }, { upto: text(), until: whole(0) }),
);

const diff: Check = fields({ changes: list(change) } satisfies Partial<Record<keyof Diff, Check>>, {
  spaces: list(fields({ take: idProblem, before: source, after: source })),
});

const checkOperation = fields(
  {
    id: idProblem,
    version: whole(1),
    parents: list(idProblem),
    take: maybe(text(128)),
    scope: oneOf(["take", "thread"]),
    kind: oneOf(Object.keys(OPERATION_ROLES)),
    actor: fields({ kind: oneOf(["user", "agent", "editor", "hook", "sync", "system"]) }, { name: text(200) }),
    description: text(),
    created_at: whole(0),
    diff,
  },
  {
    group: idProblem,
    turn_id: idProblem,
    undoes: list(fields({ group: idProblem, scope: oneOf(["both", "conversation", "files"]) })),
    redoes: list(idProblem),
  },
);
