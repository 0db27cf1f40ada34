import type { RouteData } from '@coffer/contract'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { type MerchantRole, refundingRoles, refundsWithinLimit } from '@coffer/contract/kit/merchant-roles.ts'
import { powerOfTen } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/context.ts'
import { all, first, run, type Statements } from '../../kit/db.ts'
import { defineList } from '../../kit/define-list.ts'
import { buildPaymentTitleSql } from '../../kit/format-payment-name.ts'
import { hashCode, hashSecret } from '../../kit/secrets.ts'
import { payeeNameSql } from '../payments/checkout/checkout-read.ts'
import { tradeNosByNumberSql } from './list.ts'

/** A claim link. `amount` is in base units of the payment's asset. */
export type StoredRefundLink = Statements['refund-link-lock']['row']

const columns = `l.merchant_id, l.id, l.trade_no, l.appid, l.token_hash, l.kind, l.basis, l.gas_payer, l.amount, l.reason, l.by_passkey, l.made_by,
  l.state, l.refund_id, l.out_no, l.expires_at, l.created_at, p.asset_id, a.symbol as token, a.decimals, ${payeeNameSql('s')} as payee`
const tables = `refund_links l join payments p on p.merchant_id = l.merchant_id and p.trade_no = l.trade_no
  join assets a on a.id = p.asset_id left join applications s on s.merchant_id = l.merchant_id and s.appid = l.appid`

/**
 * Inserts an open link; no row if the application has already used its number. Fails if the payment has an open one.
 */
export const insertRefundLink = run(
  'refund-link-insert',
  `insert into refund_links (merchant_id, id, trade_no, appid, token_hash, kind, basis, gas_payer, amount, reason, by_passkey,
     out_no, body_hash, expires_at, created_at, made_by, usdt_value)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
   on conflict (merchant_id, appid, out_no) where out_no is not null do nothing returning 1`,
)

export const lockRefundLink = first(
  'refund-link-lock',
  `select ${columns} from ${tables} where l.merchant_id = $1 and l.id = $2 for no key update of l`,
)

/** Reads one link of a merchant. */
export const readRefundLink = first(
  'refund-link-read',
  `select ${columns} from ${tables} where l.merchant_id = $1 and l.id = $2`,
)

export const refundLinkByToken = first(
  'refund-link-by-token',
  `select ${columns} from ${tables} where l.token_hash = $1`,
)

/** Finds the link of a payment that can still be claimed. */
export const findOpenRefundLink = first(
  'refund-link-open',
  `select id, amount, body_hash from refund_links where merchant_id = $1 and trade_no = $2 and state = 'open'`,
)

/** Lists the links of a payment, newest first. */
export const linksOfPayment = all(
  'refund-links-of-payment',
  `select ${columns} from ${tables} where l.merchant_id = $1 and l.trade_no = $2 order by l.created_at desc, l.id desc limit 50`,
)

export const refundLinkByOutNo = first(
  'refund-link-by-out-no',
  'select id, body_hash from refund_links where merchant_id = $1 and appid = $2 and out_no = $3',
)

/** Lists open links that have expired. */
export const expiredLinks = all(
  'refund-links-expired',
  "select merchant_id, id from refund_links where state = 'open' and expires_at <= $1 order by expires_at limit 100",
)

/** Ends an open link. Returns 0 if it has ended. */
export const endOpenRefundLink = run(
  'refund-link-end',
  "update refund_links set state = $3, refund_id = $4 where merchant_id = $1 and id = $2 and state = 'open' returning 1",
)

/**
 * Returns the secrets that a link can have, the one of a new link first. They derive from the operator's secret, so
 * that the database holds none, and the merchant can copy the address of an open link again.
 */
export function deriveRefundLinkTokens(
  { config: { secret, secretPrevious } }: Pick<Deps, 'config'>,
  id: string,
): string[] {
  const secrets = [secret, secretPrevious].filter(Boolean)
  return secrets.map(each => hashCode(each, ['refund link', id]).subarray(0, 16).toString('base64url'))
}

/** Links of a merchant, newest first. */
export const { page: listRefundLinks } = defineList({
  name: 'refund-links',
  of: 'GET /api/v1/transactions/refund-link-list',
  table: 'refund_links',
  row: 'l',
  joins: `join payments p on p.merchant_id = l.merchant_id and p.trade_no = l.trade_no join assets a on a.id = p.asset_id
    left join applications s on s.merchant_id = l.merchant_id and s.appid = l.appid`,
  columns: `${columns}, p.out_trade_no, ${buildPaymentTitleSql('p')} as title, s.name as apply_name`,
  counted: { counts: 'refund links', ofGroup: 'r.state = g.a' },
  filters: {
    state: { counted: 'a', column: 'l.state' },
    order: {
      keys: number =>
        `select id from refund_links where merchant_id = $1 and trade_no in (${tradeNosByNumberSql(number)})`,
    },
  },
})

const promisedPerAsset = all(
  'refund-links-promised',
  `select a.symbol as token, a.decimals, sum(l.amount) as amount, count(*)::int as count
   from refund_links l join payments p on p.merchant_id = l.merchant_id and p.trade_no = l.trade_no
     join assets a on a.id = p.asset_id
   where l.merchant_id = $1 and l.state = 'open' and l.expires_at > $2 group by a.symbol, a.decimals order by a.symbol`,
)

/** Sums what the open links of a merchant give back, by token. */
export async function readPromisedRefunds(deps: Deps, merchantId: string) {
  const rows = await promisedPerAsset(deps.pool, merchantId, deps.clock())
  // Tokens of a symbol have other decimals on other networks.
  const most = Math.max(0, ...rows.map(each => each.decimals))
  const sums = new Map<string, { units: bigint; count: number }>()
  for (const { token, decimals, amount, count } of rows) {
    const before = sums.get(token) ?? { units: 0n, count: 0 }
    sums.set(token, { units: before.units + amount * powerOfTen(most - decimals), count: before.count + count })
  }
  return [...sums].map(([token, { units, count }]) => ({ token, amount: formatDecimal(units, most), count }))
}

/**
 * Whether a member reads the address of a link, by which anybody claims its money: who may give back this much. Within
 * a limit counts what the member made alone.
 */
export const mayReadLinkAddress = (
  { role, personId }: Pick<Session, 'role' | 'personId'>,
  { made_by }: Pick<StoredRefundLink, 'made_by'>,
): boolean =>
  (refundingRoles as readonly MerchantRole[]).includes(role) && (!refundsWithinLimit(role) || made_by === personId)

/** A link as the merchant sees it, with its address for who may hand it over (`mayClaim`). */
export function serializeRefundLink(
  deps: Deps,
  row: StoredRefundLink,
  { mayClaim }: { mayClaim: boolean },
): RouteData<'POST /api/v1/pay/refund-links'> {
  const token = deriveRefundLinkTokens(deps, row.id).find(each => hashSecret(each).equals(row.token_hash))
  const state = row.state === 'open' && row.expires_at <= deps.clock() ? 'expired' : row.state
  return {
    id: row.id,
    out_no: row.out_no ?? '',
    trade_no: row.trade_no,
    state,
    url: token && mayClaim && state === 'open' ? `${deps.config.publicUrl}/refund/${token}` : '',
    token: row.token,
    amount: formatDecimal(row.amount, row.decimals),
    refund_id: row.refund_id ?? '',
    reason: row.reason,
    created_time: row.created_at,
    expire_time: row.expires_at,
  }
}
