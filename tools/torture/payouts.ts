import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainDefinition } from '@coffer/chains'
import { parseDecimal } from '@coffer/contract'
import { type Coffer, CofferError, errorCodes } from '@coffer/sdk'
import type { Deps } from '@coffer/server/deps.ts'
import { reconcileChain } from '@coffer/server/domains/ledger/reconcile.ts'
import { insertRequest } from '@coffer/server/domains/sweeps/store.ts'
import { newId } from '@coffer/server/kit/ids.ts'
import { openChain } from '@coffer/server/outside/open-chain.ts'
import { retryStatuses, type TokenOn, untilAnswered } from './stream.ts'

/** A withdrawal to an address of its own. */
export interface RequestedPayout {
  id: string
  address: string
  on: TokenOn
  /** What must arrive, in base units. */
  receives: bigint
}

/** What became of withdrawals and sweeps. */
export interface PaidOut {
  withdrawals: number
  sweeps: number
  /** Withdrawals whose money did not arrive as they say, arrived twice, or are not accomplished. */
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
  const hex = index.toString(16).padStart(4, '0')
  const address = `0x${hex}${'fee'.padEnd(32, '0')}${hex}`
  const amount = (1.5 + Math.floor(random() * 1_000_000) / 1e6).toFixed(6)
  const order = { out_no: `withdrawal-${index}`, chain: on.chain.id, token: 'USDT', amount, address }
  for (let tries = 1; ; tries++) {
    try {
      const { id, receives } = await untilAnswered(() => coffer.createWithdrawal(order))
      return { id, address, on, receives: parseDecimal(receives, on.decimals)! }
    } catch (error) {
      // The balance comes from payments that are not confirmed yet.
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

/** Compares withdrawals, sweeps and balances with the chains. */
export async function verifyPayouts(
  deps: Deps,
  requested: readonly RequestedPayout[],
  tokens: readonly TokenOn[],
): Promise<PaidOut> {
  const { rows } = await deps.pool.query<{ id: string; status: number; txid: string }>(
    'select id, status, txid from withdrawals',
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
    withdrawals: rows.length,
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
