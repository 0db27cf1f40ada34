import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OwnMerchantTerms } from '@coffer/core'
import type { AgreementCheck } from '../../kit/second-person.ts'
import { breakOnce } from '../../testing/break.ts'
import { withDeps } from '../../testing/deps.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { rowsOf } from '../../testing/money.ts'
import { atShell } from '../../testing/operators.ts'
import { merchantById } from '../merchants/store.ts'
import { changeMerchantTerms } from './change-merchant-terms.ts'

const deps = await withDeps({ after })
const none: OwnMerchantTerms = {
  fee_bps: null,
  withdraw_fee_bps: null,
  withdraw_single_max: null,
  withdraw_day_max: null,
  withdraw_approval_above: null,
}

/** A merchant, its terms, and the notifications of fees that it got. */
async function aMerchant() {
  const { id, email } = await testMerchant(deps)
  const set = (terms: OwnMerchantTerms, of = deps, agree: AgreementCheck = async () => 'alone') =>
    changeMerchantTerms(of, { merchantId: id, terms, by: atShell('operator'), agree })
  const terms = async () => {
    const row = (await merchantById(deps.pool, id))!
    return Object.fromEntries(Object.keys(none).map(name => [name, row[name as keyof OwnMerchantTerms]]))
  }
  const told = async () =>
    (
      await rowsOf(
        deps.owner,
        `select params from notifications where merchant_id = $1 and message = 'account_fees_changed' order by id`,
        [id],
      )
    ).map(each => [each.params.payments, each.params.withdrawals])
  const mails = async () => {
    await deps.delivered()
    return deps.mails.filter(each => each.to === email).length
  }
  return { set, terms, told, mails }
}

test('sets all terms, and notifies of new fees once', async () => {
  const merchant = await aMerchant()
  const terms = { ...none, fee_bps: 25, withdraw_day_max: 500 }
  for (const _ of [1, 2]) assert.deepEqual(await merchant.set(terms), { waits: false })
  assert.deepEqual(await merchant.terms(), terms)
  assert.deepEqual(await merchant.told(), [['0.25%', '0.10%']])
  await merchant.set({ ...terms, withdraw_day_max: 700 })
  assert.deepEqual([(await merchant.told()).length, await merchant.mails()], [1, 1], 'limits are for operators alone')
  await Promise.all([1, 2, 3].map(() => merchant.set({ ...terms, fee_bps: 5 })))
  await merchant.set(none)
  assert.deepEqual(await merchant.told(), [
    ['0.25%', '0.10%'],
    ['0.05%', '0.10%'],
    ['0.40%', '0.10%'],
  ])
  assert.deepEqual(await merchant.terms(), none)
  await assert.rejects(changeMerchantTerms(deps, { merchantId: 'nobody', terms, by: atShell('operator') }), {
    reason: 'merchant_not_exist',
  })
})

test('a crash at any point leaves limits and fees as they were, and tells nobody', async () => {
  const merchant = await aMerchant()
  const before = { ...none, fee_bps: 30, withdraw_single_max: 100 }
  await merchant.set(before)
  const after = { ...none, fee_bps: 20, withdraw_single_max: 200, withdraw_approval_above: 50 }
  const points = [/into merchant_assessments/, /update merchants/, /into notifications/, /^commit/i]
  for (const pattern of points) {
    const broken = { ...deps, pool: breakOnce(deps.pool, pattern) }
    await assert.rejects(merchant.set(after, broken), /killed here/, String(pattern))
    assert.deepEqual(await merchant.terms(), before, String(pattern))
  }
  assert.deepEqual([(await merchant.told()).length, await merchant.mails()], [1, 1])
  await merchant.set(after)
  assert.deepEqual(await merchant.terms(), after)
})

test('what waits for a second person changes nothing', async () => {
  const merchant = await aMerchant()
  const terms = { ...none, fee_bps: 1, withdraw_day_max: 1 }
  assert.deepEqual(await merchant.set(terms, deps, async () => 'waits'), { waits: true })
  assert.deepEqual([await merchant.terms(), await merchant.told()], [none, []])
  assert.deepEqual(await merchant.set(terms, deps, async () => 'together'), { waits: false })
  assert.deepEqual([await merchant.terms(), (await merchant.told()).length], [terms, 1])
})
