import type { InvoiceItem } from '@coffer/contract/billing/items.ts'
import { all, count, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import type { Page } from '../../kit/list.ts'
import { flowGroupSql } from '../fund-flow/store.ts'

/** Name and tax data that invoices show. */
export interface BillingDetails {
  name?: string
  address?: string
  tax_number?: string
}

/** Billing details as invoices show them. */
export const completeBillingDetails = ({ name = '', address = '', tax_number = '' }: BillingDetails) => ({
  name,
  address,
  tax_number,
})

export const readMerchantBilling = first(
  'billing-of',
  `select mchid, billing, fiat, fee_bps, withdraw_fee_bps from merchants where id = $1 and deleted_at is null`,
)
export const setBilling = run('billing-set', 'update merchants set billing = $2, fiat = $3 where id = $1')

/**
 * Entries are valued one by one, as in the fund flow: by the last price at their time, at most this old (s). Prices are
 * read once for the entries of five minutes: the last one at their start, and the one within them, as prices are stored
 * five minutes apart.
 */
const slot = 300
const oldest = 900
const pricesOf = (symbol: string) => `lateral (
    select max(p.at) filter (where p.at <= s.slot) as before, max(p.at) filter (where p.at > s.slot) as within,
      (array_agg(p.price order by p.at desc) filter (where p.at <= s.slot))[1]::numeric as price_before,
      (array_agg(p.price order by p.at desc) filter (where p.at > s.slot))[1]::numeric as price_within
    from price_history p where p.symbol = ${symbol} and p.at < s.slot + ${slot} and p.at > s.slot - ${oldest}
  )`
const priceOf = (at: string) => `case when ${at}.within <= e.created_at then ${at}.price_within
    when ${at}.before > e.created_at - ${oldest} then ${at}.price_before end`
/** Digits after the point of a rate and of a value, both rounded to nearest. */
const rateDigits = 12
const valueDigits = 8

/**
 * Sums what a merchant spent from $2 on and before $3: a row per item and asset, reversals deducted. `value` is in the
 * fiat $4; `unvalued` counts the entries without a price, which it leaves out.
 */
export const readMerchantSpending = all(
  'billing-lines',
  `with groups as (
     select a, b, c from list_counts where merchant_id = $1 and list = 'fund flow' and span = 86400 and a in ('fee', 'gas')
       and slot > $2::bigint - 86400 and slot < $3::bigint and n > 0
     union select a, b, c from list_changes where merchant_id = $1 and list = 'fund flow' and a in ('fee', 'gas')
   ), spent as (
     select case when g.a = 'gas' then 'payout_gas' when g.c like 'available%' then 'payment_fee' else 'payout_fee' end as item,
       g.b as asset_id, r.created_at, case when g.c like '% in' then -1 else 1 end as sign, r.amount
     from groups g cross join lateral (
       select r.created_at, r.amount from ledger_postings r
       where r.merchant_id = $1 and ${flowGroupSql} and r.created_at >= $2::bigint and r.created_at < $3::bigint
     ) r
     union all
     select 'aggregation_gas', asset_id, created_at, 1, amount from gas_expenses
     where merchant_id = $1 and created_at >= $2::bigint and created_at < $3::bigint
   ), slots as materialized (
     select s.asset_id, s.slot, t.before, t.within, t.price_before, t.price_within, f.before as fiat_before, f.within as fiat_within,
       f.price_before as fiat_price_before, f.price_within as fiat_price_within
     from (select distinct asset_id, created_at - created_at % ${slot} as slot from spent) s join assets a on a.id = s.asset_id
     cross join ${pricesOf('a.price_of')} t cross join ${pricesOf('$4::text')} f
   )
   select e.item, a.symbol as token, a.decimals, h.definition ->> 'name' as chain, sum(e.sign)::bigint as count,
     sum(e.sign * e.amount) as amount, count(*) filter (where r.rate is null) as unvalued,
     sum(e.sign * round(e.amount * r.rate * ('1e-' || a.decimals)::numeric, ${valueDigits}))::text as value
   from spent e join assets a on a.id = e.asset_id join chains h on h.id = a.chain_id
   join slots s on s.asset_id = e.asset_id and s.slot = e.created_at - e.created_at % ${slot}
   cross join lateral (
     select ${priceOf('t')} as price, case when $4::text = 'USD' then 1 else ${priceOf('f')} end as fiat
     from (select s.before, s.within, s.price_before, s.price_within) t,
       (select s.fiat_before as before, s.fiat_within as within, s.fiat_price_before as price_before, s.fiat_price_within as price_within) f
   ) p
   cross join lateral (
     select nullif(div(2 * p.price * 1e${rateDigits} + p.fiat, 2 * p.fiat) * 1e-${rateDigits}, 0) as rate
   ) r
   group by e.item, a.id, h.id order by e.item, h.id, a.symbol`,
)
export type SpendingRow = Statements['billing-lines']['row'] & { item: InvoiceItem }

export const insertInvoice = run(
  'invoice-insert',
  `insert into invoices (merchant_id, month, version, number, fiat, details, lines, issued_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
)

const columns = 'i.month, i.version, i.number, i.fiat, i.details, i.lines, i.issued_at'
export type Invoice = Statements['invoice-read']['row']

/** Reads an invoice of a month, in the given version or the latest, with the number of versions. */
export const readInvoice = first(
  'invoice-read',
  `select ${columns}, (select max(version) from invoices v where v.merchant_id = $1 and v.month = $2) as versions
   from invoices i where i.merchant_id = $1 and i.month = $2 and ($3::int is null or i.version = $3)
   order by i.version desc limit 1`,
)

const latest = `invoices i where i.merchant_id = $1
   and not exists (select from invoices v where v.merchant_id = $1 and v.month = i.month and v.version > i.version)`
const page = all('invoices-page', `select ${columns} from ${latest} order by i.month desc limit $2 offset $3`)
export const countInvoices = count('invoices-count', `select count(*) as n from ${latest}`)

/** Reads a page of the invoices of a merchant in their latest versions, newest month first. A merchant has few. */
export const listInvoices = (c: Queryable, merchantId: string, { limit, offset }: Page) =>
  page(c, merchantId, limit, offset)

/** Finds merchants without an invoice of the month $1 that spent something from $2 on and before $3. */
export const merchantsToBill = all(
  'billing-due',
  `select m.id from merchants m
   where not exists (select from invoices i where i.merchant_id = m.id and i.month = $1) and (
     exists (
       select from list_counts c where c.merchant_id = m.id and c.list = 'fund flow' and c.span = 86400
         and c.slot >= $2::bigint and c.slot < $3::bigint and c.a in ('fee', 'gas') and c.n > 0
     ) or exists (
       select from list_counts c where c.merchant_id = m.id and c.list = 'gas expenses' and c.span = 86400
         and c.slot >= $2::bigint and c.slot < $3::bigint and c.n > 0
     )
   ) order by m.id limit 100`,
)
