import { Pool, type PoolClient, types } from "pg";
import { createTables, OPEN_TABLES, SCHEMA_VERSION, type SqlDialect, tablesSince } from "./schema.ts";
import type { Sql, SqlDatabase, SqlValue, Statement } from "./sql-database.ts";
import { NewerSchemaError } from "./sqlite-database.ts";

const DIALECT: SqlDialect = { bytes: "BYTEA", key: 'TEXT COLLATE "C"', narrow: "" };

/** The role of a transaction in a vault. It can read and write rows, and only those of its vault. */
const ROLE = "retake_sync_vault";

/** A PostgreSQL database, for any number of server processes. */
export class PostgresDatabase implements SqlDatabase {
  readonly #pool: Pool;

  private constructor(url: string) {
    // Counts are well below 2^53.
    const parsers = {
      getTypeParser: (oid: number) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid)),
    };
    this.#pool = new Pool({ connectionString: url, max: 20, pipeline: true, types: parsers as never });
    // A connection that breaks while it is idle is replaced by the pool.
    this.#pool.on("error", () => undefined);
    // One that breaks while it is in use fails the queries under way. Its event would end the process.
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
  }

  static async open(url: string): Promise<PostgresDatabase> {
    const database = new PostgresDatabase(url);
    try {
      await database.everywhere((sql) => migrate(sql));
    } catch (error) {
      await database.close();
      throw error;
    }
    return database;
  }

  inVault<T>(vault: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    // The simple protocol takes no values; ids have no quotes (`idProblem`), and this makes sure of it.
    const quoted = vault.replaceAll("'", "");
    return this.#transaction(`BEGIN; SET LOCAL ROLE ${ROLE}; SET LOCAL app.vault = '${quoted}'`, work);
  }

  everywhere<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#transaction("BEGIN", work);
  }

  async read<Row>(text: string, values: readonly SqlValue[]): Promise<Row[]> {
    return (await this.#pool.query(prepared(text, values))).rows as Row[];
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #transaction<T>(begin: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      // Statements are sent without waiting for those before them. When one fails, all later ones of the transaction do.
      sendTogether(client);
      const [, result] = await Promise.all([client.query(begin), work(sqlOf(client))]);
      await client.query("COMMIT");
      client.release();
      return result;
    } catch (error) {
      // A connection whose state is unknown is not used again.
      const known = await client.query("ROLLBACK").then(
        () => true,
        () => false,
      );
      client.release(!known);
      throw error;
    }
  }
}

function sqlOf(client: PoolClient): Sql {
  const query = (text: string, values: readonly SqlValue[]) => {
    sendTogether(client);
    return client.query(prepared(text, values));
  };
  return {
    all: async <Row>(text: string, values: readonly SqlValue[] = []) => (await query(text, values)).rows as Row[],
    allOf: async <Row>(text: string, values: readonly SqlValue[], wanted: readonly string[]) => {
      if (wanted.length === 0) return [];
      // The offset keeps the planner from joining the two in another way.
      const each = `(${text} wanted.value OFFSET 0)`;
      const found = `WITH wanted AS (SELECT unnest(?::text[]) AS value) SELECT found.* FROM wanted, LATERAL ${each} AS found`;
      return (await query(found, [wanted, ...values])).rows as Row[];
    },
    run: async (text, values = []) => (await query(text, values)).rowCount ?? 0,
    runAll: async (statements) => {
      const values = statements.flatMap((each) => each.values);
      await query(asOne(statements), values);
    },
    forUpdate: "FOR UPDATE",
    list: "unnest(?::text[]) AS list (value)",
  };
}

/** All but the last as parts of the last. */
function asOne(statements: readonly Statement[]): string {
  const texts = statements.map(({ text }) => text);
  const parts = texts.slice(0, -1).map((text, index) => `part${index} AS (${text})`);
  return `${parts.length > 0 ? `WITH ${parts.join(", ")} ` : ""}${texts.at(-1)}`;
}

/** Everything that is sent until the end of this step leaves in one write: writes cost more than most statements. */
function sendTogether({ connection: { stream } }: PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** A query that a connection prepares once. Those with long lists of values differ each time, and have no name. */
function prepared(text: string, values: readonly SqlValue[]) {
  let statement = STATEMENTS.get(text);
  if (!statement) {
    let count = 0;
    const numbered = text.replaceAll("?", () => {
      count += 1;
      return `$${count}`;
    });
    const isShort = text.length < 2000 && STATEMENTS.size < 1000;
    statement = { text: numbered, ...(isShort && { name: `s${STATEMENTS.size}` }) };
    if (isShort) STATEMENTS.set(text, statement);
  }
  return { ...statement, values: [...values] };
}

const STATEMENTS = new Map<string, { readonly text: string; readonly name?: string }>();

async function migrate(sql: Sql): Promise<void> {
  // Several processes may start at once.
  await sql.all("SELECT pg_advisory_xact_lock(7238462)");
  await sql.run("CREATE TABLE IF NOT EXISTS retake_sync_schema (version INTEGER NOT NULL)");
  const [row] = await sql.all<{ version: number }>("SELECT version FROM retake_sync_schema");
  const version = row?.version ?? 0;
  if (version > SCHEMA_VERSION) throw new NewerSchemaError(version);
  if (version === SCHEMA_VERSION) return;
  if (version === 0) await createRole(sql);
  for (const statement of createTables(DIALECT, version)) await sql.run(statement);
  // Bodies are encrypted: nothing makes them shorter.
  if (version < 3) await sql.run("ALTER TABLE segments ALTER COLUMN body SET STORAGE EXTERNAL");
  for (const table of tablesSince(version)) {
    await sql.run(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${ROLE}`);
    await sql.run(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
    await sql.run(`CREATE POLICY own_vault ON ${table} TO ${ROLE}
       USING (vault = current_setting('app.vault', true)) WITH CHECK (vault = current_setting('app.vault', true))`);
  }
  // Links are approved in a vault, by a code that only the new device and its user know.
  if (version === 0)
    for (const table of Object.keys(OPEN_TABLES)) await sql.run(`GRANT SELECT, UPDATE ON ${table} TO ${ROLE}`);
  await sql.run("DELETE FROM retake_sync_schema");
  await sql.run("INSERT INTO retake_sync_schema (version) VALUES (?)", [SCHEMA_VERSION]);
}

async function createRole(sql: Sql): Promise<void> {
  const [role] = await sql.all(`SELECT 1 FROM pg_roles WHERE rolname = '${ROLE}'`);
  if (!role) await sql.run(`CREATE ROLE ${ROLE} NOLOGIN NOINHERIT`);
  await sql.run(`GRANT ${ROLE} TO CURRENT_USER`);
}
