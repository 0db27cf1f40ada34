import type { ChainDefinition } from '@coffer/chains'
import { powerOfTen, requestedDecimals } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { ScopeRecheck } from '../../http/context.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { describeAllowedValues } from '../../kit/describe-allowed-values.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type Asset, listEnabledAssets } from '../chains/assets.ts'
import { toClosedChainRefusal } from '../chains/chain-closed.ts'
import { readChain } from '../chains/store.ts'
import { lockActiveMerchant, requireActiveMerchant } from '../merchants/active-merchant.ts'
import { lockMerchant } from '../merchants/store.ts'
import { reserveKeyIndex, returnUnusedKeyIndex } from './index-range.ts'
import {
  addressCoolDownSeconds,
  insertAddress,
  insertFixedAddress,
  insertLease,
  insertReservedAmount,
  labelAddress,
  latePaymentSeconds,
  listReferenceAddresses,
  lockMerchantAddresses,
  readFixedAddress,
  readFixedDepositAddress,
  readLeasedAddress,
  reservedAmounts,
  takeFreeAddress,
  takeNextKeyIndex,
} from './store.ts'

type Kind = ChainDefinition['kind']
export type FixedAddress = NonNullable<Awaited<ReturnType<typeof readFixedAddress>>>

/** What is expected at a leased address. */
type LeasedFor = 'native' | 'token'

/** The payment that an address is assigned to. */
export interface AddressAssignee {
  merchant_id: string
  trade_no: string
  expire_at: number
}

/** An address of the key tree and its index. */
interface Derived {
  address: string
  key_index: number
}

/** Derives the next address of the key tree. */
async function newAddress(
  deps: Deps,
  c: Queryable,
  merchantId: string,
  kind: Kind,
  leasedFor: LeasedFor | null,
  now: number,
): Promise<Derived> {
  const index = await takeNextKeyIndex(c, kind)
  deps.addressMark.raise(kind, index + 1)
  const address = deps.addressAt(kind, index)
  await insertAddress(c, kind, address, index, merchantId, leasedFor ? 'lease' : 'fixed', leasedFor, now)
  return { address, key_index: index }
}

/** Returns the fixed address of a merchant for a chain kind, derived at the first call. */
async function fixedAddressOf(deps: Deps, c: Queryable, merchantId: string, kind: Kind, now: number): Promise<Derived> {
  // Concurrent first calls would derive one address each.
  await lockMerchantAddresses(c, merchantId)
  return (await readFixedDepositAddress(c, merchantId, kind)) ?? newAddress(deps, c, merchantId, kind, null, now)
}

/**
 * Leases an address to a payment: the one it has for this chain kind, a free one of the merchant, or a new one. Native
 * coin and tokens have separate addresses, because coin may arrive unnoticed at an address where only tokens are
 * expected.
 */
export async function leaseAddress(
  deps: Deps,
  c: Queryable,
  { merchant_id, trade_no, expire_at }: AddressAssignee,
  { kind, contract }: Asset,
  requested: bigint,
  now: number,
): Promise<Derived & { requested: bigint }> {
  const leasedFor = contract === null ? 'native' : 'token'
  const leased = await readLeasedAddress(c, merchant_id, trade_no, kind, leasedFor)
  if (leased) return { ...leased, requested }
  const free = await takeFreeAddress(c, merchant_id, kind, now, leasedFor)
  const taken = free ?? (await newAddress(deps, c, merchant_id, kind, leasedFor, now))
  await insertLease(c, kind, taken.address, merchant_id, trade_no, now, expire_at + addressCoolDownSeconds)
  return { ...taken, requested }
}

/** Maximum number of open payments of about the same amount at a fixed address. */
const amountsMax = 1_000n

/**
 * Reserves an amount at the merchant's fixed address: the requested amount, or slightly more where that is reserved
 * already.
 */
