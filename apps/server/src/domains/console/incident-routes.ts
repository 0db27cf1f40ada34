import { type ChainDefinition, chainAdapters } from '@coffer/chains'
import { incidentSteps, runbookPageOfIncident } from '@coffer/contract/incidents/steps.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { Deps } from '../../deps.ts'
import { toEmptyAnswer } from '../../http/context.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type ChainAsset, type ChainAssets, readChainAssets, readOptionalChainAssets } from '../chains/assets.ts'
import { isClosable } from '../chains/close-incident.ts'
import { readAnySwitch, readChain, readPayoutStop } from '../chains/store.ts'
import { listOpenDecisions } from '../operators/decide-together.ts'
import { isPayable } from '../outgoing/sender.ts'
import { walletOfRole } from '../outgoing/store.ts'
import { chainName } from './chain-name.ts'
import { defineConsoleHandlers } from './context.ts'
import { extractDepositIds, findRereadStart, readIncidentFacts } from './incident-facts.ts'
import {
  addIncidentEntry,
  listIncidents,
  listWaitingDeposits,
  readIncidentDeposits,
  readIncidentEntries,
  readIncidentParts,
  readTokenHold,
} from './incident-store.ts'
import { readOnChainConfirmations } from './stands.ts'

type Detail = OperatorData<'GET /api/operator/v1/incidents/:id'>
type Part = Awaited<ReturnType<typeof readIncidentParts>>[number]

async function partsOf({ pool }: Pick<Deps, 'pool'>, id: string): Promise<[Part, ...Part[]]> {
  const parts = await readIncidentParts(pool, id)
  if (parts.length === 0) throw new Refusal('operation_failed', { field: 'incident' })
  return parts as [Part, ...Part[]]
}

/** What stands still by an incident now. */
async function stopsOf(deps: Deps, parts: readonly Part[], assets: ChainAssets): Promise<Detail['stops']> {
  const { pool } = deps
  const stops: Detail['stops'] = []
  const add = (what: Detail['stops'][number]['what'], of: string) => {
    if (!stops.some(each => each.what === what && each.of === of)) stops.push({ what, of })
  }
  for (const { kind, chain_id, detail, resolved_at } of parts) {
    const page = runbookPageOfIncident(kind)
    const asset = String(detail.asset_id ?? '')
    const chain = chainName(deps, chain_id)
    if (page === 'money-missing' && chain_id) {
      const stop = await readPayoutStop(pool, chain_id, asset || chain_id)
      if (stop) add('withdrawals', kind === 'shortage' ? `${assets.get(asset)?.symbol ?? asset} · ${chain}` : chain)
      if ((await walletOfRole(pool, chain_id, 'hot'))?.halted) add('wallet', chain)
    }
    if (kind === 'payout_stuck' && resolved_at === 0) add('behind', chain)
    if (kind === 'deep_reorg' && chain_id && (await readChain(pool, chain_id))?.halted) add('chain', chain)
    const token = page === 'token-on-hold' ? await readTokenHold(pool, asset) : undefined
    if (token?.hold) add('token', `${token.symbol} · ${chain}`)
  }
  if (parts.some(each => each.kind === 'shortage') && stops.length === 0)
    if (await readAnySwitch(pool, 'withdrawals_stopped')) add('withdrawals', '')
  return stops
}

async function detailOf(deps: Deps, id: string): Promise<Detail> {
  const { pool } = deps
  const parts = await partsOf(deps, id)
  const [lead] = parts
  const assets = await readOptionalChainAssets(pool, lead.chain_id)
  const [entries, stops, facts] = await Promise.all([
    readIncidentEntries(pool, lead.id),
    stopsOf(deps, parts, assets),
    Promise.all(parts.map(part => readIncidentFacts(deps, part, assets))),
  ])
  const isOpen = parts.some(each => each.resolved_at === 0)
  const lastOf = (what: readonly string[], text?: string) =>
    entries.findLast(each => what.includes(each.what) && (text === undefined || each.text === text))
  return {
    id: lead.id,
    kind: lead.kind,
    chain: lead.chain_id ?? '',
    chain_name: chainName(deps, lead.chain_id),
    created_time: lead.created_at,
    closed_time: isOpen ? 0 : Math.max(...parts.map(each => each.resolved_at)),
    who: lastOf(['took'])?.who ?? '',
    with: parts.slice(1).map(each => each.kind),
    notes: entries.filter(each => each.what === 'noted').length,
    parts: parts.map(({ created_at, resolved_at, ...part }, index) => ({
      id: part.id,
      kind: part.kind,
      created_time: created_at,
      closed_time: resolved_at,
      asset_id: String(part.detail.asset_id ?? ''),
      deposit_id: String(part.detail.deposit_id ?? ''),
      facts: facts[index] ?? [],
    })),
    stops,
    steps: incidentSteps[runbookPageOfIncident(lead.kind)].map(step => {
      const done = lastOf(['ticked', 'unticked'], step)
      const isDone = done?.what === 'ticked'
      return { step, who: isDone ? done.who : '', done_time: isDone ? done.created_at : 0 }
    }),
    history: entries.map(({ created_at, ...entry }) => ({ ...entry, created_time: created_at })),
    closes: isOpen && isClosable(lead.kind),
    reread: await findRereadStart(pool, parts),
    now: deps.clock(),
  }
}

