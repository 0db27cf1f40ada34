import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bridged, bridgedWorld } from '../../testing/bridged-world.ts'
import { payer } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { createApplicationAddress } from '../addresses/assign-address.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { stopWithdrawal } from '../withdrawals/decide-withdrawal.ts'
import { decideHeldDeposits } from './decide-held-deposits.ts'
import { creditSiblingDeposit, returnSiblingDeposit } from './decide-sibling.ts'
import { undoDeposit } from './undo-deposit.ts'

const who = 'ops@example.com'
type World = Awaited<ReturnType<typeof bridgedWorld>>

/** A reorg deeper than what was credited, in whose branch nothing was sent. */
async function lose(w: World) {
  w.chain.mine()
  await w.catchUp()
  const { number } = await w.chain.head()
  w.chain.reorg(number, 'lost', number + 2)
  await w.catchUp()
}

const figures = (w: World) =>
  firstRow(
    w.owner,
    `select coalesce(sum(volume), 0)::text as volume, coalesce(sum(volume_usdt), 0)::text as usdt,
       coalesce(sum(income_usdt), 0)::text as income from statistics_changes`,
  )
const nothing = { volume: '0', usdt: '0', income: '0' }

for (const decision of ['credited', 'returned'] as const)
  test(`a bridged token that was ${decision} and whose deposit is undone leaves no figure behind`, async t => {
    const w = await bridgedWorld(t)
    if (decision === 'credited') await creditSiblingDeposit(w.deps, { depositId: w.id })
    else {
      const { id } = await returnSiblingDeposit(w.deps, { depositId: w.id, who })
      await stopWithdrawal(w.deps, { id, reason: 'the sender asked for it', who })
    }
    await lose(w)
    assert.equal((await w.deposit()).doubted, true)
    await undoDeposit(w.deps, { depositId: w.id })
    assert.equal((await w.deposit()).state, 'undone')
    assert.equal(await w.balance('eth:USDC.e'), '0')
    assert.deepEqual(await figures(w), nothing)
    assert.deepEqual(await checkLedger(w.deps), [])
    await assertBooksAgree(w.owner)
  })

for (const decision of ['credited', 'returned'] as const)
  test(`a recharge in a bridged token that was ${decision} is reported as reversed only if it was as credited`, async t => {
    const w = await bridgedWorld(t)
    const of = { merchantId: w.merchant.id, appid: w.appid, reference: 'customer', chainId: 'eth' }
    const { address } = await createApplicationAddress(w.deps, of)
    w.chain.mine([[{ token: bridged, from: payer, to: address.toLowerCase(), amount: 3_000_000n }]])
    await w.catchUp()
    await w.confirm()
    await decideHeldDeposits(w.deps, w.chain)
    const { id: depositId } = await firstRow(w.owner, `select id from deposits where kind = 'recharge'`)
    if (decision === 'credited') await creditSiblingDeposit(w.deps, { depositId })
    else {
      const { id } = await returnSiblingDeposit(w.deps, { depositId, who })
      await stopWithdrawal(w.deps, { id, reason: 'the sender asked for it', who })
    }
    await lose(w)
    await undoDeposit(w.deps, { depositId })
    const events = await rowsOf(w.owner, `select event from callbacks where event like 'deposit.%' order by id`)
    const told = decision === 'credited' ? ['deposit.credited', 'deposit.reversed'] : []
    assert.deepEqual(
      events.map(each => each.event),
      told,
    )
    assert.deepEqual(await checkLedger(w.deps), [])
    await assertBooksAgree(w.owner)
  })
