export { type Database, openDatabase } from "./store/open-database.ts";
export { StoreError } from "./store/store-error.ts";
export { CaptureTree, readCapture } from "./workspace/capture-tree.ts";
export type { BytePath, Change, FileState, FileTree, Hash, Uncovered } from "./workspace/model.ts";
export { ObjectError } from "./workspace/object-error.ts";
export { ObjectStore } from "./workspace/object-store.ts";
export { bytePath, showPath } from "./workspace/path-bytes.ts";
