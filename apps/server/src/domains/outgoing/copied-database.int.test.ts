import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { paidWorld } from '../../testing/paid-world.ts'
import { type PayoutWorld, payoutWorld, settle, tronPayoutWorld } from '../../testing/payout-world.ts'
import { clearSwitch, setSwitch } from '../chains/store.ts'
import { holdIfCopied, releaseCopy } from '../installation/hold-copy.ts'
import { addFingerprints, deleteOtherFingerprints } from '../installation/store.ts'
import { copiedPayoutReason } from './doubt-copied-payouts.ts'
import { resumeWallets } from './wallets.ts'

type World = Pick<
  PayoutWorld,
  'pass' | 'mine' | 'confirm' | 'deps' | 'signer' | 'definition' | 'balance' | 'log' | 'ask' | 'attempts' | 'outgoing'
>
const usdt = 1_000_000n
const doubted = ['failed: the database was restored']

/** Takes the database for one that was restored in another place, as a start does. */
async function restoreElsewhere({ deps }: Pick<World, 'deps'>): Promise<void> {
  await deleteOtherFingerprints(deps.owner, 'database', '')
  await addFingerprints(deps.owner, ['database'], ['another/1/1'], deps.clock())
  await holdIfCopied(deps)
}

/** Puts the database back to before anything was sent. */
async function forgetSent({ deps }: World): Promise<void> {
  for (const sql of [
    'delete from outgoing_items',
    'delete from outgoing_attempts',
    'delete from outgoing',
    'update wallets set next_nonce = 0',
    `update test_payouts set due = true, log = '{}'`,
  ])
    await deps.owner.query(sql)
}

for (const [kind, make] of [
  ['EVM', payoutWorld],
  ['TRON', tronPayoutWorld],
] as const)
  test(`a restored database pays nothing again that the original paid after that state (${kind})`, async t => {
    const w: World = await make(t)
    const paid = await w.ask()
    const also = await w.ask()
    await settle(w)
    assert.equal(await w.balance(paid.to), 5n * usdt)
    await forgetSent(w)
    await restoreElsewhere(w)
    const signed = w.signer.signed.length
    await settle(w)
    assert.deepEqual([await w.log(paid.id), await w.log(also.id)], [doubted, doubted])
    const during = await w.ask()
    await settle(w)
    assert.equal(w.signer.signed.length, signed, 'nothing is signed before the release')
    assert.equal(await releaseCopy(w.deps), true)
    assert.equal(await releaseCopy(w.deps), false, 'once')
    await settle(w)
    // The chain has nonces that the database does not know; TRON has none.
    if (kind === 'EVM') await resumeWallets(w.deps, w.definition.id)
    const later = await w.ask()
    await settle(w)
    await settle(w)
    const balances = await Promise.all([paid, also, during, later].map(each => w.balance(each.to)))
    assert.deepEqual(
      balances.map(each => each / usdt),
      [5n, 5n, 5n, 5n],
    )
    assert.deepEqual([await w.log(paid.id), await w.log(also.id)], [doubted, doubted])
  })

test('what something held up when the database was restored is doubted, too', async t => {
  const w = await paidWorld(t)
  const id = await w.withdraw('100', w.receiver(1))
  await restoreElsewhere(w)
  // The first comparison finds what the original has paid since.
  await setSwitch(w.deps.owner, 'withdrawals_stopped:eth:USDT', 'less_than_ledger', w.deps.clock())
  await w.deps.owner.query('update merchants set frozen = true')
  await w.pass()
  assert.deepEqual(await w.read(id).then(row => [row.status, row.reason]), [
    withdrawalStatus.abnormal,
    copiedPayoutReason,
  ])
  await releaseCopy(w.deps)
  await clearSwitch(w.deps.owner, 'withdrawals_stopped')
  await w.deps.owner.query('update merchants set frozen = false')
  await settle(w)
  assert.equal(await w.balance(w.receiver(1)), 0n)
})

test('a copy released before its first pass doubts what is due all the same', async t => {
  const w: World = await payoutWorld(t)
  const due = await w.ask()
  await restoreElsewhere(w)
  await releaseCopy(w.deps)
  await settle(w)
  assert.deepEqual(await w.log(due.id), doubted)
  assert.equal(await w.balance(due.to), 0n)
})

test('a copy broadcasts nothing, not even what was signed before', async t => {
  const w: World = await payoutWorld(t)
  const due = await w.ask()
  await w.pass()
  const broadcasts = async () => (await w.attempts()).map(each => Number(each.broadcasts))
  assert.deepEqual(await broadcasts(), [1])
  await restoreElsewhere(w)
  w.deps.pass(60)
  await w.pass()
  assert.deepEqual(await broadcasts(), [1])
  await releaseCopy(w.deps)
  await w.pass()
  assert.deepEqual(await broadcasts(), [2])
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.deepEqual(await w.log(due.id), ['sent', 'in block', 'final'])
})
