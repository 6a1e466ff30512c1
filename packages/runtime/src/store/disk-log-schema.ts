/** What lies on the disk of a workspace, as a log; see `disk-log.ts`. */
export const diskLogSchema = `
  CREATE TABLE disk_log (
    root TEXT NOT NULL,
    moment INTEGER NOT NULL,
    /* Whose thread put it there; none: the user, from outside. */
    thread TEXT,
    /* None: the thread came to live here. */
    operation TEXT,
    take TEXT,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    PRIMARY KEY (root, moment)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX disk_log_by_operation ON disk_log (operation) WHERE operation IS NOT NULL;
`;
