export { headToAdopt } from "./adopt-heads.ts";
export {
  afterAsked,
  afterFault,
  afterMerge,
  afterPull,
  afterPush,
  afterRegister,
  afterRemoval,
  type Moment,
  type ReadSegment,
  type ThreadOutcome,
} from "./after-answer.ts";
export { firstForSegment } from "./choose-operations.ts";
export { decideAccess, decideKey } from "./decide-access.ts";
export { changeOf, cursorOf, decideSeen } from "./decide-changes.ts";
export { decideKeyChange } from "./decide-key-change.ts";
export {
  areNew,
  decidePush,
  type KnownOperation,
} from "./decide-push.ts";
export { SYNC_LIMITS, SYNC_VERSION } from "./limits.ts";
export { encodePack, type PackedBlob, readPack } from "./pack.ts";
export { pad, paddedLength, unpad } from "./padding.ts";
export {
  associatedData,
  checkEnvelope,
  outerParents,
  SEGMENT_FORMAT,
  SEGMENT_VERSION,
  type Segment,
  type SegmentEnvelope,
  type SegmentOperation,
} from "./segment.ts";
export {
  readShareDocument,
  type ShareDocument,
  type ShareEntry,
  type ShareReaders,
  shareData,
  shareDocument,
} from "./share.ts";
export type {
  Joined,
  NewDevice,
  PulledSegments,
  PushedSegment,
  SyncAnswer,
  SyncCall,
  SyncInput,
  ThreadChange,
  VaultDevice,
} from "./sync-calls.ts";
export {
  type NoAnswer,
  refusalBody,
  type SyncOutcome,
  syncInput,
  syncOutcome,
  syncRequest,
  VERSION_HEADER,
} from "./sync-http.ts";
export { refuseSync, SYNC_REFUSALS, type SyncRefusal } from "./sync-refusal.ts";
export { SYNC_ROUTES, type SyncRoute } from "./sync-routes.ts";
export type { ServerHead } from "./sync-values.ts";
export {
  isDue,
  NEW_THREAD,
  nextStep,
  type ThreadStep,
  type ThreadSync,
} from "./thread-sync.ts";
export { afterChanges, afterRewind, NEW_VAULT, type VaultOutcome, type VaultSync, vaultAfter } from "./vault-sync.ts";
