import type pg from 'pg'

/** Tables whose rows are counted: what a restored database must have exactly as many of. All exist since 0.1.0. */
const countedTables = [
  'merchants',
  'applications',
  'payments',
  'deposits',
  'withdrawals',
  'refunds',
  'outgoing',
  'outgoing_attempts',
  'deposit_addresses',
  'ledger_accounts',
  'ledger_groups',
  'ledger_postings',
] as const

/** Reads rows of tables and the sum of the balances of each asset, as texts by name. */
export async function readTotals(c: pg.ClientBase): Promise<Record<string, string>> {
  const totals: Record<string, string> = {}
  for (const table of countedTables) {
    const { rows } = await c.query<{ n: string }>(`select count(*)::text as n from ${table}`)
    totals[table] = rows[0]!.n
  }
  const { rows: balances } = await c.query<{ asset: string; sum: string }>(
    `select asset_id as asset, sum(balance)::text as sum from ledger_accounts where merchant_id is not null
     group by asset_id order by asset_id`,
  )
  for (const { asset, sum } of balances) totals[`balances of ${asset}`] = sum
  const { rows: posted } = await c.query<{ asset: string; sum: string }>(
    'select asset_id as asset, sum(amount)::text as sum from ledger_postings group by asset_id order by asset_id',
  )
  for (const { asset, sum } of posted) totals[`postings of ${asset}`] = sum
  return totals
}

/** Names what differs between two readings, with both values. */
export function compareTotals(expected: Record<string, string>, found: Record<string, string>): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])]
  return names
    .filter(name => expected[name] !== found[name])
    .map(name => `${name}: ${expected[name] ?? 'none'} in the backup, ${found[name] ?? 'none'} restored`)
}
