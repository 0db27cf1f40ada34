import { applicationStatus, merchantStatus, paymentStatus } from '@coffer/contract/codes.ts'
import { paymentLinkMetadataKey } from '@coffer/contract/payment-links/metadata.ts'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import { defineList } from '../../kit/define-list.ts'
import { metadataTerm } from '../payments/records/payment-search.ts'

/** A link with the payee, and the payment that it opened last; its columns are null when there is none. */
export type LinkRow = Statements['payment-link-by-token']['row']

/** Paid payments of a link are counted up to this number. */
const countedMax = 1_000

const columns = `l.merchant_id, l.id, l.token, l.appid, l.title, l.currency, l.amount, l.min_amount, l.max_amount, l.once,
  l.payments, l.created_at, l.expires_at, l.disabled_at, l.created_by, a.name, coalesce(nullif(m.name, ''), a.name) as payee, coalesce(nullif(a.payment_logo, ''), a.logo) as logo,
  a.status = ${applicationStatus.enabled} and a.deleted_at is null and m.status = ${merchantStatus.approved}
    and not m.frozen and m.deleted_at is null as active,
  p.trade_no, p.status, p.paid_amount, p.pending_amount`

// No index condition on the application: PostgreSQL may plan to read all its payments, as it takes the columns for
// independent.
const joins = `join applications a on a.merchant_id = l.merchant_id and a.appid = l.appid
  join merchants m on m.id = l.merchant_id
  left join lateral (
    select trade_no, status, paid_amount, pending_amount from payments
    where merchant_id = l.merchant_id and (appid = l.appid) is true and out_trade_no = 'link-' || right(l.id, 12) || '-' || l.payments
    limit 1
  ) p on true`

/** The merchant's order number of a link's payment, as in the statements. */
export const formatLinkOrderNumber = (link: { id: string }, payment: number): string =>
  `link-${link.id.slice(-12)}-${payment}`

export const paymentLinkByToken = first(
  'payment-link-by-token',
  `select ${columns} from payment_links l ${joins} where l.token = $1`,
)
export const paymentLinkById = first(
  'payment-link-by-id',
  `select ${columns} from payment_links l ${joins} where l.merchant_id = $1 and l.id = $2`,
)

/** Links, newest first. A text is part of the title; `open_at` and `ended_at` are times, in Unix seconds. */
export const { page: listLinks } = defineList({
  name: 'payment-links',
  table: 'payment_links',
  row: 'l',
  joins,
  columns,
  filters: {
    text: { stored: text => text.trim(), column: text => `strpos(lower(l.title), lower(${text}::text)) > 0` },
    open_at: { column: now => `(l.disabled_at is null and (l.expires_at = 0 or l.expires_at > ${now}))` },
    ended_at: { column: now => `(l.disabled_at is not null or l.expires_at <> 0 and l.expires_at <= ${now})` },
    created_by: { column: 'l.created_by' },
  },
})

/** Links of an application before a place, newest first. */
export const listLinksBefore = all(
  'payment-links-of-application',
  `select ${columns} from (
     select * from payment_links where merchant_id = $1 and appid = $2 and (created_at, id) < ($3, $4) and created_at >= $5
     order by created_at desc, id desc limit $6
   ) l ${joins} order by l.created_at desc, l.id desc`,
)

const paid = all(
  'payment-links-paid',
  `select requested.term, (select count(*) from (
     select from payment_terms t join payments p on p.merchant_id = t.merchant_id and p.trade_no = t.trade_no
     where t.merchant_id = $1 and t.term = requested.term
       and p.status in (${paymentStatus.paid}, ${paymentStatus.refunding}, ${paymentStatus.refunded})
     limit ${countedMax}
   ) counted)::int as n
   from unnest($2::text[]) as requested (term)`,
)

/** Counts the paid payments of links, up to 1,000 of each. */
export async function countPaidLinkPayments(
  c: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const terms = new Map(ids.map(id => [metadataTerm(`${paymentLinkMetadataKey}=${id}`), id]))
  const rows = await paid(c, merchantId, [...terms.keys()])
  return new Map(rows.map(({ term, n }) => [terms.get(term!)!, n!]))
}

const insert = run(
  'payment-link-insert',
  `insert into payment_links (merchant_id, id, token, appid, title, currency, amount, min_amount, max_amount, once,
     created_at, expires_at, created_by) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
)
type NewLink = Omit<
  LinkRow,
  | 'name'
  | 'payee'
  | 'logo'
  | 'active'
  | 'trade_no'
  | 'status'
  | 'paid_amount'
  | 'pending_amount'
  | 'payments'
  | 'disabled_at'
>
export const insertPaymentLink = (c: Queryable, l: NewLink) =>
  insert(
    c,
    l.merchant_id,
    l.id,
    l.token,
    l.appid,
    l.title,
    l.currency,
    l.amount,
    l.min_amount,
    l.max_amount,
    l.once,
    l.created_at,
    l.expires_at,
    l.created_by,
  )

/** Disables a link, only of the person $4 if it is given, and returns who made it. */
export const setPaymentLinkDisabled = first(
  'payment-link-disable',
  `update payment_links set disabled_at = coalesce(disabled_at, $3)
   where merchant_id = $1 and id = $2 and ($4::text is null or created_by = $4) returning created_by`,
)

/**
 * Takes the number of the next payment of an enabled link. With `$3`, only if it is still the last number: of two
 * payers one takes it.
 */
export const takeNextPaymentNumber = first(
  'payment-link-next',
  `update payment_links set payments = payments + 1
   where merchant_id = $1 and id = $2 and disabled_at is null and ($3::int is null or payments = $3) returning payments`,
)
