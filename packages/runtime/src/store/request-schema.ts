/** Requests that must not be done twice: what was asked under a key, and what was answered. */
export const requestSchema = `
  CREATE TABLE requests (
    key TEXT PRIMARY KEY,
    /* What was asked: the route and a hash of the body. */
    asked TEXT NOT NULL,
    /* Null until it is answered; it stays so when the process is killed in between. */
    answer TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX requests_by_time ON requests (created_at);
`;
