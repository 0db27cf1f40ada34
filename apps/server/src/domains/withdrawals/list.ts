import { parseStoredAddresses } from '@coffer/chains/forms.ts'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { all, first, type Queryable, type Statements } from '../../kit/db.ts'
import { defineExportedList } from '../../kit/define-list.ts'

/** A withdrawal with the names that are shown with it. */
export type WithdrawalRow = Statements['withdrawals-list']['row']

const columns = `w.merchant_id, w.id, w.out_no, w.appid, p.name as apply_name, w.status, w.asset_id, w.to_address, w.amount, w.fee,
  w.gas, w.receives, w.usdt_value, w.rate, w.policy, w.requested_by, w.approved_by, w.approved_at, w.reason, w.remark, w.warnings, w.txid, w.out_nonce,
  w.created_at, w.updated_at, w.origin, a.symbol as token, a.decimals, h.definition`
const joins = `join assets a on a.id = w.asset_id join chains h on h.id = w.chain_id
  left join applications p on p.merchant_id = w.merchant_id and p.appid = w.appid`

/** The stored forms of a transaction's hash. */
const txidForms = (txid: string) => [txid, `0x${txid.replace(/^0x/, '').toLowerCase()}`]

const list = defineExportedList({
  name: 'withdrawals',
  of: 'GET /api/v1/account/withdrawal-list',
  table: 'withdrawals',
  row: 'w',
  joins,
  columns,
  counted: { ofGroup: 'r.status = g.a::int and r.asset_id = g.b and r.appid = g.c' },
  filters: {
    status: { counted: 'a', column: 'w.status' },
    network_id: {
      counted: value => `b in (select id from assets where chain_id = ${value})`,
      column: 'w.chain_id',
    },
    token_id: { counted: 'b', column: 'w.asset_id' },
    appid: { counted: 'c', column: 'w.appid' },
    id: { column: 'w.id' },
    txid: { column: 'w.txid', stored: txidForms },
    address: { column: 'w.to_address', stored: parseStoredAddresses },
  },
})
export const { page: listWithdrawals, file: withdrawalFile } = list

const ofAnybody = `select ${columns}, w.events, m.mchid, m.name, m.risk_level
  from withdrawals w ${joins} join merchants m on m.id = w.merchant_id`

/** Reads a withdrawal of any merchant with the merchant's number, for the operator. */
export const readAnyWithdrawal = first('withdrawal-any', `${ofAnybody} where w.id = $1`)

/** Reads the 200 oldest withdrawals of all merchants in some states, oldest first. */
export const listWithdrawalsInStates = all(
  'withdrawals-in-states',
  `${ofAnybody} where w.status = any($1::int[]) order by w.created_at, w.id limit 200`,
)

/** Reads the 10 newest withdrawals of a merchant, for the operator. */
export const listNewestMerchantWithdrawals = all(
  'withdrawals-of-merchant',
  `${ofAnybody} where w.merchant_id = $1 order by w.created_at desc, w.id desc limit 10`,
)
/** Reads the 10 newest withdrawals of all merchants to an address. */
export const listNewestWithdrawalsToAddress = all(
  'withdrawals-to-address',
  `${ofAnybody} where w.to_address = $1 order by w.created_at desc limit 10`,
)

const findAny = all(
  'withdrawals-find-any',
  `${ofAnybody} where w.id = $1 or (w.merchant_id, w.id) in (
     select f.merchant_id, f.id from merchants m cross join lateral (
       select merchant_id, id from withdrawals where merchant_id = m.id and txid <> '' and txid = any($2) limit 20
     ) f)
   order by w.created_at desc limit 20`,
)

/** Finds withdrawals of all merchants by number, transaction or receiver, newest first. */
export async function findAnyWithdrawals(c: Queryable, text: string): Promise<Statements['withdrawal-any']['row'][]> {
  const found = await findAny(c, text, txidForms(text))
  if (found.length > 0) return found
  const to = await Promise.all(parseStoredAddresses(text).map(address => listNewestWithdrawalsToAddress(c, address)))
  return to.flat()
}

/** Reads the withdrawals of a merchant that wait for approval, the oldest first, at most 100. */
export const listWaitingWithdrawals = all(
  'withdrawals-waiting',
  `select ${columns} from withdrawals w ${joins} where w.merchant_id = $1 and w.status = ${withdrawalStatus.auditing}
   order by w.created_at, w.id limit 100`,
)

/** Reads withdrawals of a merchant by number, in any order. */
export const readWithdrawals = (c: Queryable, merchantId: string, ids: readonly string[]): Promise<WithdrawalRow[]> =>
  list.byIds(c, merchantId, ids)

/** Reads one withdrawal of a merchant. Within a transaction, includes that transaction's own writes. */
export const readWithdrawal = async (
  c: Queryable,
  merchantId: string,
  id: string,
): Promise<WithdrawalRow | undefined> => (await readWithdrawals(c, merchantId, [id]))[0]
