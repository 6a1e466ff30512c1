/** Requests that must not be executed twice: the request and the answer under each key. */
export const REQUEST_SCHEMA = `
  CREATE TABLE requests (
    key TEXT PRIMARY KEY,
    /** The request: the route and a hash of the body. */
    asked TEXT NOT NULL,
    /** Null until it is answered; it stays null when the process is killed in between. */
    answer TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX requests_by_time ON requests (created_at);
`;
