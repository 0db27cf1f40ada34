import { kindNames, kinds } from '@coffer/chains'
import { all, type Queryable, type Statements } from '../../kit/db.ts'
import { textRanges } from './payment-terms.ts'

/** Payments found at most. Each way to find one reads a bounded number of rows, however many match. */
const most = 10
/** Newest payments that are read one by one. */
const newest = 200

const search = all(
  'payments-search',
  `with found as (
     (select trade_no from payments where merchant_id = $1 and trade_no between $3 and $4 order by trade_no desc limit ${most})
     union
     (select trade_no from payment_terms where merchant_id = $1 and term >= $5 and term < $6 order by term limit 100)
     union
     -- The newest first, where a short beginning matches more than were read above.
     select p.trade_no from (
       select trade_no from payments where merchant_id = $1 order by created_at desc, trade_no desc limit ${newest}
     ) n cross join lateral (
       select trade_no, out_trade_no from payments where merchant_id = $1 and trade_no = n.trade_no limit 1
     ) p where starts_with(lower(p.out_trade_no), lower($2))
     union
     (select trade_no from address_leases
       where chain_kind = any($7) and address between $8 and $9 and merchant_id = $1 limit ${most})
     union
     select d.trade_no from chains h cross join lateral (
       select trade_no from deposits where chain_id = h.id and txid between $10 and $11 and not replaced and merchant_id = $1
         and trade_no is not null order by txid limit ${most}
     ) d
   )
   select p.trade_no, p.out_trade_no, p.usdt_amount, p.status, p.created_at
   from found cross join lateral (
     select * from payments where merchant_id = $1 and trade_no = found.trade_no limit 1
   ) p
   order by $2 in (p.out_trade_no, p.trade_no) desc, p.created_at desc, p.trade_no desc limit ${most}`,
)

export type FoundPayment = Statements['payments-search']['row']

/** A range that contains nothing. */
const none = ['', ''] as const
/** Digits of a hash or address below which a search would match those of many merchants. */
const hexLeast = 8

/**
 * Finds the merchant's payments whose trade_no, out_trade_no, deposit address or transaction hash begins with a text; an exact
 * number first, then the newest.
 */
export function searchPayments(c: Queryable, merchantId: string, text: string): Promise<FoundPayment[]> {
  const [from, to] = textRanges(text).number
  const tradeNo = /^\d{1,32}$/.test(text) ? ([text.padEnd(32, '0'), text.padEnd(32, '9')] as const) : none
  const address = kindNames.map(kind => kinds[kind].address.parse(text)).find(stored => stored !== null)
  const addresses = address ? ([address, address] as const) : hexRange(text, ['0x', 40])
  const txids = text.startsWith('0x') ? hexRange(text, ['0x', 64]) : hexRange(text, ['', 64])
  return search(c, merchantId, text, ...tradeNo, from, to, kindNames, ...addresses, ...txids)
}

/** The range of hexadecimal texts with a prefix and this many digits that begin with a text. Empty if it has few digits. */
function hexRange(text: string, [prefix, digits]: [string, number]): readonly [string, string] {
  const start = text.toLowerCase()
  const given = start.slice(prefix.length)
  if (!start.startsWith(prefix) || !/^[0-9a-f]+$/.test(given) || given.length < hexLeast || given.length > digits)
    return none
  return [prefix + given.padEnd(digits, '0'), prefix + given.padEnd(digits, 'f')]
}
