import assert from 'node:assert/strict'
import type pg from 'pg'
import { rowsOf } from './money.ts'

/** Reads all rows that belong to a merchant and its owner, one text per table. */
export async function ownedRows(owner: pg.Pool, merchantId: string): Promise<string[]> {
  const tables = await rowsOf(
    owner,
    `select table_name as name, max(column_name) as column from information_schema.columns
     where column_name in ('merchant_id', 'person_id') and table_schema = 'public' group by 1 order by 1`,
  )
  assert.ok(tables.length > 15)
  const both = 'select m::text || p::text as row from merchants m join persons p using (id) where id = $1'
  const lines = [(await rowsOf(owner, both, [merchantId]))[0].row]
  for (const { name, column } of tables) {
    const sql = `select coalesce(string_agg(t::text, chr(10) order by t::text), '') as rows from "${name}" t where ${column} = $1`
    lines.push(`${name} ${(await rowsOf(owner, sql, [merchantId]))[0].rows}`)
  }
  return lines
}
