import { timingSafeEqual } from 'node:crypto'
import { convertGasToToken, parseBaseUnits } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { toPriceSymbol } from '../../kit/price-symbol.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashCode } from '../../kit/secrets.ts'
import type { Asset } from '../chains/assets.ts'
import { readClosedChainRefusal } from '../chains/chain-closed.ts'
import { createSendingFor } from '../outgoing/kinds.ts'
import { isPayable } from '../outgoing/sender.ts'
import { createPriceRefusal } from '../prices/create-price-refusal.ts'
import { type LockedRate, quoteInUsdt } from '../prices/locked-rates.ts'

/** Seconds for which a quote is honoured. */
const quoteSeconds = 120

/** Rate and gas of a withdrawal. `gas` is in base units of the token. */
export interface PayoutQuote {
  rate: LockedRate
  gas: bigint
}

/** A quote with the price of a currency, if it has one. */
export type PricedPayoutQuote = PayoutQuote & { fiatPrice?: string | null }

/**
 * Quotes the rate of a token, and the network fee of one payout in it at the current rates.
 * @throws Refusal('price_unavailable'), Refusal('chain_unavailable') or Refusal('chain_halted')
 */
export async function quotePayout(
  deps: Deps,
  { chain_id, price_of: symbol, contract, decimals, definition }: Asset,
): Promise<PayoutQuote> {
  const { native } = definition
  const [rates, cost] = await Promise.all([
    quoteInUsdt(deps, [symbol, toPriceSymbol(native.symbol)]),
    networkFee(deps, chain_id, contract !== null),
  ])
  const rate = rates[symbol]
  const nativeRate = rates[toPriceSymbol(native.symbol)]
  if (!rate || !nativeRate) throw await createPriceRefusal(deps, rate ? native.symbol : symbol, 'token_id')
  const gas = convertGasToToken(cost, { ...native, price: nativeRate.price }, { decimals, price: rate.price })
  return { rate, gas }
}

/** Returns what a transfer costs now in the native coin. */
async function networkFee(deps: Deps, chainId: string, isToken: boolean): Promise<bigint> {
  const chain = deps.chains.get(chainId)
  const fee = chain && isPayable(chain) ? createSendingFor(chain).usualFee(isToken) : Promise.resolve(undefined)
  const known = await fee.catch(error => {
    deps.log.warn({ err: error, chain: chainId }, 'network fees not read')
    return undefined
  })
  if (known === undefined) throw await readClosedChainRefusal(deps, chainId, 'token_id')
  return known
}

const signature = (deps: Deps, merchantId: string, assetId: string, body: string) =>
  hashCode(deps.config.secret, ['withdrawal quote', merchantId, assetId, body])

/** Signs a quote for a merchant and an asset, so that a request can bring it back. */
export function signQuote(
  deps: Deps,
  merchantId: string,
  assetId: string,
  { rate, gas, fiatPrice }: PricedPayoutQuote,
) {
  const until = deps.clock() + quoteSeconds
  const body = Buffer.from(JSON.stringify({ rate, gas: String(gas), until, fiatPrice })).toString('base64url')
  return { quote: `${body}.${signature(deps, merchantId, assetId, body).toString('base64url')}`, until }
}

/** Reads a signed quote. Throws Refusal('quote_expired') unless it is valid, for this merchant and asset. */
export function verifyPayoutQuote(deps: Deps, merchantId: string, assetId: string, signed: string): PricedPayoutQuote {
  const [body = '', given = ''] = signed.split('.')
  const expected = signature(deps, merchantId, assetId, body)
  const hash = Buffer.from(given, 'base64url')
  if (hash.length !== expected.length || !timingSafeEqual(hash, expected))
    throw new Refusal('quote_expired', { field: 'quote' })
  const { rate, gas, until, fiatPrice } = JSON.parse(Buffer.from(body, 'base64url').toString())
  if (until < deps.clock()) throw new Refusal('quote_expired', { field: 'quote' })
  return { rate, gas: parseBaseUnits(gas), fiatPrice }
}
