import assert from 'node:assert/strict'
import { afterEach, before, suite, test } from 'node:test'
import type { Intercept } from '@coffer/chains/testing/proxy.ts'
import { paymentStatus } from '@coffer/contract'
import { suiteScope } from '@coffer/local/testing/scope.ts'
import { until } from '@coffer/local/testing/until.ts'
import { rowsOf } from '../../testing/money.ts'
import { confirmations, proxiedServer } from '../../testing/proxied-server.ts'

const coin = 4_000_000_000_000_000n
const reads = /^eth_(getBalance|call)$/

/** Reports 0 for an address with coin and the price of an order for one without; has no proofs. */
const lying: Intercept = async ({ method, params }, ask) => {
  if (method === 'eth_getProof') return { error: { code: -32_601, message: 'the method does not exist' } }
  if (method !== 'eth_getBalance') return undefined
  return { result: BigInt(String(await ask(method, params[0], 'latest'))) > 0n ? '0x0' : `0x${coin.toString(16)}` }
}

/** Refuses state that is older than the head. */
const pruned: Intercept = async ({ method, params }, ask) => {
  if (!reads.test(method) && method !== 'eth_getProof') return undefined
  const { hash } = (await ask('eth_getBlockByNumber', 'latest', false)) as { hash: string }
  const at = params.at(-1) as { blockHash?: string } | string
  const isPast = typeof at === 'object' && at.blockHash !== hash
  return isPast ? { error: { code: -32_000, message: 'missing trie node' } } : undefined
}

const cases: { what: string; faults: readonly [Intercept, Intercept, Intercept] }[] = [
  { what: 'two of three nodes lie', faults: [lying, lying, () => undefined] },
  { what: 'one of three nodes lies, the others keep no past state', faults: [lying, pruned, pruned] },
]

suite('nodes that lie about balances', () => {
  let shop: Awaited<ReturnType<typeof proxiedServer>>
  const scope = suiteScope()
  before(async () => {
    shop = await proxiedServer(scope)
    await shop.start()
  })
  afterEach(() => {
    for (const proxy of shop.proxies) proxy.reset()
  })

  for (const { what, faults } of cases)
    test(`${what}: coin from inside a call is credited, none is invented`, async () => {
      const [full, none] = [await shop.order(`${what} 1`, 'ETH'), await shop.order(`${what} 2`, 'ETH')]
      for (const [i, proxy] of shop.proxies.entries()) proxy.intercept = faults[i]!
      await shop.world.payInside(full.address, coin)
      await shop.world.mine(confirmations)
      await until('the coin is credited', async () => {
        if ((await shop.statusOf(full.tradeNo)) === paymentStatus.paid) return true
        await shop.world.mine(1)
        return false
      })
      const found = await rowsOf(
        shop.owner,
        'select to_address, amount, state from deposits where to_address = any($1)',
        [[full.address, none.address]],
      )
      assert.deepEqual(found, [{ to_address: full.address, amount: String(coin), state: 'credited' }])
      assert.equal(await shop.statusOf(none.tradeNo), paymentStatus.open)
      assert.deepEqual(await rowsOf(shop.owner, 'select kind from incidents'), [])
    })
})
