import { chainAdapters } from '@coffer/chains'
import { merchantStatus, withdrawalStatus, workOrderStatus } from '@coffer/contract/codes.ts'
import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Deps } from '../../deps.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { all, first } from '../../kit/db.ts'
import type { PriceSymbol } from '../../kit/price-symbol.ts'
import { buildValidApprovalSql } from '../../kit/second-person.ts'
import { isWatchedSql } from '../chains/assets.ts'
import { findChainDelay } from '../chains/chain-delay.ts'
import { queuePauses } from '../chains/pause-queue.ts'
import { allChains, listOpenIncidents } from '../chains/store.ts'
import { readReconciliationState } from '../ledger/accounted.ts'
import { isPayable } from '../outgoing/sender.ts'
import { priceSourceStates, readQuotes, valueInUsdt } from '../prices/store.ts'

const { primary_audit, advanced_audit } = merchantStatus
const { auditing, abnormal, transferring } = withdrawalStatus

const daySeconds = 86_400

/** Whether a wallet `w` is halted or short and no open incident says so. */
const isUnreported = `w.role <> 'deposit' and (w.halted is not null or w.waits is not null) and not exists (
  select from incidents i where i.chain_id = w.chain_id and i.kind in ('wallet_halted', 'wallet_short') and i.resolved_at is null)`

/** Counts what waits for a person. */
const waiting = first(
  'console-waiting',
  `select
     (select count(*) from merchants where status in (${primary_audit}, ${advanced_audit}) and deleted_at is null) as openings,
     (select count(*) from withdrawals where status in (${auditing}, ${abnormal})) as withdrawals,
     (select coalesce(sum(usdt_value), 0) from withdrawals where status in (${auditing}, ${abnormal})) as withdrawals_value,
     (select coalesce(min(created_at), 0) from withdrawals where status in (${auditing}, ${abnormal})) as withdrawals_since,
     (select count(*) from refunds where status = ${abnormal}) as refunds,
     (select coalesce(sum(usdt_value), 0) from refunds where status = ${abnormal}) as refunds_value,
     (select coalesce(min(created_at), 0) from refunds where status = ${abnormal}) as refunds_since,
     (select coalesce(min(created_at), 0) from work_orders where status = ${workOrderStatus.in_progress}) as work_orders_since,
     (select count(*) from withdrawals w where status in (${auditing}, ${abnormal}) and exists (
       select from operator_approvals a where subject = 'withdrawal ' || w.id || ' ' || w.events and ${buildValidApprovalSql('a')})) as second_approvals,
     (select count(*) from work_orders where status = ${workOrderStatus.in_progress}) as work_orders,
     (select count(distinct coalesce(part_of, id)) from incidents where resolved_at is null) as incidents,
     (select min(created_at) from incidents where resolved_at is null) as incidents_since,
     (select count(*) from wallets w where ${isUnreported}) as wallets,
     (select min(w.waits_since) from wallets w where ${isUnreported}) as wallets_since`,
)

/** What was credited and withdrawn from $1 on and before $2, in USDT with 18 decimals. */
const moved = first(
  'console-moved',
  `select coalesce(sum(volume_usdt), 0) as came, coalesce(sum(withdrawn_usdt), 0) as went from (
     select s.volume_usdt, s.withdrawn_usdt from merchants m cross join lateral (
       select volume_usdt, withdrawn_usdt from statistics s
       where s.merchant_id = m.id and s.span = 'quarter' and s.slot >= $1 and s.slot < $2) s
     union all
     select volume_usdt, withdrawn_usdt from statistics_changes where at >= $1 and at < $2
   ) moved`,
)

/** Removals of authenticators that wait for a second operator, or for their time, oldest first. */
const removals = all(
  'console-removals',
  `select m.mchid, m.name, r.requested_by, r.requested_at as requested_time, coalesce(r.confirmed_by, '') as confirmed_by,
     coalesce(r.due_at, 0) as due_time
   from authenticator_removals r join merchants m on m.id = r.person_id order by r.requested_at limit 100`,
)

