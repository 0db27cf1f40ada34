import { askedDecimals } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { newAddress } from '../addresses/new-address.ts'
import {
  coolDownSeconds,
  fixedAddress,
  lease,
  leasedAddress,
  lockMerchantsAddresses,
  reserveAmount,
  reservedAmounts,
  takeFreeAddress,
} from '../addresses/store.ts'
import type { Asset } from '../chains/assets.ts'
import type { StoredPayment } from './store.ts'

/** Where a payment is paid, and exactly how much. */
export interface Place {
  address: string
  asked: bigint
}

/** An address of the payment's own: the one it has on chains of this kind, a free one of the merchant, or a new one. */
export async function placeAtLeased(
  deps: Deps,
  c: Queryable,
  row: StoredPayment,
  { kind }: Asset,
  asked: bigint,
  now: number,
): Promise<Place> {
  const { merchant_id: merchantId, trade_no: tradeNo } = row
  const had = await leasedAddress(c, merchantId, tradeNo, kind)
  if (had) return { address: had, asked }
  const address =
    (await takeFreeAddress(c, merchantId, kind, now)) ??
    (await newAddress(deps, c, { merchantId, kind, purpose: 'lease', now }))
  await lease(c, { kind, address, merchantId, tradeNo, since: now, freeAt: row.expire_at + coolDownSeconds })
  return { address, asked }
}

/** How many payments of about one amount can be open at a fixed address. */
const amountsMax = 1_000

/** The merchant's fixed address, with an amount that no other payment to it has: a little more where it is taken. */
export async function placeAtFixed(
  deps: Deps,
  c: Queryable,
  row: StoredPayment,
  { id, kind, decimals }: Asset,
  asked: bigint,
  now: number,
): Promise<Place> {
  const { merchant_id: merchantId, trade_no } = row
  // Two payments at once would see the same amounts free, or each make a fixed address.
  await lockMerchantsAddresses(c, merchantId)
  const address =
    (await fixedAddress(c, merchantId, kind)) ??
    (await newAddress(deps, c, { merchantId, kind, purpose: 'fixed', now }))
  const at = { chain_kind: kind, address, asset_id: id }
  const step = 10n ** BigInt(Math.max(0, decimals - askedDecimals))
  const reserved = await reservedAmounts(c, at, { from: asked, to: asked + step * BigInt(amountsMax - 1), now })
  // Whoever chose something else in between may pay what was shown before.
  const shown = [...reserved].find(([, tradeNo]) => tradeNo === trade_no)
  if (shown) return { address, asked: shown[0] }
  let amount = asked
  // guard: distinct-amounts
  while (reserved.has(amount)) amount += step
  if (amount >= asked + step * BigInt(amountsMax)) throw new Refusal('no_address_available')
  const until = row.expire_at + coolDownSeconds
  await reserveAmount(c, { ...at, amount, since: now, until, merchant_id: merchantId, trade_no })
  return { address, asked: amount }
}
