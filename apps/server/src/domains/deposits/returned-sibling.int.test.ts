import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bridgedWorld } from '../../testing/bridged-world.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { visitor } from '../../testing/merchants.ts'
import { cancelWithdrawal } from '../withdrawals/cancel-withdrawal.ts'
import { returnSibling } from './decide-sibling.ts'

const who = 'ops@example.com'

test('a merchant cannot keep what an operator gives back', async t => {
  const w = await bridgedWorld(t)
  const { id } = await returnSibling(w.deps, { depositId: w.id, who })
  const cancel = cancelWithdrawal(w.deps, { merchantId: w.merchant.id, id, from: visitor })
  await assert.rejects(cancel, { reason: 'withdrawal_cannot_change' })
  assert.equal(await w.balance('eth:USDC.e'), '0')
  await assertBooksAgree(w.owner)
})
