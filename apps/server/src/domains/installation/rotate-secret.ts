import type { Deps } from '../../deps.ts'
import { recordOperatorAuditEntry } from '../../kit/audit.ts'
import { tx } from '../../kit/db.ts'
import { type SealPlace, sealedColumns } from '../../kit/seal.ts'
import { addFingerprints, deleteOtherFingerprints } from './store.ts'

/**
 * Seals every lasting text again with the current secret, and forgets the previous one's fingerprint. Texts that change
 * meanwhile are sealed by who changes them. Returns how many were sealed again.
 */
export async function resealWithCurrentSecret(deps: Deps): Promise<number> {
  let count = 0
  for (const [column, binding] of Object.entries(sealedColumns)) {
    if (binding !== null) count += await sealAgain(deps, column, binding)
  }
  const { keyId } = deps.seal
  await addFingerprints(deps.pool, ['secret'], [keyId], deps.clock())
  await deleteOtherFingerprints(deps.pool, 'secret', keyId)
  return count
}

async function sealAgain(
  { pool, seal, clock }: Deps,
  column: string,
  { key, place }: { key: string; place: SealPlace['column'] },
): Promise<number> {
  const [table, field] = column.split('.')
  // Not named statements: their texts depend on the column, which is never input.
  const { rows } = await pool.query<{ row: string; sealed: string }>(
    `select ${key} as row, ${field} as sealed from ${table} where ${field} <> ''`,
  )
  let count = 0
  for (const { row, sealed } of rows.filter(each => !seal.isCurrent(each.sealed))) {
    const at = { column: place, row }
    const again = seal.seal(seal.open(sealed, at), at)
    const sql = `update ${table} set ${field} = $3 where ${key} = $1 and ${field} = $2`
    count += await tx(pool, async c => {
      await recordOperatorAuditEntry(c, { type: 'sealed_again', subject: `${column} ${row}`, now: clock() })
      return (await c.query(sql, [row, sealed, again])).rowCount ?? 0
    })
  }
  return count
}
