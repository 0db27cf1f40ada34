import { paymentStatus } from '@coffer/contract'
import type { Deps } from '@coffer/server/deps.ts'
import { paidEvents } from '@coffer/server/domains/callbacks/paid-in-full.ts'
import { checkLedger } from '@coffer/server/domains/ledger/check-ledger.ts'
import type { Arrived } from './receiver.ts'
import type { Planned } from './stream.ts'

export interface Verdict {
  transfers: number
  lost: number
  doubled: number
  notOnChain: number
  wrongStatus: number
  paymentsTooMany: number
  withoutCallback: number
  /** Callbacks that say that an order is paid, and are not sent since a part of it was refunded before they arrived. */
  withheld: number
  outOfOrder: number
  ledger: number
}

/**
 * Compares the database with the chains and with the callbacks received by the shop, which has requested refunds of
 * parts of the payments in `refunded`.
 */
export async function verify(
  deps: Deps,
  planned: Planned[],
  refunded: ReadonlySet<string>,
  arrived: Arrived[],
): Promise<Verdict> {
  const addresses = new Map(planned.map(each => [each.address, each]))
  const chains = [...new Set(planned.map(each => each.on.chain))]
  const onChain = (await Promise.all(chains.map(chain => chain.transfers())))
    .flat()
    .filter(({ to }) => addresses.has(to))
  const { rows: credited } = await deps.pool.query<{
    chain_id: string
    txid: string
    to_address: string
    amount: string
  }>("select chain_id, txid, to_address, amount from deposits where state = 'credited'")
  const expected = counted(onChain.map(each => `${each.chainId} ${each.txid} ${each.to} ${each.amount}`))
  const recorded = counted(credited.map(each => `${each.chain_id} ${each.txid} ${each.to_address} ${each.amount}`))
  const { rows: payments } = await deps.pool.query<{ trade_no: string; status: number }>(
    'select trade_no, status from payments',
  )
  const status = new Map(payments.map(each => [each.trade_no, each.status]))
  const paid = new Set(arrived.filter(each => each.type === 'payment.paid').map(each => each.tradeNo))
  const payable = planned.filter(each => each.way !== 'closed')
  const withheld = new Set(await withheldOf(deps, refunded))
  return {
    transfers: onChain.length,
    lost: [...expected].filter(([key]) => !recorded.has(key)).length,
    doubled: [...recorded].filter(([key, count]) => expected.has(key) && count > (expected.get(key) ?? 0)).length,
    notOnChain: [...recorded].filter(([key]) => !expected.has(key)).length,
    wrongStatus: planned.filter(
      each => status.get(each.tradeNo) !== paymentStatus[each.way === 'closed' ? 'closed' : 'paid'],
    ).length,
    paymentsTooMany: payments.length - planned.length,
    withoutCallback: payable.filter(each => !paid.has(each.tradeNo) && !withheld.has(each.tradeNo)).length,
    withheld: withheld.size,
    outOfOrder: await outOfOrder(deps, arrived),
    ledger: (await checkLedger(deps)).length,
  }
}

/**
 * Counts the payments, withdrawals and refunds whose callbacks first arrived in another order than they were written.
 * One whose first attempt failed holds back none, so that it may come later.
 */
async function outOfOrder(deps: Deps, arrived: Arrived[]): Promise<number> {
  const { rows } = await deps.pool.query<{ id: string; trade_no: string; seq: number }>(
    'select id, trade_no, seq from callbacks where attempts = 1',
  )
  const stored = new Map(rows.map(row => [row.id, row]))
  const last = new Map<string, number>()
  const wrong = new Set<string>()
  const seen = new Set<string>()
  for (const { id } of arrived) {
    if (seen.has(id)) continue
    seen.add(id)
    const callback = stored.get(id)
    if (!callback) continue
    const { trade_no: tradeNo, seq } = callback
    if (seq < (last.get(tradeNo) ?? 0)) wrong.add(tradeNo)
    last.set(tradeNo, seq)
  }
  return wrong.size
}

function counted(keys: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** SQL condition: a callback `c` is not sent, because it says that an order is paid that was refunded ($1). */
const isWithheld = `(c.event in (${paidEvents.map(event => `'${event}'`).join(', ')}) and c.result = 'not_paid' and c.trade_no = any($1))`

async function withheldOf(deps: Deps, refunded: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await deps.pool.query<{ trade_no: string }>(
    `select trade_no from callbacks c where next_at is not null and ${isWithheld}`,
    [[...refunded]],
  )
  return rows.map(row => row.trade_no)
}

/** Counts unconfirmed deposits and undelivered callbacks, by what they are; withheld callbacks wait for nothing. */
export async function countPending(deps: Deps, refunded: ReadonlySet<string>): Promise<Record<string, number>> {
  const { rows } = await deps.pool.query<{ what: string; count: string }>(
    `select 'deposit' as what, count(*) from deposits where state = 'seen' having count(*) > 0
     union all
     select trim(concat_ws(' ', c.event, c.result)), count(*) from callbacks c
     where next_at is not null and not ${isWithheld} group by 1`,
    [[...refunded]],
  )
  return Object.fromEntries(rows.map(({ what, count }) => [what, Number(count)]))
}
