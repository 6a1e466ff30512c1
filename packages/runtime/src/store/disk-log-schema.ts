/** A log of the changes on the disk of a workspace; see `disk-log.ts`. */
export const DISK_LOG_SCHEMA = `
  CREATE TABLE disk_log (
    root TEXT NOT NULL,
    moment INTEGER NOT NULL,
    /** The thread that made the change; none means the user, from outside. */
    thread TEXT,
    /** None means that the thread began to live here. */
    operation TEXT,
    take TEXT,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    PRIMARY KEY (root, moment)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX disk_log_by_operation ON disk_log (operation) WHERE operation IS NOT NULL;
`;
