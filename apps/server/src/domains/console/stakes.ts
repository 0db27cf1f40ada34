import { chainAdapters } from '@coffer/chains'
import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { Deps } from '../../deps.ts'
import { all, first } from '../../kit/db.ts'
import type { PriceSymbol } from '../../kit/price-symbol.ts'
import { type ChainAsset, findAssetByContract, readChainAssets, readOptionalChainAssets } from '../chains/assets.ts'
import { readDeepReorgIncident, readShortageStop } from '../chains/store.ts'
import { readDeposit } from '../deposits/store.ts'
import { readBalances } from '../ledger/store.ts'
import { readItems, readOpenOutgoing } from '../outgoing/store.ts'
import { readQuotes, valueInUsdt } from '../prices/store.ts'
import { readTreasuryTransfers } from '../sweeps/empty-wallet.ts'
import { extractDepositIds, toIncidentFacts } from './incident-facts.ts'
import { readIncidentDeposits, readIncidentParts } from './incident-store.ts'

/** What merchants have of each asset of one chain, or of all (null). */
const owed = all(
  'stakes-owed',
  `select a.symbol as token, a.price_of, a.decimals, coalesce(sum(l.balance), 0) as units from ledger_accounts l join assets a on a.id = l.asset_id
   where l.part in ('available', 'held') and ($1::text is null or a.chain_id = $1) group by a.id`,
)

/** Base units of an asset. */
type Units = { token: string; price_of: PriceSymbol; decimals: number; units: bigint }
export const unitsIn = ({ symbol: token, price_of, decimals }: ChainAsset, units: bigint): Units => {
  return { token, price_of, decimals, units }
}

/**
 * What something is worth in USDT with `valueDecimals`; null where a token of it has no price, which makes it worth any
 * amount.
 */
export interface UsdtValuation {
  value: bigint | null
  unpriced: readonly string[]
}

export const known = (value: bigint): UsdtValuation => ({ value, unpriced: [] })
const unknown = (...tokens: string[]): UsdtValuation => ({ value: null, unpriced: [...new Set(tokens)].sort() })
export const nothing = known(0n)

export async function worth({ pool }: Pick<Deps, 'pool'>, rows: readonly Units[]): Promise<UsdtValuation> {
  const quotes = await readQuotes(pool)
  const unpriced = rows.flatMap(row => (row.units === 0n || quotes.has(row.price_of) ? [] : row.token))
  const value = rows.reduce((sum, row) => sum + valueInUsdt(row.units, row.decimals, quotes.get(row.price_of)), 0n)
  // guard: value-known
  if (unpriced.length > 0) return unknown(...unpriced)
  return known(value)
}

/** What depends on a wallet: all that merchants have on its chain, which it pays. */
export const readWalletValue = async (deps: Pick<Deps, 'pool'>, chainId: string) =>
  worth(deps, await owed(deps.pool, chainId))

/** What depends on a queue: all that merchants have while money is missing; nothing otherwise. */
export const readQueueValue = async (deps: Pick<Deps, 'pool'>, queue: string) =>
  queue === 'withdrawals' && (await readShortageStop(deps.pool)) ? worth(deps, await owed(deps.pool, null)) : nothing

export async function readDepositValue(deps: Pick<Deps, 'pool'>, id: string): Promise<UsdtValuation> {
  const found = await readDeposit(deps.pool, id)
  const asset = found?.asset_id && (await readChainAssets(deps.pool, found.chain_id)).get(found.asset_id)
  return asset ? worth(deps, [unitsIn(asset, found.amount)]) : nothing
}

export async function readMerchantValue(deps: Pick<Deps, 'pool'>, merchantId: string): Promise<UsdtValuation> {
  const rows = await readBalances(deps.pool, merchantId)
  return worth(
    deps,
    rows.map(row => ({ ...row, units: row.available + row.held })),
  )
}

type Facts = OperatorData<'GET /api/operator/v1/stakes'>['facts']
/** What depends on a call, and what it concerns. */
type Concerned = UsdtValuation & { facts: Facts }

const fact = (name: Facts[number]['name'], value: string, unit = '') => ({ name, value, unit })

/** Deposits or payouts: how many, and the sum of each token. */
async function concerns(
  deps: Pick<Deps, 'pool'>,
  what: 'deposits' | 'payouts',
  count: number,
  rows: readonly Units[],
): Promise<Concerned> {
  const sums = Map.groupBy(rows, row => row.token)
  const amounts = [...sums].map(([token, of]) =>
    fact(
      'amount',
      formatDecimal(
        of.reduce((sum, row) => sum + row.units, 0n),
        of[0]!.decimals,
      ),
      token,
    ),
  )
  return { ...(await worth(deps, rows)), facts: [fact(what, String(count)), ...amounts] }
}