/** Counts what waits for a person under each entry of the menu. */
export async function countPendingTasks({ pool }: Pick<Deps, 'pool'>) {
  const { incidents, openings, withdrawals, refunds, work_orders } = (await waiting(pool))!
  return { incidents, merchants: openings, withdrawals: withdrawals + refunds, orders: work_orders }
}

const deadLetters = first(
  'console-dead-letters',
  `select count(*) as n from (select 1 from callbacks where status = 4 and result <> 'superseded' and created_at > $1 limit 1000) dead`,
)

/** Counts payouts to merchants and payers without a transaction, in USDT as well, and those that are in doubt. */
export const readPayoutQueueTotals = first(
  'console-payouts',
  `select count(*) filter (where status = ${transferring}) as n, min(created_at) filter (where status = ${transferring}) as since,
     sum(usdt_value) filter (where status = ${transferring}) as value,
     count(*) filter (where status = ${abnormal}) as abnormal
   from (select status, created_at, out_nonce, usdt_value from withdrawals
     union all select status, created_at, out_nonce, usdt_value from refunds) payouts
   where (status = ${transferring} and out_nonce is null) or status = ${abnormal}`,
)

/** Counts sweeps under way, and those that failed since $1. */
export const readSweepQueueTotals = first(
  'console-sweeps',
  `select count(*) filter (where state <> 'failed') as n, min(created_at) filter (where state <> 'failed') as since,
     count(*) filter (where state = 'failed' and updated_at > $1) as failed
   from sweeps where state in ('funding', 'funded', 'sent', 'failed')`,
)

/** Reads what needs a person, and what moved since midnight UTC. */
export async function readTodaySummary(deps: Deps) {
  const { pool, clock } = deps
  const now = clock()
  const since = now - (now % daySeconds)
  const [counts, sums, before, dead, removed, chains, reorgs, stuck, sources, pauses] = await Promise.all([
    waiting(pool),
    moved(pool, since, since + daySeconds),
    moved(pool, since - daySeconds, since),
    deadLetters(pool, now - daySeconds),
    removals(pool),
    allChains(pool),
    listOpenIncidents(pool, ['deep_reorg']),
    readPayoutQueueTotals(pool),
    priceSourceStates(deps),
    queuePauses(pool),
  ])
  const { withdrawals_value, refunds_value, ...numbers } = counts!
  return {
    ...numbers,
    withdrawals_usdt: usdtValueText(withdrawals_value ?? 0n),
    refunds_usdt: usdtValueText(refunds_value ?? 0n),
    withdrawals_since: numbers.withdrawals_since ?? 0,
    refunds_since: numbers.refunds_since ?? 0,
    work_orders_since: numbers.work_orders_since ?? 0,
    incidents_since: numbers.incidents_since ?? 0,
    wallets_since: numbers.wallets_since ?? 0,
    unsent: stuck!.n,
    unsent_usdt: usdtValueText(stuck!.value ?? 0n),
    unsent_since: stuck!.since ?? 0,
    dead_letters: dead!.n,
    silent_prices: sources.flatMap(({ silent, ...source }) => (silent ? [source] : [])),
    chains: chains.flatMap(chain => {
      const why = chain.enabled ? findChainDelay(chain, now) : null
      if (why === null) return []
      const reorg = reorgs.find(each => each.chain_id === chain.id)?.created_at ?? 0
      const since = why === 'halted' ? reorg : why === 'unreachable' ? chain.read_at : chain.last_time
      return [{ id: chain.id, name: chain.definition.name, why, since }]
    }),
    paused: pauses.flatMap(({ queue, pause }) => (pause ? [{ queue, ...pause }] : [])),
    in_usdt: usdtValueText(sums!.came),
    out_usdt: usdtValueText(sums!.went),
    since,
    in_usdt_before: usdtValueText(before!.came),
    out_usdt_before: usdtValueText(before!.went),
    removals: removed.map(row => ({ ...row, confirmed_by: row.confirmed_by ?? '', due_time: row.due_time ?? 0 })),
  }
}

/**
 * What merchants have of each asset, and the hot wallet that pays it; of a sibling of a token, once it was credited.
 */
