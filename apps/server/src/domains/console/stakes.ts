import { kinds } from '@coffer/chains'
import { formatDecimal, parseDecimal } from '@coffer/contract/decimal.ts'
import type { TogetherCall } from '@coffer/contract/operator/decisions.ts'
import type { OperatorBody, OperatorData } from '@coffer/contract/operator/index.ts'
import { operatorRoles } from '@coffer/contract/operator/roles.ts'
import { valueDecimals } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { all } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { isAnother } from '../../kit/second-person.ts'
import { assetsOfChain } from '../chains/assets.ts'
import { pauseOf } from '../chains/pause-queue.ts'
import { readShortStop } from '../chains/store.ts'
import { readDeposit } from '../deposits/store.ts'
import { readBalances } from '../ledger/store.ts'
import { type Merchant, merchantById, merchantByMchid } from '../merchants/store.ts'
import { openDecisions, twoPeopleAbove } from '../operators/decide-together.ts'
import type { OperatorSession } from '../operators/sessions.ts'
import { walletOfRole } from '../outgoing/store.ts'
import { readQuotes, valueInUsdt } from '../prices/store.ts'

/** What merchants have of each asset of one chain, or of all (null). */
const owed = all(
  'stakes-owed',
  `select a.symbol as token, a.decimals, coalesce(sum(l.balance), 0) as units from ledger_accounts l join assets a on a.id = l.asset_id
   where l.part in ('available', 'held') and ($1::text is null or a.chain_id = $1) group by a.id`,
)

type Units = { token: string; decimals: number; units: bigint }
async function worth({ pool }: Pick<Deps, 'pool'>, rows: readonly Units[]): Promise<bigint> {
  const quotes = await readQuotes(pool)
  return rows.reduce((sum, row) => sum + valueInUsdt(row.units, row.decimals, quotes.get(row.token)), 0n)
}

/** What depends on a wallet: all that merchants have on its chain, which it pays. */
export const valueOfWallet = async (deps: Pick<Deps, 'pool'>, chainId: string) =>
  worth(deps, await owed(deps.pool, chainId))

/** What depends on a queue: all that merchants have while money is missing; nothing otherwise. */
export const valueOfQueue = async (deps: Pick<Deps, 'pool'>, queue: string) =>
  queue === 'withdrawals' && (await readShortStop(deps.pool)) ? worth(deps, await owed(deps.pool, null)) : 0n

export async function valueOfDeposit(deps: Pick<Deps, 'pool'>, id: string): Promise<bigint> {
  const found = await readDeposit(deps.pool, id)
  const asset = found?.asset_id && (await assetsOfChain(deps.pool, found.chain_id)).get(found.asset_id)
  return asset ? worth(deps, [{ token: asset.symbol, decimals: asset.decimals, units: found.amount }]) : 0n
}

export async function valueOfMerchant(deps: Pick<Deps, 'pool'>, merchantId: string): Promise<bigint> {
  const rows = await readBalances(deps.pool, merchantId)
  return worth(
    deps,
    rows.map(row => ({ ...row, units: row.available + row.held })),
  )
}

const ranks = { fail: 3, abnormal: 3, '': 2, pass: 1, excellent: 0 }

/** What depends on a new risk level: the merchant's balances when it is lower than before. */
export const valueOfRisk = async (deps: Pick<Deps, 'pool'>, merchant: Merchant, level: keyof typeof ranks) =>
  ranks[level] < ranks[merchant.risk_level as keyof typeof ranks] ? valueOfMerchant(deps, merchant.id) : 0n

type Terms = Omit<OperatorBody<'PUT /api/operator/v1/merchants/:id/terms'>, 'reason'>

/** The largest of the limits that are raised: what may leave by one click, in a day, or without an operator. */
export function valueOfTerms({ config }: Pick<Deps, 'config'>, before: Terms, after: Terms): bigint {
  const of = (terms: Terms) => ({
    single: terms.withdraw_single_max ?? config.withdrawSingleMax,
    day: terms.withdraw_day_max ?? config.withdrawDayMax,
    // 0: never.
    unasked: (terms.withdraw_approval_above ?? config.withdrawApprovalAbove) || Number.POSITIVE_INFINITY,
  })
  const [was, is] = [of(before), of(after)]
  const raised = (['single', 'day', 'unasked'] as const).filter(name => is[name] > was[name])
  const most = Math.max(0, ...raised.map(name => Math.min(is[name], name === 'unasked' ? is.day : is[name])))
  return parseDecimal(String(most), valueDecimals)!
}

async function depositOf(deps: Pick<Deps, 'pool' | 'chains'>, id: string) {
  const found = await readDeposit(deps.pool, id)
  if (!found) throw new Refusal('transaction_not_exist')
  const asset = found.asset_id ? (await assetsOfChain(deps.pool, found.chain_id)).get(found.asset_id) : undefined
  const merchant = await merchantById(deps.pool, found.merchant_id)
  const definition = deps.chains.get(found.chain_id)?.definition
  return {
    mchid: merchant?.mchid ?? '',
    trade_no: found.trade_no ?? '',
    amount: asset ? formatDecimal(found.amount, asset.decimals) : '',
    token: asset?.symbol ?? '',
    chain: definition?.name ?? found.chain_id,
    txid: definition ? kinds[definition.kind].showTxid(found.txid) : found.txid,
    block: found.block_number ?? 0,
  }
}

type Stakes = OperatorData<'GET /api/operator/v1/stakes'>

/** Reads what depends on a call, for the dialog in which an operator decides. */
export async function readStakes(
  deps: Deps,
  operator: Pick<OperatorSession, 'email'>,
  { call, id }: { call: TogetherCall; id: string },
): Promise<Stakes> {
  const [area = ''] = call.split('/v1/')[1]!.split('/')
  const about: Pick<Stakes, 'stopped' | 'deposit'> = { stopped: '', deposit: null }
  const of: Record<string, () => Promise<bigint>> = {
    wallets: async () => {
      about.stopped = (await walletOfRole(deps.pool, id, 'hot'))?.halted ?? ''
      return valueOfWallet(deps, id)
    },
    queues: async () => {
      about.stopped =
        ((await readShortStop(deps.pool)) ?? (id === 'withdrawals' ? await pauseOf(deps.pool, id) : undefined))
          ?.reason ?? ''
      return valueOfQueue(deps, id)
    },
    deposits: async () => {
      about.deposit = await depositOf(deps, id)
      return valueOfDeposit(deps, id)
    },
    merchants: async () => {
      const merchant = await merchantByMchid(deps.pool, id.toUpperCase())
      if (!merchant) throw new Refusal('merchant_not_exist')
      return valueOfMerchant(deps, merchant.id)
    },
  }
  const [value, others, open] = await Promise.all([
    of[area]!(),
    isAnother(deps.pool, operator.email, operatorRoles[call], deps.clock()),
    openDecisions(deps),
  ])
  const asked = open.filter(each => each.call === call && each.object === id)
  return { value: usdtValueText(value), two_above: usdtValueText(twoPeopleAbove(deps)), others, asked, ...about }
}
