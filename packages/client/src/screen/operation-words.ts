/** Short names for kinds of operations, for lists and filters. The operation's description says the rest. */
const WORDS: Readonly<Record<string, string>> = {
  "thread-created": "New thread",
  "entry-edited": "Edit",
  "entry-shown": "View",
  "entry-inserted": "Insert",
  "entry-removed": "Delete",
  "entry-role-changed": "Role",
  "entries-shown": "View",
  "entries-cleared": "Clear",
  "entries-truncated": "Truncate",
  "entries-compressed": "Compress",
  "entries-replaced": "Replace",
  "entries-imported": "Import",
  "roles-changed": "Roles",
  "setting-changed": "Setting",
  "settings-changed": "Settings",
  "context-changed": "Context",
  "thread-changed": "Thread",
  "thread-saved": "Save",
  "take-branched": "Branch",
  "take-switched": "Switch",
  "take-kept": "Stay",
  "take-renamed": "Rename",
  "take-promoted": "Promote",
  "take-deleted": "Delete take",
  "session-reset": "Reset",
  "turn-imported": "Import",
  "files-edited": "Outside edit",
  "git-noted": "Git",
  "files-restored": "Restore",
  undone: "Undo",
  redone: "Redo",
  jumped: "Jump",
  reverted: "Take back",
  "heads-merged": "Merge",
};

export function operationWord(kind: string): string {
  return WORDS[kind] ?? "Turn";
}

/** The author of an operation, for a list. */
export function actorWord(actor: { readonly kind: string; readonly name?: string | undefined }): string {
  const word = ACTORS[actor.kind] ?? actor.kind;
  return actor.name === undefined ? word : `${word} (${actor.name})`;
}

const ACTORS: Readonly<Record<string, string>> = {
  user: "You",
  agent: "Agent",
  editor: "Outside edit",
  hook: "Program",
  sync: "Another machine",
  system: "Retake",
};
