import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deps } from '../../deps.ts'
import { toPriceSymbol } from '../../kit/price-symbol.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { visitor as from } from '../../testing/merchants.ts'
import { claimed, linkWorld } from '../../testing/refund-links.ts'
import { claimRefund, quoteRefundClaim } from './claim-refund.ts'

/** Sets gas on Ethereum to a multiple of what it was. */
function raiser(deps: Deps) {
  const chain = deps.chains.get('eth') as unknown as { fees: () => Promise<Record<string, bigint>> }
  const { fees } = chain
  return (times: bigint) => {
    chain.fees = async () => Object.fromEntries(Object.entries(await fees()).map(([name, fee]) => [name, fee * times]))
  }
}

test('a claim is paid as quoted for two minutes, though gas rises meanwhile, and a quote is of one link and network', async t => {
  const w = await linkWorld(t)
  const { deps } = w
  const token = w.tokenOf(await w.make())
  const ask = (assetId = claimed.assetId) =>
    quoteRefundClaim(deps, { ...claimed, assetId, token, from, language: 'en' })
  const claim = (more: object) => claimRefund(deps, { ...claimed, token, receives: '0', from, ...more })
  const cheap = await ask()
  const raise = raiser(deps)
  raise(2n)
  const dear = await ask()
  assert.ok(Number(dear.gas) > Number(cheap.gas))
  const { receives } = cheap
  // Without its quote, with that of another network, or one that was changed.
  await w.grant(200n * 10n ** 18n, 'bsc:USDT')
  const { quote: priceOf } = deps.prices
  deps.prices = { ...deps.prices, quote: symbol => priceOf(symbol === 'BNB' ? toPriceSymbol('ETH') : symbol) }
  const { quote: elsewhere } = await ask('bsc:USDT')
  const forged = Buffer.from(JSON.stringify({ rate: {}, gas: '0', until: 1e10 })).toString('base64url')
  for (const quote of [undefined, elsewhere, 'x', `${forged}.${cheap.quote.split('.')[1]}`])
    await assert.rejects(claim({ receives, quote }), { reason: 'claim_changed' })
  deps.pass(121)
  await assert.rejects(claim({ receives, quote: cheap.quote }), { reason: 'claim_changed' }, 'two minutes')
  const again = await ask()
  raise(3n)
  await claim({ receives: again.receives, quote: again.quote })
  const [refund] = await w.refunds()
  assert.equal(Number(refund.receives) / 1e6, Number(again.receives))
  await assertBooksAgree(w.owner)
})

test('a quote of one link is none of another', async t => {
  const w = await linkWorld(t)
  const { deps } = w
  const first = w.tokenOf(await w.make())
  const { quote, receives } = await quoteRefundClaim(deps, { ...claimed, token: first, from, language: 'en' })
  const other = await linkWorld(t)
  other.deps.config = { ...other.deps.config, secret: deps.config.secret }
  const token = other.tokenOf(await other.make())
  raiser(other.deps)(2n)
  await assert.rejects(claimRefund(other.deps, { ...claimed, token, receives, quote, from }), {
    reason: 'claim_changed',
  })
})
