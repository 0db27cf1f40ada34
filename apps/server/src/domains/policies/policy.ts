import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { ownerRoles } from '@coffer/contract/kit/merchant-roles.ts'
import { manualReviewRiskLevels } from '@coffer/contract/merchants/risk-levels.ts'
import type { StoredPolicyRule } from '@coffer/contract/policies/routes.ts'
import {
  type Approver,
  defaultAllowanceFactor,
  evaluateRules,
  makePlatformRules,
  type PolicyDecision,
  type PolicyRule,
  uncheckedSeconds,
  valueDecimals,
} from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { formatTimeInZone } from '../../kit/days.ts'
import { first, type Queryable } from '../../kit/db.ts'
import type { MemberOfShop } from '../../kit/member.ts'
import { hasSecondFactor } from '../identity/proofs/check-proof.ts'
import { accountById, accountsOfRoles, type Merchant, merchantById } from '../merchants/store.ts'
import { getMerchantTerms } from '../merchants/terms.ts'

const { auditing, audit_rejected, canceled } = withdrawalStatus

/** The operator, as the approver of a withdrawal. */
export const operatorApprover = 'operator'

export const parseUsdtUnits = (text: string | number) => parseDecimal(String(text), valueDecimals)!

/** Converts a rule from its stored form, with amounts in USDT as decimal strings. */
export function toRule(rule: StoredPolicyRule): PolicyRule {
  switch (rule.kind) {
    case 'single':
    case 'window':
      return { ...rule, limit: parseUsdtUnits(rule.limit) }
    case 'approval':
      return { kind: 'approval', approver: toApprover(rule), ...uncheckedLimits(rule) }
    case 'fresh_factor':
      return { kind: 'fresh_factor', within: rule.within, ...uncheckedLimits(rule) }
    case 'destination':
      return { kind: 'destination', coolDown: rule.cool_down }
    case 'hours':
      return rule
  }
}

function toApprover({ approver, role, person }: Extract<StoredPolicyRule, { kind: 'approval' }>): Approver {
  if (role !== undefined) return `role:${role}`
  // The contract knows an email by its @.
  return person === undefined ? ((approver ?? '') as Approver) : `person:${person}`
}

function uncheckedLimits({ above, above_in_all }: { above: string | number; above_in_all?: string | undefined }) {
  const units = parseUsdtUnits(above)
  return {
    above: units,
    aboveInAll: above_in_all === undefined ? units * defaultAllowanceFactor : parseUsdtUnits(above_in_all),
  }
}

/** What operators decided about a single merchant. */
type Assessed = Pick<Merchant, 'withdraw_single_max' | 'withdraw_day_max' | 'withdraw_approval_above' | 'risk_level'>

/**
 * Rules of the installation, which apply beside the merchant's own; operators set other limits for single merchants.
 */
const installationRules = (deps: Pick<Deps, 'config'>, own: Assessed | undefined): PolicyRule[] =>
  makePlatformRules(getMerchantTerms(deps, own), { isRisky: manualReviewRiskLevels.includes(own?.risk_level ?? '') })

/** Reads the policy of a merchant in force at a time. */
export const activePolicy = first(
  'withdrawal-policy-active',
  `select rules, active_from from withdrawal_policies
   where merchant_id = $1 and not withdrawn and active_from <= $2 order by active_from desc, id desc limit 1`,
)

/**
 * Returns whom the approval rules that a withdrawal does not pass name: '' for the operator, also where they name
 * several, as all of them must be satisfied; null for nobody.
 */
export function findApproverByRules(refusing: readonly PolicyRule[]): Approver | null {
  const [approver = null, ...others] = new Set(
    refusing.flatMap(rule => (rule.kind === 'approval' ? [rule.approver] : [])),
  )
  return others.length > 0 ? '' : approver
}

/** What is approved: how much (`value` in 10^-18 USDT), to whom, and when it was requested. */
interface Approvable {
  to_address: string
  usdt_value: bigint
  created_at: number
}

/**
 * Returns a function that finds whom the policy asks to approve a withdrawal of a merchant, like `findApproverByRules`.
 * The rules are those in force now. They count what left within a day of the request, before or after it: what waited
 * together is counted whatever is approved first.
 */
export async function readAskedApprover(
  deps: Pick<Deps, 'config' | 'clock'>,
  c: Queryable,
  merchant: Assessed & Pick<Merchant, 'id'>,
): Promise<(row: Approvable) => Promise<Approver | null>> {
  const own = (await activePolicy(c, merchant.id, deps.clock()))?.rules ?? []
  const rules = [...installationRules(deps, merchant), ...own.map(toRule)].filter(rule => rule.kind === 'approval')
  return async ({ to_address, usdt_value: value, created_at: now }) => {
    const payout = { merchantId: merchant.id, assetId: '', chainId: '', to: null, receiver: to_address, value }
    const facts = { ...payout, timeZone: 'UTC', passkeyAt: null, until: now + uncheckedSeconds }
    const { reports } = await evaluate({ clock: () => now }, c, rules, facts)
    return findApproverByRules(reports.flatMap(({ rule, allowed }) => (allowed ? [] : [rule])))
  }
}

