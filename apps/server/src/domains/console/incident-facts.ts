import { type ChainKind, chainAdapters } from '@coffer/chains'
import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { parseBaseUnits } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { countDueCallbacks } from '../callbacks/store.ts'
import { type ChainAssets, findAssetByContract } from '../chains/assets.ts'
import { readItems, readOpenOutgoing } from '../outgoing/store.ts'
import { readIncidentDeposits, sumQueuedPayouts, sumWaitingDeposits } from './incident-store.ts'
import { listUnreached } from './lost-messages.ts'

type Fact = OperatorData<'GET /api/operator/v1/incidents/:id'>['parts'][number]['facts'][number]
type Detail = Record<string, unknown>

/** Kinds of incidents whose `to` is the treasury that the signer names. */
const namesOfTo: Partial<Record<string, Fact['name']>> = { treasury_changed: 'now', treasury_ours: 'treasury' }

const isObject = (value: unknown): value is Detail => typeof value === 'object' && value !== null
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const unitsIn = (value: unknown): bigint => (/^\d+$/.test(String(value)) ? parseBaseUnits(String(value)) : 0n)

/** Kinds of incidents whose reason is what an attempt or a node said as it failed. */
const saysErrors = ['node_failing', 'payouts_frozen', 'messages_lost']

/** People whom an incident names. */
const receiversMax = 20

/** Kinds of open incidents about which the payouts that wait on the chain are a fact. */
const holdsPayouts = ['wallet_halted', 'wallet_short', 'payout_waits', 'payouts_frozen']

/**
 * Reads what an incident found, in words and amounts, and what waits while it is open. `assets` are those of its chain.
 */
export async function readIncidentFacts(
  { pool, chains, clock }: Pick<Deps, 'pool' | 'chains' | 'clock'>,
  incident: { kind: string; chain_id: string | null; detail: Detail; resolved_at: number | null },
  assets: ChainAssets,
): Promise<Fact[]> {
  const { chain_id, kind, resolved_at } = incident
  const found = toIncidentFacts(incident, chains.get(chain_id ?? '')?.definition.kind, assets)
  const queued = chain_id && !resolved_at && holdsPayouts.includes(kind) ? await sumQueuedPayouts(pool, chain_id) : []
  const facts = queued.map(({ token: unit, decimals, units }): Fact => {
    return { name: 'queued', value: formatDecimal(units!, decimals), unit }
  })
  if (kind === 'payout_stuck' && chain_id && !resolved_at)
    facts.push(...(await carriedBy(pool, chain_id, incident.detail, assets)))
  const waits =
    kind === 'other_token' && chain_id && !resolved_at ? assets.get(String(incident.detail.asset_id)) : undefined
  if (waits) {
    const { n, units } = (await sumWaitingDeposits(pool, chain_id!, waits.id))!
    facts.push({ name: 'amount', value: formatDecimal(units!, waits.decimals), unit: waits.symbol })
    facts.push({ name: 'waiting', value: String(n), unit: '' })
  }
  if (kind === 'callbacks_late' && !resolved_at)
    facts.push({ name: 'callbacks', value: String((await countDueCallbacks(pool, clock()))!.n), unit: '' })
  if (kind === 'messages_lost' && !resolved_at)
    for (const { email, mchid } of (await listUnreached(pool)).slice(0, receiversMax))
      facts.push({ name: 'receiver', value: mchid ? `${email} (${mchid})` : email, unit: '' })
  return [...facts, ...found]
}

/** What a transaction that is in no block pays. */
async function carriedBy(
  c: Queryable,
  chainId: string,
  { wallet, nonce }: Detail,
  assets: ChainAssets,
): Promise<Fact[]> {
  const open = await readOpenOutgoing(c, chainId)
  const found = open.find(each => each.from_address === wallet && each.nonce === nonce)
  if (found?.intent.kind !== 'transfer' && found?.intent.kind !== 'batch') return []
  const asset = findAssetByContract(assets, found.intent.token)
  const items = [...(await readItems(c, found)).values()].flat()
  const units = items.reduce((sum, each) => sum + each.amount, 0n)
  return [
    { name: 'amount', value: formatDecimal(units, asset?.decimals ?? 0), unit: asset?.symbol ?? '' },
    ...items.map(({ id }): Fact => ({ name: 'payout', value: id, unit: '' })),
  ]
}

/**
 * What an incident found, in words and amounts; what is no fact for people stays out. `kind` is that of its chain, if
 * it has one.
 */
