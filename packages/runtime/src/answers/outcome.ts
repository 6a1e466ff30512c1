import type { Refusal } from "@retake/core";
import type { Busy } from "../undo/hold-workspace.ts";
import type { FilesAnswer } from "./files-answer.ts";

/** The outcome of a request. Only `answer` may have changed something. */
export type Outcome<Answer> =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "conflicts"; readonly answer: FilesAnswer & { readonly plan_id?: string } }
  | Busy
  | Refusal;
