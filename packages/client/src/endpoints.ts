/**
 * Where every route is: all that a client needs at run time. `routes/` describes the input and answer of each route, in
 * schemas that the server checks by; a client has only their types, so that no schema is part of a browser's bundle.
 */
export const endpoints = {
  health: { method: "GET", path: "/v1/health" },
  describeApi: { method: "GET", path: "/v1/openapi.json" },
  listModels: { method: "GET", path: "/v1/models" },
  listMcpServers: { method: "GET", path: "/v1/mcp", input: "query" },
  getWorkspaceStatus: { method: "GET", path: "/v1/workspace/status", input: "query" },
  getApprovals: { method: "GET", path: "/v1/approvals", input: "query" },
  changeApprovals: { method: "PATCH", path: "/v1/approvals", input: "body" },
  createLogin: { method: "POST", path: "/v1/login", input: "body" },
  followEvents: { method: "GET", path: "/v1/events", input: "query", stream: true },

  listThreads: { method: "GET", path: "/v1/threads", input: "query" },
  createThread: { method: "POST", path: "/v1/threads", input: "body" },
  summarizeThreads: { method: "GET", path: "/v1/threads/summary", input: "query" },
  searchThreads: { method: "GET", path: "/v1/search", input: "query" },
  getThread: { method: "GET", path: "/v1/threads/{id}" },
  changeThread: { method: "PATCH", path: "/v1/threads/{id}", input: "body" },
  deleteThread: { method: "DELETE", path: "/v1/threads/{id}" },
  findInThread: { method: "GET", path: "/v1/threads/{id}/find", input: "query" },
  getCheckpoint: { method: "GET", path: "/v1/threads/{id}/checkpoint", input: "query" },
  getSettings: { method: "GET", path: "/v1/threads/{id}/settings" },
  changeSettings: { method: "PATCH", path: "/v1/threads/{id}/settings", input: "body" },
  getRoles: { method: "GET", path: "/v1/threads/{id}/roles" },
  changeRoles: { method: "PATCH", path: "/v1/threads/{id}/roles", input: "body" },
  getContext: { method: "GET", path: "/v1/threads/{id}/context" },
  changeContext: { method: "PATCH", path: "/v1/threads/{id}/context", input: "body" },

  addScreenshot: { method: "POST", path: "/v1/threads/{id}/screenshots", input: "body" },
  getScreenshot: { method: "GET", path: "/v1/threads/{id}/screenshots", input: "query" },
  exportThread: { method: "GET", path: "/v1/threads/{id}/export", input: "query" },
  importThreads: { method: "POST", path: "/v1/import", input: "body" },

  listEntries: { method: "GET", path: "/v1/threads/{id}/entries", input: "query" },
  addEntry: { method: "POST", path: "/v1/threads/{id}/entries", input: "body" },
  replaceEntries: { method: "PUT", path: "/v1/threads/{id}/entries", input: "body" },
  getEntry: { method: "GET", path: "/v1/threads/{id}/entries/{entry}" },
  editEntry: { method: "PATCH", path: "/v1/threads/{id}/entries/{entry}", input: "body" },
  removeEntry: { method: "DELETE", path: "/v1/threads/{id}/entries/{entry}", input: "query" },
  showEntries: { method: "POST", path: "/v1/threads/{id}/show", input: "body" },
  truncate: { method: "POST", path: "/v1/threads/{id}/truncate", input: "body" },
  compress: { method: "POST", path: "/v1/threads/{id}/compress", input: "body" },
  clear: { method: "POST", path: "/v1/threads/{id}/clear", input: "body" },
  reset: { method: "POST", path: "/v1/threads/{id}/reset", input: "body" },

  startTurn: { method: "POST", path: "/v1/threads/{id}/turns", input: "body" },
  getUsage: { method: "GET", path: "/v1/threads/{id}/usage" },
  listTurns: { method: "GET", path: "/v1/threads/{id}/turns", input: "query" },
  followTurn: { method: "GET", path: "/v1/threads/{id}/turns/{turn}/stream", stream: true },
  getTurnRequest: { method: "GET", path: "/v1/threads/{id}/turns/{turn}/request", input: "query" },
  changeQueuedTurn: { method: "PATCH", path: "/v1/threads/{id}/turns/{turn}", input: "body" },
  removeQueuedTurn: { method: "DELETE", path: "/v1/threads/{id}/turns/{turn}" },
  interruptTurn: { method: "POST", path: "/v1/threads/{id}/turns/{turn}/interrupt", input: "body" },
  decideApproval: { method: "POST", path: "/v1/threads/{id}/turns/{turn}/approvals/{call}", input: "body" },
  stopTurns: { method: "POST", path: "/v1/workspace/stop", input: "body" },
  retry: { method: "POST", path: "/v1/threads/{id}/retry", input: "body" },

  undo: { method: "POST", path: "/v1/threads/{id}/undo", input: "body" },
  patchUndo: { method: "POST", path: "/v1/threads/{id}/patch-undo", input: "body" },
  redo: { method: "POST", path: "/v1/threads/{id}/redo", input: "body" },
  jump: { method: "POST", path: "/v1/threads/{id}/jump", input: "body" },
  revert: { method: "POST", path: "/v1/threads/{id}/revert", input: "body" },
  getHistory: { method: "GET", path: "/v1/threads/{id}/history", input: "query" },
  getOperation: { method: "GET", path: "/v1/threads/{id}/history/{op}" },
  diffThread: { method: "GET", path: "/v1/threads/{id}/diff", input: "query" },
  readFile: { method: "GET", path: "/v1/threads/{id}/files", input: "query" },
  listFiles: { method: "GET", path: "/v1/threads/{id}/tree", input: "query" },
  materialize: { method: "POST", path: "/v1/threads/{id}/materialize", input: "body" },
  undoSession: { method: "POST", path: "/session/{id}/undo", input: "body" },

  listTakes: { method: "GET", path: "/v1/threads/{id}/takes", input: "query" },
  branch: { method: "POST", path: "/v1/threads/{id}/takes", input: "body" },
  switchTake: { method: "POST", path: "/v1/threads/{id}/takes/{take}/switch", input: "body" },
  takeOver: { method: "POST", path: "/v1/threads/{id}/takes/{take}/take-over", input: "body" },
  promoteTake: { method: "POST", path: "/v1/threads/{id}/takes/{take}/promote", input: "body" },
  renameTake: { method: "PATCH", path: "/v1/threads/{id}/takes/{take}", input: "body" },
  deleteTake: { method: "DELETE", path: "/v1/threads/{id}/takes/{take}", input: "query" },
  compareTakes: { method: "GET", path: "/v1/threads/{id}/takes/{a}/compare/{b}" },

  listSnapshots: { method: "GET", path: "/v1/snapshots", input: "query" },
  takeSnapshot: { method: "POST", path: "/v1/snapshots", input: "body" },
  diffSnapshot: { method: "GET", path: "/v1/snapshots/{id}/diff", input: "query" },
  restoreSnapshot: { method: "POST", path: "/v1/snapshots/{id}/restore", input: "body" },
  listSessions: { method: "GET", path: "/v1/sessions", input: "query" },
  saveSession: { method: "POST", path: "/v1/sessions", input: "body" },
  getSession: { method: "GET", path: "/v1/sessions/{id}" },
  resumeSession: { method: "POST", path: "/v1/sessions/{id}/resume", input: "body" },

  getHookSession: { method: "GET", path: "/api/session", input: "query" },
  replaceHookSession: { method: "POST", path: "/api/session", input: "body" },
  getState: { method: "GET", path: "/api/state", input: "query" },
  getStateField: { method: "GET", path: "/api/state/{field}", input: "query" },
  runAction: { method: "POST", path: "/api/actions/{name}", input: "body" },
} as const satisfies Readonly<Record<string, Endpoint>>;

export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` stands for one segment. */
  readonly path: string;
  /** The input of a call besides the path: a body, or else a query. */
  readonly input?: "body" | "query";
  /** The answer is a stream of events. */
  readonly stream?: true;
}
