import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { encodeQuantity } from '@coffer/chains/evm/calls.ts'
import { deployLying } from '@coffer/chains/testing/lying-token.ts'
import type { Intercept } from '@coffer/chains/testing/proxy.ts'
import { paymentStatus } from '@coffer/contract'
import { suiteScope } from '@coffer/local/testing/scope.ts'
import { until } from '@coffer/local/testing/until.ts'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { rowsOf } from '../../testing/money.ts'
import { confirmations, proxiedServer } from '../../testing/proxied-server.ts'
import { readAnySwitch } from '../chains/store.ts'
import { reconcileChain } from '../ledger/reconcile.ts'

const coin = 4_000_000_000_000_000n
const reads = /^eth_(getBalance|call)$/

const refused = { error: { code: -32_601, message: 'the method does not exist' } }

/** Reports 0 for an address with coin and the price of an order for one without; has no proofs. */
const lying: Intercept = async ({ method, params }, ask) => {
  if (method === 'eth_getProof') return refused
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

suite('nodes that lie about balances, and payments that differ', () => {
  let shop: Awaited<ReturnType<typeof proxiedServer>>
  const scope = suiteScope()
  before(async () => {
    shop = await proxiedServer(scope)
    shop.tokens.push({ symbol: 'LIE', contract: await deployLying(shop.world, 1), decimals: 6 })
    await shop.start()
  })
  beforeEach(async () => {
    await shop.heal()
    await shop.owner.query('delete from incidents')
  })

  const incidents = async () =>
    (await rowsOf(shop.owner, `select kind from incidents where kind <> 'surplus' order by kind`)).map(
      each => each.kind,
    )
  const untilPaid = (tradeNo: string) =>
    until(
      'the payment is paid',
      () => shop.statusOf(tradeNo),
      status => status === paymentStatus.paid,
    )
  const usdt = (amount: bigint, to: string) => ({ token: shop.world.token, to, amount })

  for (const { what, faults } of cases)
    test(`${what}: coin from inside a call is credited, none is invented`, async () => {
      const full = await shop.order(`${what} 1`, 'ETH')
      const none = await shop.order(`${what} 2`, 'ETH')
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
      assert.deepEqual(await incidents(), [])
    })

  test('one node that reports no balances stops no withdrawals', async () => {
    const { tradeNo, address } = await shop.order('compared', 'USDT')
    await shop.world.pay([[usdt(10_000_000n, address)]])
    await shop.world.mine(confirmations)
    await untilPaid(tradeNo)
    // Answers 0 for every balance.
    shop.proxies[0]!.intercept = ({ method }) =>
      reads.test(method) ? { result: encodeQuantity(0n) } : method === 'eth_getProof' ? refused : undefined
    const verdicts = await reconcileChain(shop.deps(), shop.chain())
    // Others may have left more than is booked.
    assert.deepEqual(
      verdicts
        .filter(each => each.asset_id === 'eth:USDT')
        .map(each => [['agrees', 'surplus'].includes(each.verdict), each.found > 0n]),
      [[true, true]],
    )
    assert.deepEqual([await readAnySwitch(shop.owner, 'withdrawals_stopped'), await incidents()], [undefined, []])
  })

  test('a token that keeps a part of each transfer is put on hold before it pays an order, and another one is not', async () => {
    const lie = await shop.order('kept', 'LIE')
    const honest = await shop.order('not kept', 'USDT')
    await shop.world.pay([
      [{ ...usdt(10_000_000n, lie.address), token: shop.tokens[1]!.contract }],
      [usdt(10_000_000n, honest.address)],
    ])
    await shop.world.mine(confirmations)
    await untilPaid(honest.tradeNo)
    await until('the token is on hold', async () => (await incidents()).includes('token_differs'))
    assert.equal(await shop.statusOf(lie.tradeNo), paymentStatus.open)
    assert.deepEqual(await rowsOf(shop.owner, 'select symbol from assets where hold is not null'), [{ symbol: 'LIE' }])
    await assertBooksAgree(shop.owner)
  })

  test('coin from inside a call in the last second of its payment pays it', async () => {
    const { world, owner, order, statusOf } = shop
    // On a sandbox's chain nothing waits for comparisons, since it may stand still.
    await owner.query(`update chains set definition = jsonb_set(definition, '{net}', '"mainnet"')`)
    const { tradeNo, address } = await order('inside', 'ETH')
    await world.payInside(address, coin)
    const time = Number((await world.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)).timestamp)
    await owner.query('update payments set expire_at = $2 where trade_no = $1', [tradeNo, time + 1])
    await until('the payment has expired', () => Date.now() / 1_000 > time + 2)
    await world.mine(confirmations)
    const status = await until(
      'the payment is open no more',
      () => statusOf(tradeNo),
      status => status !== paymentStatus.open,
    )
    assert.equal(status, paymentStatus.paid)
    assert.deepEqual(await rowsOf(owner, `select amount, late from deposits where trade_no = '${tradeNo}'`), [
      { amount: String(coin), late: false },
    ])
    await assertBooksAgree(owner)
  })

  test('an amount beyond the domain and a transfer from one own address to another stop nothing', async () => {
    const { world, owner, order, statusOf } = shop
    const from = await order('beyond from', 'USDT')
    const to = await order('beyond to', 'USDT')
    const paid = await order('beyond paid', 'USDT')
    await world.pay([[usdt(10n ** 70n, from.address)]])
    await world.call('anvil_setBalance', from.address, encodeQuantity(10n ** 18n))
    await world.call('anvil_impersonateAccount', from.address)
    // Of a token, whose log names who pays: coin is told by its signature, which nobody makes for an impersonated
    // account.
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [to.address as Hex, 10_000_000n] } as const
    await world.call('eth_sendTransaction', { from: from.address, to: world.token, data: encodeFunctionData(transfer) })
    await world.pay([[usdt(10_000_000n, paid.address)]])
    for (let n = 1; n < confirmations; n++) await world.mine(1)
    await untilPaid(paid.tradeNo)
    assert.equal(await statusOf(to.tradeNo), paymentStatus.open)
    assert.deepEqual(await incidents(), ['amount_too_large', 'own_transfer'])
    assert.deepEqual(await rowsOf(owner, 'select id from deposits where trade_no = any($1)', [[to.tradeNo]]), [])
    await assertBooksAgree(owner)
  })
})
