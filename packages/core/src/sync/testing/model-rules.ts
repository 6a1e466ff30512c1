import { headToAdopt } from "../adopt-heads.ts";
import { afterMerge, afterPull, afterPush, afterRegister } from "../after-answer.ts";
import { decideKey } from "../decide-access.ts";
import { decideSeen } from "../decide-changes.ts";
import { decidePush } from "../decide-push.ts";
import type { ServerHead } from "../sync-values.ts";
import { isDue, nextStep } from "../thread-sync.ts";
import { afterChanges } from "../vault-sync.ts";
import { isPrivate, type ModelDevice, type RequestId } from "./model-state.ts";

/**
 * The decisions that the model is made of. They are the product's own; a test of the checker replaces one by a mistake.
 */
export interface Rules {
  readonly decidePush: typeof decidePush;
  readonly decideKey: typeof decideKey;
  readonly decideSeen: typeof decideSeen;
  readonly nextStep: typeof nextStep;
  readonly isDue: typeof isDue;
  readonly afterRegister: typeof afterRegister;
  readonly afterPull: typeof afterPull;
  readonly afterPush: typeof afterPush;
  readonly afterMerge: typeof afterMerge;
  readonly afterChanges: typeof afterChanges;
  readonly headToAdopt: typeof headToAdopt;
  /** The order of heads in a merge, and the name from which the merge's id follows. */
  readonly mergeOrder: (heads: readonly ServerHead[], ours: string) => readonly string[];
  readonly mergeName: (device: string) => string;
  /** Whether a commit adds its operation to the outbox. */
  readonly queues: (thread: string, made: number) => boolean;
  /** Whether an answer is for the request that the device waits for. */
  readonly isAwaited: (waiting: RequestId, answered: RequestId) => boolean;
  /** The records that are stored when a push is sent. */
  readonly onSend: (device: ModelDevice, thread: string, operations: readonly string[]) => ModelDevice;
  /** The transactions that store an outcome: one. With several, the device can crash between them. */
  readonly transactions: (before: ModelDevice, after: ModelDevice) => readonly ModelDevice[];
}

export const RULES: Rules = {
  decidePush,
  decideKey,
  decideSeen,
  nextStep,
  isDue,
  afterRegister,
  afterPull,
  afterPush,
  afterMerge,
  afterChanges,
  headToAdopt,
  mergeOrder: (heads) => heads.map(({ operation }) => operation),
  mergeName: () => "merge",
  queues: (thread) => !isPrivate(thread),
  isAwaited: (waiting, answered) => waiting.id === answered.id,
  onSend: (device) => device,
  transactions: (_, after) => [after],
};