/** Resuming a halted chain: the credited deposits in doubt, which stay credited and can be withdrawn again. */
export async function readChainResumeImpact(deps: Pick<Deps, 'pool'>, chainId: string): Promise<Concerned> {
  const found = await readDeepReorgIncident(deps.pool, chainId)
  const assets = await readChainAssets(deps.pool, chainId)
  const all = found ? await readIncidentDeposits(deps.pool, extractDepositIds(found.detail)) : []
  const doubted = all.filter(each => each.doubted)
  const rows = doubted.flatMap(({ asset_id, amount }) => {
    const asset = asset_id ? assets.get(asset_id) : undefined
    return asset ? [unitsIn(asset, amount)] : []
  })
  return concerns(deps, 'deposits', doubted.length, rows)
}

const heldOf = first(
  'console-held',
  `select a.symbol as token, a.price_of, a.decimals, count(d.id) as n, coalesce(sum(d.amount), 0) as units from assets a
   left join deposits d on d.chain_id = a.chain_id and d.asset_id = a.id and d.held_at is not null and d.state = 'seen'
   where a.id = $1 group by a.id`,
)

/** Releasing a token: its held deposits, which are credited without a comparison. */
export async function readTokenReleaseImpact(deps: Pick<Deps, 'pool'>, assetId: string): Promise<Concerned> {
  const found = await heldOf(deps.pool, assetId)
  return found ? concerns(deps, 'deposits', found.n, [found]) : { ...nothing, facts: [] }
}

/** Abandoning a nonce: the withdrawals and refunds that it carries, which can be paid again. */
export async function readNonceAbandonImpact(
  deps: Pick<Deps, 'pool'>,
  chainId: string,
  nonce: number,
): Promise<Concerned> {
  const { pool } = deps
  const found = (await readOpenOutgoing(pool, chainId)).find(each => each.role === 'hot' && each.nonce === nonce)
  const { intent } = found ?? {}
  if (!found || (intent?.kind !== 'transfer' && intent?.kind !== 'batch')) return { ...nothing, facts: [] }
  const items = [...(await readItems(pool, found)).values()].flat()
  const asset = findAssetByContract(await readChainAssets(pool, chainId), intent.token)
  const rows = asset ? items.map(({ amount }) => unitsIn(asset, amount)) : []
  const of = await concerns(deps, 'payouts', items.length, rows)
  const value = asset ? of : unknown(String(intent.token))
  return { ...of, ...value, facts: [fact('nonce', String(nonce)), ...of.facts] }
}

/**
 * Emptying a hot wallet: what it has, which cannot pay until it is funded again, or all that it has to pay if that is
 * more.
 */
export async function readWalletEmptyingImpact(deps: Deps, chainId: string): Promise<Concerned> {
  const { wallet, treasury, moves, cancels } = await readTreasuryTransfers(deps, chainId)
  const { address } = chainAdapters[deps.chains.get(chainId)!.definition.kind]
  const rows = moves.map(({ asset, units }) => unitsIn(asset, units))
  const [has, pays] = await Promise.all([worth(deps, rows), readWalletValue(deps, chainId)])
  const most =
    has.value === null || pays.value === null
      ? unknown(...has.unpriced, ...pays.unpriced)
      : has.value > pays.value
        ? has
        : pays
  return {
    ...most,
    facts: [
      fact('from', address.show(wallet.address)),
      fact('to', address.show(treasury)),
      ...rows.map(({ token, decimals, units }) => fact('amount', formatDecimal(units, decimals), token)),
      ...(cancels > 0 ? [fact('cancels', String(cancels))] : []),
    ],
  }
}

/** Closing an incident: what is missing by it. */
export async function readIncidentCloseImpact(deps: Pick<Deps, 'pool'>, id: string): Promise<Concerned> {
  const parts = await readIncidentParts(deps.pool, id)
  const chainId = parts[0]?.chain_id
  const assets = await readOptionalChainAssets(deps.pool, chainId)
  const missing = parts
    .filter(each => each.resolved_at === 0)
    .flatMap(part => toIncidentFacts(part, undefined, assets))
    .filter(each => each.name === 'missing' && each.unit !== '')
  const rows = missing.map(({ value, unit }) => {
    const asset = [...assets.values()].find(each => each.symbol === unit)
    const units = asset && parseDecimal(value, asset.decimals)
    return asset && units != null ? unitsIn(asset, units) : unit
  })
  const foreign = rows.filter(each => typeof each === 'string')
  const read = rows.filter(each => typeof each !== 'string')
  return {
    ...(foreign.length > 0 ? unknown(...foreign) : await worth(deps, read)),
    facts: missing.map(({ value, unit }) => fact('missing', value, unit)),
  }
}