const owed = all(
  'console-owed',
  `select a.id, a.chain_id, a.symbol, a.price_of, a.decimals, a.contract, w.address,
     coalesce(sum(l.balance) filter (where l.part = 'held'), 0) as held,
     coalesce(sum(l.balance) filter (where l.part = 'available'), 0) as available
   from assets a join chains h on h.id = a.chain_id join wallets w on w.chain_id = a.chain_id and w.role = 'hot'
   left join ledger_accounts l on l.asset_id = a.id and l.part in ('held', 'available')
   where ${isWatchedSql('a')} and h.enabled group by a.id, w.address having a.enabled or sum(l.balance) > 0 order by a.chain_id, a.symbol`,
)

/** How long a node may take to name a balance (ms). */
const patienceMs = 3_000

const inTime = <T>(reading: Promise<T>): Promise<T | null> =>
  Promise.race([reading.catch(() => null), new Promise<null>(resolve => setTimeout(resolve, patienceMs, null).unref())])

/** What a treasury could add to a hot wallet that has less than is reserved. */
const lacking = (balance: bigint | null, held: bigint, treasury: bigint | null) => {
  const lacks = balance === null || balance >= held ? 0n : held - balance
  return treasury !== null && treasury < lacks ? treasury : treasury === null ? 0n : lacks
}

/**
 * Reads what wallets and deposit addresses hold of each asset beside what is reserved and owed; a balance is empty
 * while no node answers. Whether money is missing is what the last comparison says; balances of now only make the state
 * worse.
 */
export async function readLiquidity(
  deps: Deps,
  sweeps: readonly { chain_id: string; token: string; unswept: string; blocked: string }[],
) {
  const [rows, accounted] = await Promise.all([owed(deps.pool), readReconciliationState(deps)])
  const treasuries = new Map(
    await Promise.all(
      [...new Set(rows.map(each => each.chain_id))].map(
        async id => [id, (await inTime(deps.signer.treasury(id)))?.address] as const,
      ),
    ),
  )
  const quotes = await readQuotes(deps.pool)
  const worth = (units: bigint, { price_of, decimals }: { price_of: PriceSymbol; decimals: number }) =>
    valueInUsdt(units, decimals, quotes.get(price_of))
  const sums = { held: 0n, owed: 0n }
  const list = await Promise.all(
    rows.map(async ({ id, chain_id, symbol, price_of, decimals, contract, address, held, available }) => {
      const chain = deps.chains.get(chain_id)
      const sender = chain && isPayable(chain) ? chain : undefined
      const balanceOf = (of: string | undefined) =>
        sender && of !== undefined ? inTime(sender.balanceOf(contract, of)) : null
      const treasuryAddress = treasuries.get(chain_id)
      const [balance, treasury] = await Promise.all([balanceOf(address), balanceOf(treasuryAddress)])
      const { unswept, blocked } = sweeps.find(each => each.chain_id === chain_id && each.token === symbol) ?? {
        unswept: '0',
        blocked: '0',
      }
      const isSeen = balance !== null && (treasuryAddress === undefined || treasury !== null)
      const present = (balance ?? 0n) + (treasury ?? 0n) + parseDecimal(unswept, decimals)!
      const value = worth(present, { price_of, decimals })
      sums.held += value
      sums.owed += worth(available, { price_of, decimals })
      const state = accounted.missing.some(each => each.asset_id === id)
        ? ('missing' as const)
        : isSeen && present < available
          ? ('uncovered' as const)
          : balance !== null && balance < held
            ? ('short' as const)
            : balance === null || accounted.unknown.some(each => each.asset_id === id)
              ? ('unknown' as const)
              : ('covered' as const)
      return {
        chain: chain?.definition.name ?? chain_id,
        chain_id,
        address: chain ? chainAdapters[chain.definition.kind].address.show(address) : address,
        token: symbol,
        balance: balance === null ? '' : formatDecimal(balance, decimals),
        reserved: formatDecimal(held, decimals),
        owed: formatDecimal(available, decimals),
        unswept,
        blocked,
        value_usdt: usdtValueText(value),
        treasury: treasury === null ? '' : formatDecimal(treasury, decimals),
        from_treasury: formatDecimal(lacking(balance, held, treasury), decimals),
        state,
      }
    }),
  )
  return { list, held_usdt: usdtValueText(sums.held), owed_usdt: usdtValueText(sums.owed) }
}
