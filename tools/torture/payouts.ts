import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainDefinition } from '@coffer/chains'
import { parseDecimal } from '@coffer/contract'
import { type Coffer, CofferError, errorCodes } from '@coffer/sdk'
import type { Deps } from '@coffer/server/deps.ts'
import { reconcileChain } from '@coffer/server/domains/ledger/reconcile.ts'
import { insertRequest } from '@coffer/server/domains/sweeps/store.ts'
import { newId } from '@coffer/server/kit/ids.ts'
import { openChain } from '@coffer/server/outside/open-chain.ts'
import { type Planned, retryStatuses, type TokenOn, untilAnswered } from './stream.ts'

/** A withdrawal or refund to an address of its own. */
export interface RequestedPayout {
  id: string
  /** The payment of which a refund is a part; null for a withdrawal. */
  tradeNo: string | null
  address: string
  on: TokenOn
  /** What must arrive, in base units. */
  receives: bigint
}

/** What became of withdrawals, refunds and sweeps. */
export interface PaidOut {
  withdrawals: number
  refunds: number
  sweeps: number
  /** Withdrawals and refunds whose money did not arrive as they say, arrived twice, or are not accomplished. */
  unpaid: number
  paidTwice: number
  stuck: number
  /** Transactions of ours that are not final. */
  unfinished: number
  /** Assets whose balances on the chain and in the ledger differ. */
  differ: number
}

/** Requests withdrawal number `index`, once the balance allows it, retrying with the same number. */
export async function withdraw(
  coffer: Coffer,
  tokens: TokenOn[],
  index: number,
  random: () => number,
): Promise<RequestedPayout> {
  const on = tokens[Math.floor(random() * tokens.length)] as TokenOn
  const amount = (1.5 + Math.floor(random() * 1_000_000) / 1e6).toFixed(6)
  const address = addressOf(index)
  const order = { out_no: `withdrawal-${index}`, chain: on.chain.id, token: 'USDT', amount, address }
  const { id, receives } = await untilAllowed(() => coffer.createWithdrawal(order))
  return { id, tradeNo: null, address, on, receives: parseDecimal(receives, on.decimals)! }
}

/**
 * Requests refund number `index`, of a part of a payment, whose status is the same again afterwards. Null while the
 * payment is not credited.
 */
export async function refund(
  coffer: Coffer,
  { tradeNo, on }: Planned,
  index: number,
  random: () => number,
): Promise<RequestedPayout | null> {
  const amount = (0.5 + Math.floor(random() * 400_000) / 1e6).toFixed(6)
  const address = addressOf(0x8000 + index)
  const part = { trade_no: tradeNo, kind: 'part', gas_payer: 'merchant', amount, address } as const
  try {
    const { id, receives } = await untilAllowed(() => coffer.createRefund({ out_no: `refund-${index}`, ...part }))
    return { id, tradeNo, address, on, receives: parseDecimal(receives, on.decimals)! }
  } catch (error) {
    if (error instanceof CofferError && error.code === errorCodes.cannot_refund) return null
    throw error
  }
}

/** An address that nobody else is paid to, and that looks like no other. */
function addressOf(index: number): string {
  const hex = index.toString(16).padStart(4, '0')
  return `0x${hex}${'fee'.padEnd(32, '0')}${hex}`
}

/** Retries while the balance does not allow it: it comes from payments that are not confirmed yet. */
async function untilAllowed<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await untilAnswered(ask)
    } catch (error) {
      if (!(error instanceof CofferError) || retryStatuses.has(error.status) || tries === 300) throw error
      if (error.code !== errorCodes.insufficient_balance) throw error
      await sleep(1_000)
    }
  }
}

/** Requests that all deposits of the chains be swept, as `sweep now` does. */
export async function sweepNow(deps: Deps, tokens: readonly TokenOn[]): Promise<void> {
  for (const { chain } of tokens)
    await insertRequest(deps.pool, newId(), chain.id, null, deps.clock()).catch(() => {
      // The database is down; the next request sweeps more.
    })
}

/** Compares withdrawals, refunds, sweeps and balances with the chains. */
export async function verifyPayouts(
  deps: Deps,
  requested: readonly RequestedPayout[],
  tokens: readonly TokenOn[],
): Promise<PaidOut> {
  const { rows } = await deps.pool.query<{ id: string; status: number; txid: string; is_refund: boolean }>(
    `select id, status, txid, false as is_refund from withdrawals
     union all select id, status, txid, true from refunds`,
  )
  const stored = new Map(rows.map(row => [row.id, row]))
  const arrived = Map.groupBy(
    (await Promise.all(tokens.map(({ chain }) => chain.transfers()))).flat(),
    each => `${each.chainId} ${each.to}`,
  )
  const of = (each: RequestedPayout) => arrived.get(`${each.on.chain.id} ${each.address}`) ?? []
  const isPaid = (each: RequestedPayout) =>
    of(each)[0]?.amount === each.receives && of(each)[0]?.txid === stored.get(each.id)?.txid
  const [counts] = (
    await deps.pool.query<{ sweeps: string; open: string }>(
      `select (select count(*) from sweeps where state = 'swept') as sweeps,
         (select count(*) from outgoing where state in ('assigned', 'sent', 'in_block'))
           + (select count(*) from sweeps where state in ('funding', 'funded', 'sent')) as open`,
    )
  ).rows
  return {
    withdrawals: rows.filter(row => !row.is_refund).length,
    refunds: rows.filter(row => row.is_refund).length,
    sweeps: Number(counts!.sweeps),
    unpaid: requested.filter(each => !isPaid(each)).length + (rows.length - requested.length),
    paidTwice: requested.filter(each => of(each).length > 1).length,
    stuck: requested.filter(each => stored.get(each.id)?.status !== accomplished).length,
    unfinished: Number(counts!.open),
    differ: 0,
  }
}

const accomplished = 5

/** Counts the assets whose balances on the chain and in the ledger differ, without the faulty nodes. */
export async function differences(deps: Deps, urls: readonly string[]): Promise<number> {
  const { rows } = await deps.pool.query<{ definition: ChainDefinition }>('select definition from chains order by id')
  let differ = 0
  for (const { definition } of rows) {
    const url = urls[definition.chainId === 31337 ? 0 : 1]!
    const compared = await reconcileChain(deps, openChain({ definition, nodes: [{ url }] }, deps.log))
    differ += compared.length === 0 ? 1 : compared.filter(each => each.verdict !== 'agrees').length
    // Nothing is under way any more, so what is held is nothing but reserved.
    differ += compared.filter(each => each.asset_id.endsWith('USDT') && each.found !== each.chain).length
  }
  return differ
}
