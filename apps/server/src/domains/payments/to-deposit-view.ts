import { chainForms, explorerUrl } from '@coffer/chains/forms.ts'
import type { routes } from '@coffer/contract'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { z } from 'zod'
import { cacheForSecond } from '../../kit/cache-for-second.ts'
import { all, type Queryable, type Statements } from '../../kit/db.ts'
import { isSiblingSql } from '../chains/assets.ts'

/** Prefix of the txid of a deposit found by balance reconciliation, whose transaction is unknown. */
export const reconciledTxidPrefix = 'reconciled:'

/** A deposit in API responses and callbacks. */
export type DepositView = z.output<
  (typeof routes)['GET /api/v1/transactions/list']['data']
>['list'][number]['chain_confirmation_information'][number]

/** SQL condition: deposits of an asset are accepted, as those of a sibling of a token are not. */
export const isAcceptedSql = (asset: string): string => `not ${isSiblingSql(asset)}`

/** SQL: the status of the withdrawal that gives a deposit back; null for one that is not returned. */
export const returnStatusSql = (deposit: string): string =>
  `case when ${deposit}.returned then (select w.status from withdrawals w where w.returns = ${deposit}.id) end`

/** Maximum deposits shown per payment. Bounds the size of responses and callbacks under a dust attack. */
const shownMost = 100

const ofPayments = all(
  'deposits-of-payments',
  `select d.id, d.trade_no, d.txid, d.block_number, d.log_index, d.from_address, d.to_address, d.amount, d.gas, d.late, d.state, d.held_at is not null as held,
     ${isAcceptedSql('a')} as accepted, ${returnStatusSql('d')} as return_status, d.seen_at, d.credited_at, d.chain_id, a.symbol as token, a.decimals, h.head_number
   from unnest($1::text[], $2::text[]) as p (merchant_id, trade_no)
   -- One by one: see depositsOfTransfers.
   cross join lateral (
     select * from deposits where merchant_id = p.merchant_id and trade_no = p.trade_no
     order by seen_at desc, block_number desc, log_index desc limit $3
   ) d join assets a on a.id = d.asset_id join chains h on h.id = d.chain_id
   order by d.seen_at, d.block_number, d.log_index, d.id`,
)

type ReadDeposit = Statements['deposits-of-payments']['row']
const readDefinitions = all('chain-definitions', 'select id, definition from chains')
/** A deposit with its asset and chain. */
export type DepositRow = ReadDeposit & Pick<Statements['chain-definitions']['row'], 'definition'>

/**
 * Reads the latest deposits of each payment, oldest first, by trade_no: at most `shownMost` plus `more`. The
 * definitions of other chains than the `known` ones are read apart, because one is larger than all else of a row.
 */
export async function readDeposits(
  c: Queryable,
  payments: readonly { merchant_id: string; trade_no: string }[],
  more = 0,
  known: Map<string, DepositRow['definition']> = new Map(),
): Promise<Map<string, DepositRow[]>> {
  const merchantIds = payments.map(each => each.merchant_id)
  const tradeNos = payments.map(each => each.trade_no)
  const rows = await ofPayments(c, merchantIds, tradeNos, shownMost + more)
  if (rows.some(row => !known.has(row.chain_id)))
    for (const { id, definition } of await readDefinitions(c)) known.set(id, definition)
  const defined = rows.map((row): DepositRow => Object.assign(row, { definition: known.get(row.chain_id)! }))
  return Map.groupBy(defined, row => row.trade_no)
}

/** A deposit as the statement of a page reads it with its payment `p`. */
export type PageDeposit = ReadDeposit

/** The latest deposits of a payment `p` as JSON: a page reads them with its payments, in one round trip. */
export const pageDepositsSql = `(
    select json_agg(row) from (
      select d.id, d.trade_no, d.txid, d.block_number, d.log_index, d.from_address, d.to_address, d.amount::text, d.gas::text, d.late,
        d.state, d.held_at is not null as held, ${isAcceptedSql('da')} as accepted, ${returnStatusSql('d')} as return_status, d.seen_at, d.credited_at, d.chain_id, da.symbol as token, da.decimals, dh.head_number
      from (
        select * from deposits where merchant_id = p.merchant_id and trade_no = p.trade_no
        order by seen_at desc, block_number desc, log_index desc limit ${shownMost}
      ) d join assets da on da.id = d.asset_id join chains dh on dh.id = d.chain_id
    ) row
  )`

const definitions = cacheForSecond(
  async (c: Queryable) => new Map((await readDefinitions(c)).map(({ id, definition }) => [id, definition])),
)

/** Adds the definitions of their chains to the deposits of a page, by payment. Definitions are read once a second. */
export async function attachChainDefinitions(
  c: Queryable,
  now: number,
  read: readonly (readonly PageDeposit[])[],
): Promise<DepositRow[][]> {
  let known = await definitions.get(c, now)
  // A chain that was added in this second.
  if (read.some(some => some.some(({ chain_id }) => !known.has(chain_id)))) {
    definitions.forget(c)
    known = await definitions.get(c, now)
  }
  return read.map(some => some.map(each => ({ ...each, definition: known.get(each.chain_id)! })).sort(inOrder))
}

/** Merges changed deposits into the stored ones and returns those to show, oldest first. */
export function mergeShownDeposits(stored: readonly DepositRow[], changed: readonly DepositRow[]): DepositRow[] {
  const byId = new Map([...stored, ...changed].map(each => [each.id, each]))
  return [...byId.values()].sort(inOrder).slice(-shownMost)
}

const inOrder = (a: DepositRow, b: DepositRow) =>
  a.seen_at - b.seen_at || a.block_number - b.block_number || a.log_index - b.log_index || (a.id < b.id ? -1 : 1)

/** Formats a deposit for the API, with amounts as decimal strings. */
export function toDepositView(row: DepositRow): DepositView {
  const { definition } = row
  const shown = chainForms[definition.kind].address.show
  return {
    confirmation_time: row.credited_at,
    seen_time: row.seen_at,
    txid: chainForms[definition.kind].showTxid(row.txid),
    browser_url: row.txid.startsWith(reconciledTxidPrefix) ? '' : (explorerUrl(definition, 'tx', row.txid) ?? ''),
    chain: definition.name,
    amount: formatDecimal(row.amount, row.decimals),
    gas: formatDecimal(row.gas, definition.native.decimals),
    gas_token: definition.native.symbol,
    token: row.token,
    to_address: shown(row.to_address),
    from_address: row.from_address && shown(row.from_address),
    net: definition.network,
    confirmations: confirmationsOf(row),
    required_confirmations: definition.confirmations,
    state: row.state,
    late: row.late,
    held: row.held,
  }
}

/** Number of confirmations, including the deposit's own block, capped at the required number. */
function confirmationsOf({ state, head_number, block_number, definition }: DepositRow): number {
  if (state === 'dropped' || state === 'undone') return 0
  if (state === 'credited') return definition.confirmations
  return Math.max(0, Math.min(head_number - block_number + 1, definition.confirmations))
}