/**
 * Returns for how long (s) a new way out of an account waits that a member chooses: an address, a receiver of
 * transfers, a refund link. As long as a changed factor holds withdrawals for members without a second factor, of whom
 * a mailbox is enough to be one; 0 for others. Who has left is one without.
 */
export async function readMailboxCoolDown(
  deps: Pick<Deps, 'config'>,
  c: Queryable,
  merchant: Merchant,
  personId: string,
): Promise<number> {
  const seconds = deps.config.withdrawHoldHours * 3_600
  if (seconds === 0) return 0
  const member = personId === merchant.person_id ? merchant : await accountById(c, merchant.id, personId)
  return member && (await hasSecondFactor(deps, c, member)) ? 0 : seconds
}

/** The same for a key that pays out, which any owner could have made. */
export async function readKeyCoolDown(deps: Pick<Deps, 'config'>, c: Queryable, merchant: Merchant): Promise<number> {
  if (deps.config.withdrawHoldHours === 0) return 0
  let longest = 0
  for (const owner of await accountsOfRoles(c, merchant.id, [...ownerRoles]))
    longest = Math.max(longest, await readMailboxCoolDown(deps, c, owner, owner.person_id))
  return longest
}

/**
 * The rule for members without a second factor: only addresses that have been in the address book for as long as new
 * ways out wait.
 */
async function mailboxRules(
  deps: Pick<Deps, 'config'>,
  c: Queryable,
  merchant: Merchant,
  personId: string,
): Promise<PolicyRule[]> {
  const coolDown = await readMailboxCoolDown(deps, c, merchant, personId)
  return coolDown === 0 ? [] : [{ kind: 'destination', coolDown, ofPlatform: true }]
}

/** Returns for how long (s) a member cannot pay a new address of the book from a page. */
export async function readAddressCoolDown(
  deps: Pick<Deps, 'pool' | 'config' | 'clock'>,
  { merchantId, personId }: MemberOfShop,
): Promise<number> {
  const merchant = await merchantById(deps.pool, merchantId)
  const own = (await activePolicy(deps.pool, merchantId, deps.clock()))?.rules ?? []
  const rules = [...own.map(toRule), ...(merchant ? await mailboxRules(deps, deps.pool, merchant, personId) : [])]
  return Math.max(0, ...rules.map(rule => (rule.kind === 'destination' ? rule.coolDown : 0)))
}

const knownSince = first(
  'withdrawal-destination-known',
  'select created_at from address_book where merchant_id = $1 and chain_id = $2 and address = $3 and deleted_at is null',
)

/**
 * What a merchant's withdrawals, refunds (without gas) and transfers since $2 have used, without those rejected or
 * canceled and deposits that an operator gives back: of all, of an asset ($3) or to a receiver ($4: an address, or the
 * merchant of a transfer). `oldest` is when the first of them was requested; 0 if there is none.
 */
const usedSince = first(
  'withdrawals-used',
  `select coalesce(sum(usdt_value), 0) as value, coalesce(min(created_at), 0) as oldest from (
     select usdt_value, created_at, status, asset_id, to_address from withdrawals where merchant_id = $1 and created_at > $2 and origin <> 'return'
     union all
     select div(usdt_value * amount, total), created_at, status, asset_id, to_address from refunds where merchant_id = $1 and created_at > $2
     union all
     select usdt_value, created_at, null, asset_id, other_id from internal_transfers
     where merchant_id = $1 and created_at > $2 and direction = 'out'
   ) out
   where (status in (${audit_rejected}, ${canceled})) is not true
     and ($3::text is null or asset_id = $3) and ($4::text is null or to_address = $4)`,
)

/**
 * What of a merchant's withdrawals, refunds and transfers left from $2 to $3 (times of their requests) without the
 * check of a rule, to the receiver $4 and to all: without a passkey or, where $5 is not null, without an approval that
 * the approver $5 or the operator gave (`approved_for` says for which approver a member gave it). What still waits for
 * approval counts for passkeys alone, which no approval replaces; by an approval it is checked, or it never leaves.
 */
