import { formatDecimal, type RouteData } from '@coffer/contract'
import { computeValueInUsdt } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { chainLogo, tokenLogo } from '../../http/logos.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { toPriceSymbol } from '../../kit/price-symbol.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { readClosedChainRefusal } from '../chains/chain-closed.ts'
import { readChain, readPayoutStop } from '../chains/store.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { createSendingFor } from '../outgoing/kinds.ts'
import { isPayable } from '../outgoing/sender.ts'
import { walletOfRole } from '../outgoing/store.ts'
import { readPrices } from './choose.ts'
import { getSweepStrategy } from './kinds.ts'
import { insertMerchantRequest, readCollectable, readRequestedChains } from './store.ts'

type Collectable = RouteData<'GET /api/v1/account/sweep'>['list'][number]

/** What a sweep would collect for a merchant now, by chain, with the gas that it is expected to take. */
export async function readCollectables(deps: Deps, merchantId: string): Promise<Collectable[]> {
  const requested = new Set((await readRequestedChains(deps.pool, merchantId)).map(each => each.chain_id))
  const list: Collectable[] = []
  for (const chainId of deps.chains.keys()) {
    const found = await readCollectableOn(deps, merchantId, chainId)
    if (found) list.push({ ...found, requested: requested.has(chainId) })
  }
  return list
}

const none = { gas: 0n, beyond: 0n }

/** Null for a chain from which nothing is sent. */
async function readCollectableOn(
  deps: Deps,
  merchantId: string,
  chainId: string,
): Promise<Omit<Collectable, 'requested'> | null> {
  const chain = deps.chains.get(chainId)
  const row = await readChain(deps.pool, chainId)
  if (!chain || !isPayable(chain) || !row?.enabled) return null
  const { definition } = chain
  const { native } = definition
  const [terms, hot, stopped] = await Promise.all([
    createSendingFor(chain)
      .terms()
      .catch(() => null),
    walletOfRole(deps.pool, chainId, 'hot'),
    readPayoutStop(deps.pool, chainId, ''),
  ])
  const rows = await readCollectable(deps.pool, merchantId, chainId, row.kind, deps.clock())
  const to = (await deps.signer.treasury(chainId).catch(() => null))?.address ?? hot?.address
  const sweeping = getSweepStrategy(chain)
  const canBatch = to && rows.length > 0 && (await sweeping.canBatch?.(chain, to).catch(() => false))
  const single = await sweeping.costOf(chain, true, false).catch(() => none)
  const many = canBatch ? await sweeping.costOf(chain, true, true).catch(() => none) : single
  const tokens = new Map<string, { symbol: string; decimals: number; amount: bigint; addresses: number }>()
  const priced = new Map<string, string[] | null>()
  let gas = 0n
  let small = 0
  let value = 0n
  for (const { asset_id, symbol, price_of, decimals, contract, leased_for, ...each } of rows) {
    const amount = each.amount
    const used = contract !== null && leased_for === 'token' ? many : single
    if (!priced.has(price_of)) priced.set(price_of, await readPrices(deps, [toPriceSymbol(native.symbol), price_of]))
    const prices = priced.get(price_of)
    const worth = prices && computeValueInUsdt(amount, decimals, prices[1]!)
    const cost = prices && computeValueInUsdt((terms?.most(used.gas) ?? 0n) + used.beyond, native.decimals, prices[0]!)
    if (amount <= 1n || (prices && worth! <= cost!)) {
      small++
      continue
    }
    const token = tokens.get(asset_id) ?? { symbol, decimals, amount: 0n, addresses: 0 }
    tokens.set(asset_id, { ...token, amount: token.amount + amount, addresses: token.addresses + 1 })
    gas += (terms?.usual(used.gas) ?? 0n) + used.beyond
    value += worth ?? 0n
  }
  const rate = gas > 0n ? await readPrices(deps, [toPriceSymbol(native.symbol)]) : null
  return {
    network_id: chainId,
    chain: definition.name,
    net_work: definition.network,
    logo: chainLogo(chainId),
    open: terms !== null && !stopped && row.halted === null && hot !== undefined && hot.halted === null,
    tokens: [...tokens.values()].map(each => ({
      token: each.symbol,
      logo: tokenLogo(each.symbol),
      amount: formatDecimal(each.amount, each.decimals),
      addresses: each.addresses,
    })),
    usdt_value: usdtValueText(value),
    small,
    gas: formatDecimal(gas, native.decimals),
    gas_token: native.symbol,
    gas_usdt: rate ? usdtValueText(computeValueInUsdt(gas, native.decimals, rate[0]!)) : '',
  }
}

/** Requests that a merchant's deposits on a chain be collected now. Has no effect while a request is pending. */
export async function requestCollection(
  deps: Deps,
  { merchantId, chainId, from }: { merchantId: string; chainId: string; from: Visitor },
): Promise<void> {
  const found = await readCollectableOn(deps, merchantId, chainId)
  if (!found) throw new Refusal('currency_not_exist', { field: 'network_id' })
  if (!found.open) throw await readClosedChainRefusal(deps, chainId, 'network_id')
  await tx(deps.pool, async (c, uow) => {
    await lockActiveMerchant(c, merchantId, { approved: true })
    if ((await readRequestedChains(c, merchantId)).some(each => each.chain_id === chainId)) return
    if (found.tokens.length === 0) throw new Refusal('nothing_to_collect', { field: 'network_id' })
    await insertMerchantRequest(c, newId(), chainId, merchantId, deps.clock())
    recordEvent(deps, uow, { merchantId, type: 'sweep_requested', from, params: { network_id: chainId } })
  })
}
