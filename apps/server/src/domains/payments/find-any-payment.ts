import { chainAdapters, chainKindNames } from '@coffer/chains'
import { all, type Queryable, type Statements } from '../../kit/db.ts'
import { buildPaymentTitleSql } from '../../kit/format-payment-name.ts'

const most = 20

const findAny = all(
  'payments-find-any',
  `with found as (
     (select merchant_id, trade_no from payments where trade_no = $1)
     union
     (select merchant_id, trade_no from address_leases where chain_kind = any($2) and address = $3 limit ${most})
     union
     (select merchant_id, trade_no from address_amounts where chain_kind = any($2) and address = $3 limit ${most})
     union
     select d.merchant_id, d.trade_no from chains h cross join lateral (
       select merchant_id, trade_no from deposits where chain_id = h.id and txid = any($4) and not replaced
         and trade_no is not null limit ${most}
     ) d
     union
     (select o.merchant_id, o.trade_no from merchants m cross join lateral (
       select merchant_id, trade_no from payments where merchant_id = m.id and out_trade_no = $1 limit ${most}
     ) o limit ${most})
   )
   select m.mchid, m.name as merchant, p.merchant_id, p.trade_no, p.out_trade_no, ${buildPaymentTitleSql('p')} as title, p.usdt_amount, p.status, p.created_at
   from found join merchants m on m.id = found.merchant_id cross join lateral (
     select * from payments where merchant_id = found.merchant_id and trade_no = found.trade_no limit 1
   ) p
   order by p.created_at desc, p.trade_no desc limit ${most}`,
)

/**
 * Finds payments of any merchant by number, merchant's order, deposit address or transaction hash, with or without 0x;
 * newest first, at most 20.
 */
export function findAnyPayments(c: Queryable, text: string): Promise<Statements['payments-find-any']['row'][]> {
  const address =
    chainKindNames.map(kind => chainAdapters[kind].address.parse(text)).find(stored => stored !== null) ?? ''
  const hash = text.toLowerCase()
  return findAny(c, text, chainKindNames, address, [hash, `0x${hash}`, hash.replace(/^0x/, '')])
}
