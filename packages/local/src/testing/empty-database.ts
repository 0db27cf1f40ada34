import { type Client, escapeLiteral } from 'pg'

/** Size of a page (bytes). */
const page = 8192

/** What a change of the schema, of rights or of statistics adds to the catalogs, removes or writes again. */
const catalogRows = `
  select xmin from pg_class where oid >= 16384
  union all select xmin from pg_attribute where attrelid >= 16384
  union all select xmin from pg_attrdef
  union all select xmin from pg_constraint where oid >= 16384
  union all select xmin from pg_trigger
  union all select xmin from pg_proc where oid >= 16384
  union all select xmin from pg_type where oid >= 16384
  union all select xmin from pg_rewrite where oid >= 16384
  union all select xmin from pg_statistic where starelid >= 16384
  union all select xmin from pg_policy
  union all select xmin from pg_event_trigger
  union all select xmin from pg_db_role_setting
    where setdatabase = (select oid from pg_database where datname = current_database())`

/** A schema: the number of its rows in the catalogs, and a transaction after which none of them was written. */
export type SchemaState = { rows: number; since: string }

/**
 * Prepares a session to empty its new database again and again. Returns the state of its schema, or undefined when the
 * user is no superuser, who alone may delete without triggers.
 */
export async function prepareToEmpty(client: Client): Promise<SchemaState | undefined> {
  const user = await client.query('select rolsuper from pg_roles where rolname = current_user')
  if (!user.rows[0].rolsuper) return undefined
  await client.query(await emptyFunction(client))
  const { rows } = await client.query(
    `select count(*)::int as rows, pg_current_xact_id()::xid::text as since from (${catalogRows}) c`,
  )
  return rows[0]
}

/**
 * Leaves in each table what it had when `prepareToEmpty` was called, and starts sequences anew. Nobody else may work on
 * the database. Returns the new state of the schema, or undefined when it has changed.
 */
export async function emptyDatabase(client: Client, { rows: number, since }: SchemaState) {
  const { rows } = await client.query({
    name: 'empty-database',
    text: 'select pg_temp.empty_database($1, $2)::text as since',
    values: [number, since],
  })
  return rows[0].since === null ? undefined : { rows: number, since: rows[0].since as string }
}

/** The statement that creates a function which empties the database: its plans are made once a session. */
async function emptyFunction(client: Client): Promise<string> {
  const { rows: tables } = await client.query(
    `select oid::int, oid::regclass::text as name, pg_relation_size(oid) > 0 as "isUsed" from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace order by oid`,
  )
  const { rows: sequences } = await client.query(
    'select seqrelid::int as oid, seqstart::text as start from pg_sequence',
  )
  const steps: string[] = []
  for (const table of tables) {
    const rows = table.isUsed ? await rowsAsJson(client, table.name) : '[]'
    steps.push(rows === '[]' ? emptyTable(table) : restoreTable(table.name, rows))
  }
  return `
    create function pg_temp.empty_database(number int, since xid) returns xid language plpgsql
    set session_replication_role = replica as $empty$
    declare
      size bigint;
      large text := '';
    begin
      if (select count(*) <> number or bool_or(age(xmin) < age(since)) from (${catalogRows}) c) then
        return null;
      end if;
      ${steps.join('')}
      if large <> '' then
        execute 'truncate ' || substr(large, 2) || ' cascade';
      end if;
      ${sequences.map(restartSequence).join('')}
      return pg_current_xact_id()::xid;
    end $empty$`
}

async function rowsAsJson(client: Client, table: string): Promise<string> {
  const { rows } = await client.query(`select coalesce(json_agg(t), '[]')::text as rows from ${table} t`)
  return rows[0].rows
}

/** A large table gets new files: else rows of later tests would fill its gaps, and be found in another order. */
const emptyTable = ({ oid, name }: { oid: number; name: string }) => `
  size := pg_relation_size(${oid});
  if size > ${page} then
    large := large || ',${name}';
  elsif size > 0 then
    delete from ${name};
  end if;`

/** `rows` is JSON. */
const restoreTable = (name: string, rows: string) => `
  if (select count(*) <> ${JSON.parse(rows).length} or bool_or(age(xmin) < age(since)) from ${name}) then
    delete from ${name};
    insert into ${name} select * from json_populate_recordset(null::${name}, ${escapeLiteral(rows)});
  end if;`

const restartSequence = ({ oid, start }: { oid: number; start: string }) => `
  if pg_sequence_last_value(${oid}) is not null then
    perform setval(${oid}::regclass, ${start}, false);
  end if;`
