import type { ClientBase } from 'pg'
import { type Node, parseNodeTree } from './node-tree.ts'
import { type Catalogue, type Column, type Parameter, ParsedQuery } from './query.ts'

/** Columns and parameters of a statement. Types are PostgreSQL's names; a domain is given as its base type. */
export type Description = { columns: (Column & { type: string })[]; parameters: (Parameter & { type: string })[] }

/** Reads the parts of the system catalogue that node trees refer to by number. */
export async function readCatalogue(c: ClientBase): Promise<Catalogue> {
  const { rows: columns } = await c.query(
    `select a.attrelid, a.attnum, t.relname, a.attname, a.attnotnull from pg_attribute a join pg_class t on t.oid = a.attrelid
     where t.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped`,
  )
  const names = async (sql: string) => new Map((await c.query<[string, string]>({ text: sql, rowMode: 'array' })).rows)
  return {
    columns: new Map(
      columns.map(({ attrelid, attnum, relname, attname, attnotnull }) => [
        `${attrelid} ${attnum}`,
        { table: relname, column: attname, notNull: attnotnull },
      ]),
    ),
    functions: await names('select oid::text, proname from pg_proc'),
    operators: await names('select oid::text, oprname from pg_operator'),
  }
}

/**
 * Describes a statement without running it. PREPARE infers its types; the parsed body of a function created from it
 * gives the origin and nullability of its columns. Throws PostgreSQL's error when the statement does not match the
 * schema.
 */
export async function describe(c: ClientBase, catalogue: Catalogue, text: string): Promise<Description> {
  await c.query(`prepare described as ${text}`)
  const { rows } = await c.query(
    `select array(select format_type(p, null) from unnest(parameter_types) p) as given,
       array(select format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null)
         from unnest(result_types) with ordinality as r (type, place) join pg_type t on t.oid = r.type order by place) as results,
       array(select format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null)
         from unnest(parameter_types) with ordinality as r (type, place) join pg_type t on t.oid = r.type order by place) as parameters
     from pg_prepared_statements where name = 'described'`,
  )
  const { given, results, parameters }: Record<string, string[]> = rows[0]
  await c.query('deallocate described')
  const returns = results!.length > 0 ? 'setof record' : 'void'
  await c.query(`create function pg_temp.described(${given}) returns ${returns} begin atomic ${text}; end`)
  const body = await c.query(`select prosqlbody::text as tree from pg_proc where oid = to_regproc('pg_temp.described')`)
  await c.query('drop function pg_temp.described')
  const [[query]] = parseNodeTree(body.rows[0].tree) as [[Node]]
  const parsed = new ParsedQuery(query, catalogue)
  return {
    columns: parsed.columns().map((column, index) => ({ ...column, type: results![index]! })),
    parameters: parsed.parameters(parameters!.length).map((each, index) => ({ ...each, type: parameters![index]! })),
  }
}