export function toIncidentFacts(
  { kind: incident, detail }: { kind: string; detail: Detail },
  kind: ChainKind | undefined,
  assets: ChainAssets,
): Fact[] {
  const contractOf = (value: string) => (value === 'native' || value === 'gas' ? null : value)
  const shownToken = (value: string) => findAssetByContract(assets, contractOf(value))?.symbol ?? value
  const asset = assets.get(String(detail.asset_id)) ?? assetOfToken(detail, kind, assets)
  const amount = (name: Fact['name'], units: bigint, of = asset): Fact =>
    of ? { name, value: formatDecimal(units, of.decimals), unit: of.symbol } : { name, value: String(units), unit: '' }
  const text = (name: Fact['name'], value: unknown): Fact[] =>
    value === undefined || value === null || value === '' ? [] : [{ name, value: String(value), unit: '' }]
  const facts: Fact[] = []
  if ('ledger' in detail) {
    const ledger = unitsIn(detail.ledger)
    const held = unitsIn(detail.held)
    const found = unitsIn(detail.found)
    const gap = incident === 'surplus' ? found - ledger : ledger - held - found
    facts.push(amount(incident === 'surplus' ? 'more' : 'missing', gap > 0n ? gap : 0n))
    facts.push(amount('ledger', ledger), amount('found', found))
    if (held > 0n) facts.push(amount('reserved', held))
  }
  for (const name of ['logged', 'received'] as const)
    if (name in detail) facts.push(amount(name, unitsIn(detail[name])))
  if (listOf(detail.deposits).length > 0 || incident === 'deep_reorg') facts.push(...reorgFacts(detail, assets, amount))
  facts.push(...text('messages', detail.messages))
  if ('amount' in detail) facts.push(amount('amount', unitsIn(detail.amount)))
  const wallet = typeof detail.wallet === 'string' ? detail.wallet : undefined
  facts.push(...text('node', detail.node), ...text('issuer', detail.issuer))
  const isError = saysErrors.includes(incident) && typeof detail.reason === 'string'
  const reason = isError ? encodeHaltReason('last_error', detail.reason as string) : detail.reason
  facts.push(...text('reason', reason), ...text('lacks', detail.lacks))
  facts.push(...text('token', typeof detail.token === 'string' ? shownToken(detail.token) : undefined))
  facts.push(...text('wallet', wallet && kind ? chainAdapters[kind].address.show(wallet) : wallet))
  facts.push(...text('nonce', detail.nonce), ...text('txid', detail.txid))
  facts.push(...text('was', detail.was), ...text('now', detail.now))
  facts.push(...text(namesOfTo[incident] ?? 'to', detail.to))
  facts.push(...text('payout', detail.withdrawal ?? detail.refund ?? listOf(detail.payouts).join(', ')))
  facts.push(...text('addresses', listOf(detail.unseen ?? detail.addresses).join(', ')))
  if (isObject(detail.block)) facts.push(...text('block', detail.block.number))
  if (incident === 'surplus') facts.push(...text('agreed', detail.agreed))
  if (detail.from !== undefined && detail.changes !== undefined)
    facts.push(...text('range', `${detail.from} – ${detail.to}`), ...text('changes', listOf(detail.changes).length))
  if (detail.faults !== undefined) facts.push(...text('entries', listOf(detail.faults).length))
  return detail.changes === undefined ? facts : facts.filter(each => each.name !== 'to')
}

function assetOfToken({ token }: Detail, kind: ChainKind | undefined, assets: ChainAssets) {
  if (token === undefined || !kind) return undefined
  return [...assets.values()].find(({ contract }) => (contract && chainAdapters[kind].address.show(contract)) === token)
}

function reorgFacts(
  detail: Detail,
  assets: ChainAssets,
  amount: (name: Fact['name'], units: bigint, of: NonNullable<ReturnType<ChainAssets['get']>>) => Fact,
): Fact[] {
  const sums = new Map<string, bigint>()
  for (const each of listOf(detail.deposits).filter(isObject))
    sums.set(String(each.asset_id), (sums.get(String(each.asset_id)) ?? 0n) + unitsIn(each.amount))
  const { ancestor, last } = detail
  const lost = Number(detail.transactions ?? 0)
  const range =
    isObject(ancestor) && isObject(last) ? [`${Number(ancestor.number) + 1} – ${last.number}`] : ([] as string[])
  return [
    { name: 'deposits', value: String(listOf(detail.deposits).length), unit: '' },
    ...[...sums].flatMap(([id, units]) => {
      const asset = assets.get(id)
      return asset ? [amount('amount', units, asset)] : []
    }),
    ...(lost > 0 ? [{ name: 'transactions' as const, value: String(lost), unit: '' }] : []),
    ...range.map(value => ({ name: 'range' as const, value, unit: '' })),
  ]
}

/**
 * Where to begin to read final blocks again for incidents that are open: at what a preview has shown, which is to be
 * applied; else after the last block at which nothing was missing, where its address came to be, or at that of the
 * deposit that is back. Null if that is unknown.
 */
export async function findRereadStart(
  c: Queryable,
  parts: readonly { kind: string; detail: Detail; resolved_at: number }[],
): Promise<{ block: number; apply: boolean } | null> {
  const open = parts.filter(each => each.resolved_at === 0)
  const detailsOf = (kind: string) => open.filter(each => each.kind === kind).map(({ detail }) => detail)
  const least = (blocks: unknown[]) => Math.min(...blocks.filter(each => typeof each === 'number'))
  const shown = least(detailsOf('reread_preview').map(({ from }) => from))
  if (Number.isFinite(shown)) return { block: shown, apply: true }
  const missed = detailsOf('surplus').map(({ agreed, start }) => (typeof agreed === 'number' ? agreed + 1 : start))
  const back = await readIncidentDeposits(c, detailsOf('undone_deposit_is_back').flatMap(extractDepositIds))
  const block = least([...missed, ...back.map(each => each.block_number)])
  return Number.isFinite(block) ? { block, apply: false } : null
}

/** The deposits that an incident names. */
export const extractDepositIds = ({ deposit_id, deposits }: Detail): string[] =>
  [deposit_id, ...listOf(deposits).map(each => (isObject(each) ? each.id : each))].filter(
    (id): id is string => typeof id === 'string',
  )