export async function reserveAmount(
  deps: Deps,
  c: Queryable,
  { merchant_id, trade_no, expire_at }: AddressAssignee,
  { id, kind, decimals }: Asset,
  requested: bigint,
  now: number,
): Promise<Derived & { requested: bigint }> {
  const fixed = await fixedAddressOf(deps, c, merchant_id, kind, now)
  const { address } = fixed
  const step = powerOfTen(Math.max(0, decimals - requestedDecimals))
  const rows = await reservedAmounts(c, kind, address, id, requested, requested + step * (amountsMax - 1n), now)
  const reserved = new Map(rows.map(row => [row.amount, row.trade_no]))
  // A payer who chose another asset in between may still pay the amount shown before.
  const shown = [...reserved].find(([, tradeNo]) => tradeNo === trade_no)
  if (shown) return { ...fixed, requested: shown[0] }
  let amount = requested
  // guard: distinct-amounts
  while (reserved.has(amount)) amount += step
  if (amount >= requested + step * amountsMax) throw new Refusal('no_address_available')
  await insertReservedAmount(c, kind, address, id, amount, now, expire_at + latePaymentSeconds, merchant_id, trade_no)
  return { ...fixed, requested: amount }
}

/**
 * Returns an enabled chain that is being followed. Throws Refusal: currency_not_exist, chain_unavailable, chain_halted.
 */
async function receivingChain(c: Queryable, chainId: string, field: string) {
  const chain = await readChain(c, chainId)
  if (!chain?.enabled) {
    const enabled = (await listEnabledAssets(c)).map(each => each.chain_id)
    throw new Refusal('currency_not_exist', { field, detail: describeAllowedValues(field, enabled) })
  }
  const closed = toClosedChainRefusal({ halted: chain.halted, started: chain.last_number !== null }, field)
  if (closed) throw closed
  return chain
}

/**
 * Returns the merchant's own fixed address on a chain, assigned at the first call and shared by chains of a kind.
 * Deposits there are credited without a payment, as recharges.
 */
export async function assignFixedAddress(
  deps: Deps,
  merchantId: string,
  chainId: string,
  label = '',
): Promise<FixedAddress> {
  return tx(deps.pool, async c => {
    const chain = await receivingChain(c, chainId, 'currency_id')
    requireActiveMerchant(await lockMerchant(c, merchantId), { approved: true })
    const now = deps.clock()
    const { address } = await fixedAddressOf(deps, c, merchantId, chain.kind, now)
    const isNew = await insertFixedAddress(c, merchantId, '', '', chainId, newId(), address, now)
    const made = (await listReferenceAddresses(c, merchantId, '', '')).find(each => each.chain_id === chainId)!
    if (isNew && label !== '') await labelAddress(c, merchantId, made.id, label)
    return (await readFixedAddress(c, merchantId, '', made.id))!
  })
}

/**
 * Returns the address of an application for a reference of the merchant's, such as a customer, on a chain: derived at
 * the first call, and shared by chains of a kind. It is for tokens: a sweep may delegate it, after which some transfers
 * of native coin fail.
 */
export async function createApplicationAddress(
  deps: Deps,
  {
    merchantId,
    appid,
    reference,
    chainId,
    recheck,
  }: { merchantId: string; appid: string; reference: string; chainId: string; recheck?: ScopeRecheck },
): Promise<FixedAddress> {
  const { kind } = await receivingChain(deps.pool, chainId, 'chain')
  const ofReference = () => listReferenceAddresses(deps.pool, merchantId, reference, appid)
  const known = await ofReference()
  if (!known.some(each => each.chain_id === chainId)) {
    const shared = known.find(each => each.kind === kind)
    const taken = shared ? undefined : await reserveKeyIndex(deps, kind)
    const address = taken ? deps.addressAt(kind, taken.index) : shared!.address
    const isMade = await tx(deps.pool, async c => {
      await lockActiveMerchant(c, merchantId, { approved: true })
      await recheck?.(c)
      const now = deps.clock()
      if ((await insertFixedAddress(c, merchantId, appid, reference, chainId, newId(), address, now)) === 0)
        return false
      if (taken) await insertAddress(c, kind, address, taken.index, merchantId, 'customer', 'token', now)
      return true
    })
    if (taken && !isMade) returnUnusedKeyIndex(deps, kind, taken)
  }
  const made = (await ofReference()).find(each => each.chain_id === chainId)!
  return (await readFixedAddress(deps.pool, merchantId, appid, made.id))!
}
