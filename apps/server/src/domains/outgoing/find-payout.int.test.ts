import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../kit/refusal.ts'
import { rowsOf } from '../../testing/money.ts'
import { type PayoutWorld, payoutWorld, settle, tronPayoutWorld } from '../../testing/payout-world.ts'
import { findPayout, parseTransactionId } from './find-payout.ts'

type World = Pick<
  PayoutWorld,
  'ask' | 'pass' | 'mine' | 'confirm' | 'deps' | 'definition' | 'hot' | 'token' | 'receiver'
>

for (const [kind, make, given] of [
  ['EVM', payoutWorld, {}],
  ['EVM without roots', payoutWorld, { roots: false, nodes: 3 }],
  ['TRON', tronPayoutWorld, { nodes: 3 }],
] as const)
  test(`a payout of tokens or coin is recognised by its transaction, and no other is (${kind})`, async t => {
    const w: World = await make(t, given)
    const requested = [await w.ask(), await w.ask({ token: null, amount: 1_000n })]
    await settle(w)
    await settle(w)
    const sent = await rowsOf(w.deps.owner, 'select intent, txid from outgoing order by nonce')
    for (const { token, to, amount } of requested) {
      const { txid } = sent.find(each => each.intent.to === to)!
      const { symbol, decimals } = token === null ? w.definition.native : { symbol: 'USDT', decimals: 6 }
      const payout = { chainId: w.definition.id, token, symbol, decimals, to, amount, since: 0 }
      const found = await findPayout(w.deps, parseTransactionId(txid), payout)
      assert.deepEqual([found.from, found.receipt.txid, found.places], [w.hot, txid, [token === null ? -1 : 0]])
      const others = [{ amount: amount + 1n }, { to: w.receiver(99) }, { token: token === null ? w.token : null }]
      for (const other of others)
        await assert.rejects(
          findPayout(w.deps, txid, { ...payout, ...other }),
          error => error instanceof Refusal && /must have sent exactly/.test(error.detail?.en ?? ''),
          JSON.stringify(Object.keys(other)),
        )
    }
  })
