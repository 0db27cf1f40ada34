import { explorerUrl, kinds } from '@coffer/chains'
import { formatDecimal, type routes } from '@coffer/contract'
import type { z } from 'zod'
import { all, type Queryable, type Statements } from '../../kit/db.ts'

/** Prefix of the txid of a deposit found by balance reconciliation, whose transaction is unknown. */
export const foundPrefix = 'reconciled:'

/** A deposit in API responses and callbacks. */
export type DepositView = z.output<
  (typeof routes)['GET /api/v1/transactions/list']['data']
>['list'][number]['chain_confirmation_information'][number]

const ofPayments = all(
  'deposits-of-payments',
  `select d.id, d.trade_no, d.txid, d.block_number, d.log_index, d.from_address, d.to_address, d.amount, d.gas, d.late, d.state, d.seen_at,
     d.credited_at, a.symbol as token, a.decimals, h.definition, h.head_number
   from unnest($1::text[], $2::text[]) as p (merchant_id, trade_no)
   -- One by one: see depositsOfTransfers.
   cross join lateral (
     select * from deposits where merchant_id = p.merchant_id and trade_no = p.trade_no
     order by seen_at desc, block_number desc, log_index desc limit $3
   ) d join assets a on a.id = d.asset_id join chains h on h.id = d.chain_id
   order by d.seen_at, d.block_number, d.log_index, d.id`,
)

/** A deposit with its asset and chain. */
export type DepositRow = Statements['deposits-of-payments']['row']

/** Maximum deposits shown per payment. Bounds the size of responses and callbacks under a dust attack. */
const shownMost = 100

/** Reads the latest deposits of each payment, oldest first, by trade_no: at most `shownMost` plus `more`. */
export async function readDeposits(
  c: Queryable,
  payments: readonly { merchant_id: string; trade_no: string }[],
  more = 0,
): Promise<Map<string, DepositRow[]>> {
  const [merchantIds, tradeNos] = [payments.map(each => each.merchant_id), payments.map(each => each.trade_no)]
  const rows = await ofPayments(c, merchantIds, tradeNos, shownMost + more)
  return Map.groupBy(rows, row => row.trade_no)
}

/** Merges changed deposits into the stored ones and returns those to show, oldest first. */
export function shownDeposits(stored: readonly DepositRow[], changed: readonly DepositRow[]): DepositRow[] {
  const byId = new Map([...stored, ...changed].map(each => [each.id, each]))
  return [...byId.values()].sort(inOrder).slice(-shownMost)
}

const inOrder = (a: DepositRow, b: DepositRow) =>
  a.seen_at - b.seen_at || a.block_number - b.block_number || a.log_index - b.log_index || (a.id < b.id ? -1 : 1)

/** Formats a deposit for the API, with amounts as decimal strings. */
export function depositView(row: DepositRow): DepositView {
  const { definition } = row
  const shown = kinds[definition.kind].address.show
  return {
    confirmation_time: row.credited_at,
    seen_time: row.seen_at,
    txid: kinds[definition.kind].showTxid(row.txid),
    browser_url: row.txid.startsWith(foundPrefix) ? '' : (explorerUrl(definition, 'tx', row.txid) ?? ''),
    chain: definition.name,
    amount: formatDecimal(BigInt(row.amount), row.decimals),
    gas: formatDecimal(BigInt(row.gas), definition.native.decimals),
    gas_token: definition.native.symbol,
    token: row.token,
    to_address: shown(row.to_address),
    from_address: row.from_address && shown(row.from_address),
    net: definition.network,
    confirmations: confirmationsOf(row),
    required_confirmations: definition.confirmations,
    state: row.state,
    late: row.late,
  }
}

/** Number of confirmations, including the deposit's own block, capped at the required number. */
function confirmationsOf({ state, head_number, block_number, definition }: DepositRow): number {
  if (state === 'dropped' || state === 'undone') return 0
  if (state === 'credited') return definition.confirmations
  return Math.max(0, Math.min(head_number - block_number + 1, definition.confirmations))
}
