import type { Refusal } from "@retake/core";
import type { Busy } from "../undo/hold-workspace.ts";
import type { FilesAnswer } from "./files-answer.ts";

/** What came of something that was asked for. Nothing was changed by any of them but an answer. */
export type Outcome<Answer> =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "conflicts"; readonly answer: FilesAnswer & { readonly plan_id?: string } }
  | Busy
  | Refusal;
