import { withdrawalStatus } from '@coffer/contract/codes.ts'
import {
  asMerchantRole,
  type MerchantRole,
  refundingRoles,
  refundsWithinLimit,
} from '@coffer/contract/kit/merchant-roles.ts'
import { powerOfTen, usdtDecimals, valueDecimals } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { createRoleRefusal } from '../../http/auth.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { first, type Queryable } from '../../kit/db.ts'
import { isPresentSql, type MemberOfShop } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'

/** For how long (s) a refund counts for the limit of the person who made it. */
const countedSeconds = 86_400

const member = `select e.role, e.refund_limit from members e
  where e.merchant_id = $1 and e.person_id = $2 and ${isPresentSql}`
const readMemberLimit = first('refund-limit-read', member)
const lockMemberLimit = first('refund-limit-lock', `${member} for no key update`)

/**
 * What a person has refunded since $3, in 10^-18 USDT, with the gas that the balance pays: refunds, and links as of
 * when they were made. What was canceled, or expired unclaimed, was not given back. A refund that a payer claims is
 * nobody's, since its link counts; on a network with dearer gas it counts for what it has cost.
 */
const usedSince = first(
  'refund-limit-used',
  `select coalesce(sum(usdt_value), 0) as value from (
     select usdt_value from refunds
     where merchant_id = $1 and requested_by = $2 and requested_by <> '' and created_at > $3
       and status <> ${withdrawalStatus.canceled}
     union all
     select greatest(l.usdt_value, r.usdt_value) from refund_links l
       left join refunds r on r.merchant_id = l.merchant_id and r.id = l.refund_id
     where l.merchant_id = $1 and l.made_by = $2 and l.made_by <> '' and l.created_at > $3
       and l.state in ('open', 'claimed') and r.status is distinct from ${withdrawalStatus.canceled}
   ) made`,
)

/** What a person may refund within 24 hours, and what is left of it; in 10^-18 USDT. */
export interface RefundAllowance {
  limit: bigint
  left: bigint
}

const inValue = powerOfTen(valueDecimals - usdtDecimals)

/** Reads what is left of a person's limit; null for a role without one. Who has no limit yet may refund nothing. */
export const readRefundAllowance = async (
  deps: Deps,
  c: Queryable,
  by: MemberOfShop,
): Promise<RefundAllowance | null> => allowanceOf(deps, c, by, await readMemberLimit(c, by.merchantId, by.personId))

/**
 * The same in a transaction that refunds: it locks the member, so that the role and the limit hold until its end and
 * the person's refunds wait for each other. Throws Refusal('forbidden') for a role that may not refund any more.
 */
export const lockRefundAllowance = async (
  deps: Deps,
  c: Queryable,
  by: MemberOfShop,
): Promise<RefundAllowance | null> => allowanceOf(deps, c, by, await lockMemberLimit(c, by.merchantId, by.personId))

async function allowanceOf(
  { clock }: Deps,
  c: Queryable,
  { merchantId, personId }: MemberOfShop,
  row: { role: string; refund_limit: bigint | null } | undefined,
): Promise<RefundAllowance | null> {
  const role = row && asMerchantRole(row.role)
  if (!row || !role) throw new Refusal('login_expired')
  if (!(refundingRoles as readonly MerchantRole[]).includes(role)) throw createRoleRefusal(role)
  if (!refundsWithinLimit(role)) return null
  const limit = (row.refund_limit ?? 0n) * inValue
  const { value } = (await usedSince(c, merchantId, personId, clock() - countedSeconds))!
  return { limit, left: limit > value! ? limit - value! : 0n }
}

/** Returns the refusal of a refund of a value (10^-18 USDT) that is more than is left; null for one within it. */
export function findLimitRefusal(allowance: RefundAllowance | null, value: bigint): Refusal | null {
  if (allowance === null || value <= allowance.left) return null
  const [left, limit] = [allowance.left, allowance.limit].map(usdtValueText)
  const detail = { en: `${left} of ${limit} USDT left`, 'zh-CN': `剩余 ${left} / ${limit} USDT` }
  return new Refusal('refund_limit_reached', { field: 'amount', detail })
}
