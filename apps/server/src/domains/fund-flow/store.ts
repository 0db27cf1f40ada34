import { countedList } from '../../kit/counted-list.ts'
import { all, type Queryable, variants } from '../../kit/db.ts'
import type { Page } from '../../kit/list.ts'

/** Filter on postings. The time range (unix seconds) is inclusive at both ends. */
interface FlowFilter {
  type?: string | undefined
  network_id?: string | undefined
  token_id?: string | undefined
  start_time?: number | undefined
  end_time?: number | undefined
}

const ofChain = (column: string) => (chain: string) => `${column} in (select id from assets where chain_id = ${chain})`

const flow = countedList({
  name: 'fund flow',
  table: 'ledger_postings',
  // Postings that change an available balance; those between held and the house do not concern the merchant.
  ofGroup: `r.kind = g.a and r.asset_id = g.b
    and (split_part(r.debit_account, '/', 2) = 'available' or split_part(r.credit_account, '/', 2) = 'available')`,
  filters: { type: value => `a = ${value}`, network_id: ofChain('b'), token_id: value => `b = ${value}` },
})
const flowIds = variants('fund-flow-page', flow.textOf, flow.described)
const flowByIds = all(
  'fund-flow-list',
  `select l.id, l.kind, l.credit_account = $1 || '/available/' || l.asset_id as incoming, l.amount,
     case when l.credit_account = $1 || '/available/' || l.asset_id then l.credit_after else l.debit_after end as balance,
     g.memo, l.created_at, a.symbol as token, a.decimals, h.definition
   from ledger_postings l join assets a on a.id = l.asset_id join chains h on h.id = a.chain_id
   join ledger_groups g on g.id = l.group_id
   where l.merchant_id = $1 and l.id = any($2) order by l.created_at desc, l.id desc`,
)

/** Reads a page of the postings of a merchant, newest first, with the total. */
export async function listFundFlow(c: Queryable, merchantId: string, filter: FlowFilter, page: Page) {
  const { type, network_id, token_id } = filter
  const { kind, values } = flow.request(merchantId, { type, network_id, token_id }, filter, page)
  const [found] = await flowIds(c, kind, ...values)
  return { total: found!.total, rows: await flowByIds(c, merchantId, found!.ids.slice(0, page.limit)) }
}

const gas = countedList({
  name: 'gas expenses',
  table: 'gas_expenses',
  ofGroup: 'r.asset_id = g.a',
  filters: { network_id: ofChain('a'), token_id: value => `a = ${value}` },
})
const gasIds = variants('gas-expenses-page', gas.textOf, gas.described)
const gasByIds = all(
  'gas-expenses-list',
  `select e.id, a.symbol as token, a.decimals, e.amount, e.txid, e.created_at, h.definition
   from gas_expenses e join assets a on a.id = e.asset_id join chains h on h.id = e.chain_id
   where e.merchant_id = $1 and e.id = any($2) order by e.created_at desc, e.id desc`,
)

/** Reads a page of the gas that sweeps cost a merchant, newest first, with the total. */
export async function listGasExpenses(c: Queryable, merchantId: string, filter: FlowFilter, page: Page) {
  const { network_id, token_id } = filter
  const { kind, values } = gas.request(merchantId, { network_id, token_id }, filter, page)
  const [found] = await gasIds(c, kind, ...values)
  return { total: found!.total, rows: await gasByIds(c, merchantId, found!.ids.slice(0, page.limit)) }
}