const uncheckedSince = first(
  'withdrawals-unchecked',
  `select coalesce(sum(usdt_value) filter (where receiver = $4), 0) as to_receiver, coalesce(sum(usdt_value), 0) as in_all from (
     select usdt_value, to_address as receiver, by_passkey, coalesce(nullif(approved_for, ''), approved_by) as approver
     from withdrawals
     where merchant_id = $1 and created_at > $2 and created_at <= $3 and origin <> 'return' and status not in (${audit_rejected}, ${canceled})
       and (status <> ${auditing} or $5::text is null)
     union all
     select div(usdt_value * amount, total), to_address, by_passkey, '' from refunds
     where merchant_id = $1 and created_at > $2 and created_at <= $3 and status <> ${canceled}
     union all
     select usdt_value, other_id, by_passkey, '' from internal_transfers
     where merchant_id = $1 and created_at > $2 and created_at <= $3 and direction = 'out'
   ) out
   where case when $5::text is null then not by_passkey else approver not in ('${operatorApprover}', coalesce(nullif($5, ''), '${operatorApprover}')) end`,
)

/**
 * The facts by which a withdrawal is evaluated. `to` is in the stored form; null while no destination is given.
 * `receiver` is the merchant who receives a transfer, where it is not `to`. `value` is in 10^-18 USDT.
 */
interface Facts {
  merchantId: string
  timeZone: string
  assetId: string
  chainId: string
  to: string | null
  receiver?: string
  value: bigint
  /** When a passkey confirmed this withdrawal; null if none did. */
  passkeyAt: number | null
  /** Until when requests count for approvals and passkeys; without it, until now. */
  until?: number
}

/** Reports on the rules of the installation for a withdrawal of nothing: what is left of them. */
export async function installationReports(deps: Pick<Deps, 'config' | 'clock'>, c: Queryable, merchantId: string) {
  const facts = { merchantId, timeZone: 'UTC', assetId: '', chainId: '', to: null, value: 0n, passkeyAt: null }
  return (await evaluate(deps, c, installationRules(deps, await merchantById(c, merchantId)), facts)).reports
}

/**
 * Evaluates a withdrawal by the rules of the installation and of the merchant. `personId`: the member who chose an
 * address on a page; null for an application by its key, a payer and a transfer, for which new ways out wait
 * elsewhere. The decision holds until the end of the transaction when the merchant is locked, so that windows cannot be
 * used twice.
 */
export async function evaluatePolicy(
  deps: Pick<Deps, 'config' | 'clock'>,
  c: Queryable,
  {
    merchant,
    personId,
    ...rest
  }: Omit<Facts, 'merchantId' | 'timeZone'> & { merchant: Merchant; personId: string | null },
): Promise<PolicyDecision> {
  const own = await activePolicy(c, merchant.id, deps.clock())
  const byMailbox = personId === null ? [] : await mailboxRules(deps, c, merchant, personId)
  const rules = [...installationRules(deps, merchant), ...byMailbox, ...(own?.rules ?? []).map(toRule)]
  return evaluate(deps, c, rules, { ...rest, merchantId: merchant.id, timeZone: merchant.time_zone })
}

async function evaluate(
  { clock }: Pick<Deps, 'clock'>,
  c: Queryable,
  rules: readonly PolicyRule[],
  { merchantId, timeZone, assetId, chainId, to, receiver = to ?? '', value, passkeyAt, until: last }: Facts,
): Promise<PolicyDecision> {
  const now = clock()
  const used = new Map<PolicyRule, { value: bigint; until: number | null }>()
  const unchecked = new Map<PolicyRule, { toReceiver: bigint; inAll: bigint }>()
  for (const rule of rules) {
    if (rule.kind === 'approval' || rule.kind === 'fresh_factor') {
      const approver = rule.kind === 'approval' ? rule.approver : null
      const sums = (await uncheckedSince(c, merchantId, now - uncheckedSeconds, last ?? now, receiver, approver))!
      unchecked.set(rule, { toReceiver: sums.to_receiver, inAll: sums.in_all })
    }
    if (rule.kind !== 'window') continue
    const of = { asset: rule.per === 'asset' ? assetId : null, to: rule.per === 'destination' ? receiver : null }
    const found = (await usedSince(c, merchantId, now - rule.seconds, of.asset, of.to))!
    const until = found.oldest === 0 ? null : found.oldest + rule.seconds
    used.set(rule, { value: found.value, until })
  }
  const known = to === null ? undefined : await knownSince(c, merchantId, chainId, to)
  const [date = '', time = ''] = formatTimeInZone(now, timeZone).split(' ')
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return evaluateRules(rules, {
    value,
    now,
    local: { day: new Date(`${date}T00:00:00Z`).getUTCDay(), minute: hour * 60 + minute },
    knownSince: known?.created_at ?? null,
    passkeyAt,
    used: rule => used.get(rule)!,
    unchecked: rule => unchecked.get(rule)!,
  })
}
