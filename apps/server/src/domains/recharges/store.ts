import { all, type Statements } from '../../kit/db.ts'
import { defineExportedList } from '../../kit/define-list.ts'
import { toReferenceOrAddressForms } from '../addresses/store.ts'
import { isAcceptedSql, returnStatusSql } from '../payments/to-deposit-view.ts'

/** A deposit without a payment, with its address. The fields of the address are empty where none was created. */
export type RechargeRow = Statements['recharges-list']['row']

/** Deposits without a payment, newest first. A text is a whole reference or address. */
export const { page: listRecharges, file: rechargeFile } = defineExportedList({
  name: 'recharges',
  of: 'GET /api/v1/account/recharge',
  table: 'deposits',
  row: 'd',
  // An address belongs to the chain it was created for, or to another one of its kind.
  joins: `join assets a on a.id = d.asset_id join chains h on h.id = d.chain_id
    left join lateral (
      select f.id, f.reference, f.appid, f.label from fixed_addresses f join chains k on k.id = f.chain_id
      where f.address = d.to_address and f.merchant_id = d.merchant_id and k.kind = h.kind
      order by f.appid = '', f.chain_id = d.chain_id desc, f.chain_id limit 1
    ) f on true
    left join applications p on p.merchant_id = d.merchant_id and p.appid = f.appid`,
  columns: `d.id, '' as trade_no, d.chain_id, d.asset_id, d.txid, d.block_number, d.log_index, d.from_address, d.to_address, d.amount,
    d.usdt_amount, d.gas, d.late, d.state, d.held_at is not null as held, ${isAcceptedSql('a')} as accepted, ${returnStatusSql('d')} as return_status, d.seen_at, d.credited_at, a.symbol as token, a.decimals, h.definition, h.head_number,
    coalesce(f.id, '') as address_id, coalesce(f.reference, '') as reference, coalesce(f.appid, '') as appid,
    coalesce(f.label, '') as label, coalesce(p.name, '') as apply_name`,
  time: 'seen_at',
  where: `d.kind = 'recharge'`,
  counted: {
    ofGroup: `r.kind = 'recharge' and r.asset_id = g.a and r.state = g.b`,
    ofAll: `r.kind = 'recharge'`,
  },
  filters: {
    token_id: { counted: 'a', column: 'd.asset_id' },
    state: { counted: 'b', column: 'd.state' },
    text: {
      stored: toReferenceOrAddressForms,
      column: texts => `d.to_address = any((${texts}::text[])[2:] || array(
        select address from fixed_addresses where merchant_id = $1 and reference = (${texts}::text[])[1]))`,
    },
    /** Addresses in the stored form. */
    addresses: {
      keys: addresses =>
        `select id from deposits where merchant_id = $1 and kind = 'recharge' and to_address = any(${addresses}::text[])`,
    },
  },
})

/** Reads who receives callbacks of deposits at addresses of a chain: the application that made the address. */
export const listCallbackReceivers = all(
  'recharges-receivers',
  `select f.address, f.id, f.reference, f.appid, p.notify_url as url, p.callbacks_muted
   from unnest($3::text[]) as d (address) cross join lateral (
     select f.* from fixed_addresses f join chains k on k.id = f.chain_id
     where f.address = d.address and f.appid <> '' and k.kind = $2 order by f.chain_id = $1 desc, f.chain_id limit 1
   ) f join applications p on p.merchant_id = f.merchant_id and p.appid = f.appid`,
)