async function record(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  id: string,
  what: 'took' | 'noted' | 'ticked' | 'unticked',
  who: string,
  text: string,
): Promise<object> {
  if ((await addIncidentEntry(pool, id, what, who, text, clock())) === 0)
    throw new Refusal('operation_failed', { field: 'incident' })
  return {}
}

/** What names a deposit: itself, its merchant and its payment. */
const ofPayment = (
  row: Pick<
    Awaited<ReturnType<typeof listWaitingDeposits>>[number],
    'id' | 'mchid' | 'merchant' | 'trade_no' | 'out_trade_no' | 'title'
  >,
) => ({
  id: row.id,
  mchid: row.mchid,
  merchant: row.merchant,
  trade_no: row.trade_no ?? '',
  out_trade_no: row.out_trade_no ?? '',
  title: row.title ?? '',
})

/** A deposit that waits to be credited or given back. */
function presentWaiting(
  row: Awaited<ReturnType<typeof listWaitingDeposits>>[number],
  asset: ChainAsset,
  { kind, explorer }: ChainDefinition,
  decisions: Awaited<ReturnType<typeof listOpenDecisions>>,
) {
  const txid = chainAdapters[kind].showTxid(row.txid)
  const amount = formatDecimal(row.amount, asset.decimals)
  const requests = (['credit', 'return'] as const).flatMap(what => {
    const found = decisions.find(
      each => each.call.endsWith(`/deposits/:id/${what}`) && each.object === row.id && each.what.amount === amount,
    )
    return found ? [{ what, who: found.who }] : []
  })
  return {
    ...ofPayment(row),
    amount,
    token: asset.symbol,
    from: row.from_address && chainAdapters[kind].address.show(row.from_address),
    txid,
    explorer: explorer?.tx.replace('{}', txid) ?? '',
    block: row.block_number ?? 0,
    seen_time: row.seen_at,
    asked: requests,
  }
}

export const incidentHandlers = defineConsoleHandlers({
  'GET /api/operator/v1/incidents': ({ deps, query }) =>
    pageAnswer(listIncidents(deps.pool, null, query, pageOf(query)), row => ({
      id: row.id,
      kind: row.kind,
      chain: row.chain_id ?? '',
      chain_name: chainName(deps, row.chain_id),
      created_time: row.created_at,
      closed_time: row.closed_at ?? 0,
      who: row.who ?? '',
      with: (row.kinds ?? '').split(' ').filter(Boolean),
      notes: row.notes ?? 0,
    })),

  'GET /api/operator/v1/incidents/:id': ({ deps, params }) => detailOf(deps, params.id),

  'GET /api/operator/v1/incidents/:id/deposits': async ({ deps, params }) => {
    const parts = await partsOf(deps, params.id)
    const [{ chain_id }] = parts
    const chain = chain_id ? deps.chains.get(chain_id) : undefined
    const ids = parts.flatMap(each => extractDepositIds(each.detail))
    if (!chain || !chain_id || ids.length === 0) return { list: [] }
    const { definition } = chain
    const [rows, assets, decisions] = await Promise.all([
      readIncidentDeposits(deps.pool, ids),
      readChainAssets(deps.pool, chain_id),
      listOpenDecisions(deps),
    ])
    const stands = await readOnChainConfirmations(
      isPayable(chain) ? chain : undefined,
      rows.map(each => each.txid),
    )
    return {
      list: rows.map(row => {
        const asset = row.asset_id ? assets.get(row.asset_id) : undefined
        const txid = chainAdapters[definition.kind].showTxid(row.txid)
        const money = (units: bigint) => (asset ? formatDecimal(units, asset.decimals) : String(units))
        return {
          ...ofPayment(row),
          amount: money(row.amount),
          token: asset?.symbol ?? '',
          txid,
          explorer: definition.explorer?.tx.replace('{}', txid) ?? '',
          block: row.block_number ?? 0,
          state:
            row.state === 'undone' ? ('undone' as const) : row.doubted ? ('doubted' as const) : ('restored' as const),
          stands: stands.get(row.txid) ?? ('unknown' as const),
          available: money(row.available ?? 0n),
          spent: (row.available ?? 0n) < row.amount - row.fee,
          asked: decisions.find(each => each.call.includes('/deposits/') && each.object === row.id)?.who ?? [],
        }
      }),
    }
  },

  'GET /api/operator/v1/incidents/:id/waiting': async ({ deps, params }) => {
    const [{ kind, chain_id, detail }] = await partsOf(deps, params.id)
    const definition = chain_id ? deps.chains.get(chain_id)?.definition : undefined
    const asset = (await readOptionalChainAssets(deps.pool, chain_id)).get(String(detail.asset_id))
    if (kind !== 'other_token' || !definition || !asset) return { list: [] }
    const [rows, decisions] = await Promise.all([
      listWaitingDeposits(deps.pool, definition.id, asset.id),
      listOpenDecisions(deps),
    ])
    return { list: rows.map(row => presentWaiting(row, asset, definition, decisions)) }
  },

  'POST /api/operator/v1/incidents/:id/take': ({ deps, operator, params }) =>
    toEmptyAnswer(record(deps, params.id, 'took', operator.email, '')),

  'POST /api/operator/v1/incidents/:id/tick': ({ deps, operator, params, body: { step, done } }) =>
    toEmptyAnswer(record(deps, params.id, done ? 'ticked' : 'unticked', operator.email, step)),

  'POST /api/operator/v1/incidents/:id/note': ({ deps, operator, params, body }) =>
    toEmptyAnswer(record(deps, params.id, 'noted', operator.email, body.text)),
})
