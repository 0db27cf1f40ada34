import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateWalletMetrics } from '../domains/outgoing/metrics.ts'
import { registry } from '../kit/metrics.ts'
import { rowsOf } from '../testing/money.ts'
import { payoutWorld } from '../testing/payout-world.ts'
import { findCommand, runCommand } from './run.ts'

test('shows, halts, resumes and cancels what the hot wallet sends, and asks for sweeps', async t => {
  const w = await payoutWorld(t)
  const type = async (line: string) => {
    const { code, text } = await runCommand(w.deps, findCommand(line.split(' '))!)
    return `${code} ${text}`
  }
  const metric = async (name: string) => {
    await updateWalletMetrics(w.deps)
    return (await registry.getSingleMetric(name)!.get()).values.find(each => each.labels.chain === 'eth')?.value
  }
  assert.match(await type('wallet status'), /eth +hot +0x\w{40} +0 +0 +- +ready/)
  const exposed = await type('signer exposure')
  assert.match(exposed, /could take [\d.]{7,} dollars in 24 hours, and \d[\d.]* dollars until the signer is stopped/)
  assert.match(exposed, /Lower it by passkeys that release large payouts, a treasury with a float of each asset/)
  const payout = await w.ask()
  const large = await w.ask({ amount: 1_500_000_000n })
  await w.pass()
  w.deps.pass(60)
  await w.pass()
  assert.match(await type('wallet status'), /1 +1 +60 s +lacks 505 USDT/)
  assert.match(await type('wallet fund'), /eth +hot +0x\w{40} +505 USDT/)
  assert.deepEqual(
    [await metric('coffer_outgoing_waiting_seconds'), await metric('coffer_wallet_short_seconds')],
    [60, 60],
  )
  assert.match(await type('wallet cancel eth 7'), /^1 There is no such transaction/)
  assert.match(await type('wallet cancel eth 0 wrong receiver'), /^0 Nonce 0 of eth is being cancelled/)
  await w.pass()
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.deepEqual(await w.log(payout.id), ['sent', 'voided: wrong receiver'])
  assert.match(await type('wallet abandon eth 0 it paid nothing'), /^1 No transaction of this nonce waits/)
  assert.match(await type('wallet halt eth moving to a new key'), /^0/)
  assert.match(await type('wallet halt eth'), /^1 This chain has no hot wallet, or it is halted already/)
  assert.match(await type('wallet status'), /halted: moving to a new key/)
  assert.match(
    await type('signer status'),
    /^0 The signer answers\.\n\n.*eth +hot +0x\w{40} +halted: moving to a new key/s,
  )
  assert.match(await type('status'), /Wallet of eth: halted: moving to a new key/)
  assert.equal(await metric('coffer_wallet_halted'), 1)
  await w.pay([[{ token: w.token, to: w.hot, amount: 505_000_000n }]])
  await w.pass()
  assert.deepEqual(await w.log(large.id), [])
  assert.match(await type('wallet resume eth the key was replaced'), /^0/)
  assert.match(await type('wallet resume eth the key was replaced'), /^1 The hot wallet of this chain is not halted/)
  await w.pass()
  assert.deepEqual(await w.log(large.id), ['sent'])
  assert.match(await type('sweep now eth'), /^0/)
  assert.match(await type('sweep now nowhere'), /^1/)
  assert.equal((await rowsOf(w.deps.owner, 'select chain_id from sweep_requests')).length, 1)
  assert.match(await type('sweep status'), /eth +USDT +0 +0 +0/)
})
