import assert from 'node:assert/strict'
import type pg from 'pg'
import { rowsOf } from './money.ts'

/** Reads all rows that belong to a merchant, one text per table. */
export async function ownedRows(owner: pg.Pool, merchantId: string): Promise<string[]> {
  const tables = await rowsOf(
    owner,
    `select distinct table_name as name from information_schema.columns
     where column_name = 'merchant_id' and table_schema = 'public' order by 1`,
  )
  assert.ok(tables.length > 15)
  const lines = [(await rowsOf(owner, 'select m::text as row from merchants m where id = $1', [merchantId]))[0].row]
  for (const { name } of tables) {
    const sql = `select coalesce(string_agg(t::text, chr(10) order by t::text), '') as rows from "${name}" t where merchant_id = $1`
    lines.push(`${name} ${(await rowsOf(owner, sql, [merchantId]))[0].rows}`)
  }
  return lines
}
