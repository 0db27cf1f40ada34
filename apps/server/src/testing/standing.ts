import assert from 'node:assert/strict'
import type pg from 'pg'

/** Asserts that a verb refuses the merchant unless the account is open, approved and not frozen; at the end it is. */
export async function refusedUnlessOpen(
  owner: pg.Pool,
  merchantId: string,
  verb: () => Promise<unknown>,
): Promise<void> {
  const standings = [
    ['status = 0', 'merchant_not_open'],
    ['status = 1', 'account_under_review'],
    ['status = 3, frozen = true', 'account_frozen'],
    ['frozen = false, deleted_at = 1', 'login_expired'],
  ]
  for (const [set, reason] of standings) {
    await owner.query(`update merchants set ${set} where id = $1`, [merchantId])
    await assert.rejects(verb(), { reason }, set)
  }
  await owner.query('update merchants set deleted_at = null where id = $1', [merchantId])
}
