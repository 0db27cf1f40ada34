import { chainAdapters } from '@coffer/chains'
import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { operatorRoles } from '@coffer/contract/operator/calls.ts'
import type { TwoOperatorCall } from '@coffer/contract/operator/decisions.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { findLargestRaisedLimit, type OwnMerchantTerms, valueDecimals } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { formatOptionalUsdtValue, usdtValueText } from '../../kit/amounts.ts'
import { all, first } from '../../kit/db.ts'
import type { PriceSymbol } from '../../kit/price-symbol.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hasSecondPerson } from '../../kit/second-person.ts'
import { type ChainAsset, findAssetByContract, readChainAssets, readOptionalChainAssets } from '../chains/assets.ts'
import { readQueuePause } from '../chains/pause-queue.ts'
import { readChain, readDeepReorgIncident, readShortageStop } from '../chains/store.ts'
import { readDeposit } from '../deposits/store.ts'
import { readBalances } from '../ledger/store.ts'
import { type Merchant, merchantById, merchantByMchid } from '../merchants/store.ts'
import { getMerchantTerms } from '../merchants/terms.ts'
import { readMerchantFile } from '../onboarding/merchant-file.ts'
import { listOpenDecisions, parseDualApprovalThreshold } from '../operators/decide-together.ts'
import type { OperatorSession } from '../operators/sessions.ts'
import { readItems, readOpenOutgoing, walletOfRole } from '../outgoing/store.ts'
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
const unitsIn = ({ symbol: token, price_of, decimals }: ChainAsset, units: bigint): Units => {
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

const known = (value: bigint): UsdtValuation => ({ value, unpriced: [] })
const unknown = (...tokens: string[]): UsdtValuation => ({ value: null, unpriced: [...new Set(tokens)].sort() })
const nothing = known(0n)

async function worth({ pool }: Pick<Deps, 'pool'>, rows: readonly Units[]): Promise<UsdtValuation> {
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

type Stakes = OperatorData<'GET /api/operator/v1/stakes'>
/** What depends on a call, and what it concerns. */
type Concerned = UsdtValuation & { facts: Stakes['facts'] }

const fact = (name: Stakes['facts'][number]['name'], value: string, unit = '') => ({ name, value, unit })

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

const ranks = { fail: 3, abnormal: 3, '': 2, pass: 1, excellent: 0 }

/** What depends on a new risk level: the merchant's balances when it is lower than before. */
export const readRiskChangeValue = async (deps: Pick<Deps, 'pool'>, merchant: Merchant, level: keyof typeof ranks) =>
  ranks[level] < ranks[merchant.risk_level as keyof typeof ranks] ? readMerchantValue(deps, merchant.id) : nothing

/** What depends on new terms: the largest limit that they raise, as what may leave by it. */
export function computeTermsChangeValue(
  deps: Pick<Deps, 'config'>,
  before: OwnMerchantTerms,
  after: OwnMerchantTerms,
): UsdtValuation {
  const most = findLargestRaisedLimit(getMerchantTerms(deps, before), getMerchantTerms(deps, after))
  return known(parseDecimal(String(most), valueDecimals)!)
}

async function depositOf(deps: Pick<Deps, 'pool' | 'chains'>, id: string) {
  const found = await readDeposit(deps.pool, id)
  if (!found) throw new Refusal('transaction_not_exist')
  const asset = found.asset_id ? (await readChainAssets(deps.pool, found.chain_id)).get(found.asset_id) : undefined
  const merchant = await merchantById(deps.pool, found.merchant_id)
  const definition = deps.chains.get(found.chain_id)?.definition
  return {
    mchid: merchant?.mchid ?? '',
    merchant: merchant?.name ?? '',
    trade_no: found.trade_no ?? '',
    amount: asset ? formatDecimal(found.amount, asset.decimals) : '',
    token: asset?.symbol ?? '',
    chain: definition?.name ?? found.chain_id,
    txid: definition ? chainAdapters[definition.kind].showTxid(found.txid) : found.txid,
    block: found.block_number ?? 0,
  }
}

/** Reads what depends on a call, for the dialog in which an operator decides. */
export async function readDecisionImpact(
  deps: Deps,
  operator: Pick<OperatorSession, 'email'>,
  { call, id, nonce = -1 }: { call: TwoOperatorCall; id: string; nonce?: number | undefined },
): Promise<Stakes> {
  const [area = ''] = call.split('/v1/')[1]!.split('/')
  const about: Pick<Stakes, 'stopped' | 'deposit' | 'facts'> = { stopped: '', deposit: null, facts: [] }
  const concerned = async (read: Promise<Concerned>) => {
    const { facts, ...value } = await read
    about.facts = facts
    return value
  }
  const of: Record<string, () => Promise<UsdtValuation>> = {
    wallets: async () => {
      about.stopped = (await walletOfRole(deps.pool, id, 'hot'))?.halted ?? ''
      if (call.endsWith('empty')) return concerned(readWalletEmptyingImpact(deps, id))
      return call.endsWith('abandon') ? concerned(readNonceAbandonImpact(deps, id, nonce)) : readWalletValue(deps, id)
    },
    chains: async () => {
      about.stopped = (await readChain(deps.pool, id))?.halted ?? ''
      return concerned(readChainResumeImpact(deps, id))
    },
    assets: () => concerned(readTokenReleaseImpact(deps, id)),
    incidents: () => concerned(readIncidentCloseImpact(deps, id)),
    queues: async () => {
      about.stopped =
        (
          (await readShortageStop(deps.pool)) ??
          (id === 'withdrawals' ? await readQueuePause(deps.pool, id) : undefined)
        )?.reason ?? ''
      return readQueueValue(deps, id)
    },
    deposits: async () => {
      about.deposit = await depositOf(deps, id)
      return readDepositValue(deps, id)
    },
    merchants: async () => {
      const merchant = await merchantByMchid(deps.pool, id.toUpperCase())
      if (!merchant) throw new Refusal('merchant_not_exist')
      if (call.endsWith('unfreeze'))
        about.stopped =
          (await readMerchantFile(deps.pool, merchant.id)).find(each => each.what === 'frozen')?.text ?? ''
      return readMerchantValue(deps, merchant.id)
    },
  }
  const [{ value, unpriced }, others, open] = await Promise.all([
    of[area]!(),
    hasSecondPerson(deps.pool, operator.email, operatorRoles[call], deps.clock()),
    listOpenDecisions(deps),
  ])
  const requests = open.filter(
    each => each.call === call && each.object === id && (nonce < 0 || each.what.nonce === nonce),
  )
  const limit = usdtValueText(parseDualApprovalThreshold(deps))
  return {
    value: formatOptionalUsdtValue(value),
    unpriced: [...unpriced],
    two_above: limit,
    others,
    asked: requests,
    ...about,
  }
}
