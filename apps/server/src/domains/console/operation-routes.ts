import { chainAdapters } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { parseBaseUnits } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { toEmptyAnswer } from '../../http/context.ts'
import { jobStates } from '../../kit/loop.ts'
import { Refusal } from '../../kit/refusal.ts'
import { listServers } from '../../kit/work-share.ts'
import { type FailingNode, failingNodes } from '../../outside/open-chain.ts'
import { listBackups } from '../backups/store.ts'
import { resendCallback } from '../callbacks/resend-callback.ts'
import { countDueCallbacks, findCallbackOwner, listAbandonedCallbacks } from '../callbacks/store.ts'
import { findAssetByContract, readChainAssets } from '../chains/assets.ts'
import { findChainDelay } from '../chains/chain-delay.ts'
import { pauseQueue, queuePauses } from '../chains/pause-queue.ts'
import { requestChainReread } from '../chains/request-reread.ts'
import { allChains, listOpenIncidents } from '../chains/store.ts'
import { decideTokenHold } from '../deposits/decide-token-hold.ts'
import { readReconciliationState } from '../ledger/accounted.ts'
import { cancelNonce } from '../outgoing/cancel-nonce.ts'
import { nonceTakenReason } from '../outgoing/settle.ts'
import { countPendingTransactions, readTreasuryMoves, readWallets } from '../outgoing/store.ts'
import { sendingWork } from '../outgoing/wallet-share.ts'
import { haltByOperator } from '../outgoing/wallets.ts'
import { isStuck } from '../outgoing/watch-stuck-transactions.ts'
import { priceSourceStates } from '../prices/store.ts'
import { readSweepStatus } from '../sweeps/store.ts'
import { sweepNow } from '../sweeps/sweep-now.ts'
import { chainName } from './chain-name.ts'
import { defineConsoleHandlers } from './context.ts'
import { readExposure } from './exposure.ts'
import { readNewestOpenIncidents, sumDepositsInDoubt } from './open-incidents.ts'
import {
  countPendingTasks,
  readLiquidity,
  readPayoutQueueTotals,
  readSweepQueueTotals,
  readTodaySummary,
} from './today.ts'

const daySeconds = 86_400
/** A node is in trouble while a request failed within this time. */
const troubleMs = 300_000

const nodesOf = (deps: Deps) => failingNodes(troubleMs).map(each => presentNode(deps, each))
const presentNode = (deps: Deps, { chain, name, failures, at, reason }: FailingNode) => ({
  chain: chainName(deps, chain),
  host: name,
  failures,
  time: Math.floor(at / 1_000),
  reason,
})

/** The name of a job, without the id of its network. */
function jobOf(deps: Deps, name: string) {
  const [, what, id] = /^(send) on (.+)$/.exec(name) ?? []
  return what && id ? { name: what, chain: chainName(deps, id) } : { name, chain: '' }
}

/** The job, and the network where it works for one, of a piece of work that servers share. */
function workOf(deps: Deps, work: string) {
  const chain = [...deps.chains.keys()].find(id => work.endsWith(` ${id}`))
  return chain ? { name: work.slice(0, -chain.length - 1), chain: chainName(deps, chain) } : { name: work, chain: '' }
}

/** What a server does for all, and from which wallets it sends. */
function dividedWork(deps: Deps, work: readonly string[], since: readonly number[]) {
  const walletOf = new Map([...deps.chains.keys()].map(id => [sendingWork(id), chainName(deps, id)]))
  return {
    work: work.filter(each => !walletOf.has(each)).map(each => workOf(deps, each)),
    wallets: work.flatMap((each, n) => {
      const chain = walletOf.get(each)
      // The driver reads arrays of bigint as texts.
      return chain === undefined ? [] : [{ chain, since: Number(since[n]) }]
    }),
  }
}

/** Backups that the console lists. */
const shownBackups = 5

function replicasOf({ replica }: Deps) {
  if (!replica) return []
  const { problem, reason, lagSeconds, lagBytes } = replica.state()
  return [{ problem, reason: problem === 'away' ? reason : '', lag_seconds: lagSeconds, lag_bytes: lagBytes }]
}

async function sweepsOf(deps: Deps) {
  const rows = await readSweepStatus(deps.pool, deps.clock() - daySeconds)
  return rows.map(({ chain_id, symbol, unswept, blocked, decimals, under_way, failed }) => ({
    chain_id,
    chain: chainName(deps, chain_id),
    token: symbol,
    unswept: formatDecimal(unswept, decimals),
    blocked: formatDecimal(blocked, decimals),
    under_way,
    failed,
  }))
}

const moveStates = { assigned: 'signing', sent: 'sent', in_block: 'in_block', void: 'failed' } as const

/** What moves to the treasury from wallets that are being emptied. */
async function movesOf(deps: Deps) {
  const rows = await readTreasuryMoves(deps.pool)
  return Promise.all(
    rows.map(async ({ chain_id, nonce, intent, state, outcome, txid, waits, created_at }) => {
      const { definition } = deps.chains.get(chain_id) ?? {}
      const asset = findAssetByContract(await readChainAssets(deps.pool, chain_id), intent.token)
      const shown = txid && definition ? chainAdapters[definition.kind].showTxid(txid) : ''
      return {
        chain_id,
        chain: chainName(deps, chain_id),
        nonce,
        token: asset?.symbol ?? '',
        amount: formatDecimal('amount' in intent ? parseBaseUnits(intent.amount) : 0n, asset?.decimals ?? 0),
        state:
          state === 'final' ? (outcome === 'success' ? ('arrived' as const) : ('failed' as const)) : moveStates[state],
        waits: waits ?? '',
        txid: shown,
        created_time: created_at,
        explorer: shown && (definition?.explorer?.tx.replace('{}', shown) ?? ''),
      }
    }),
  )
}

async function queues({ pool, clock }: Deps) {
  const now = clock()
  const [callbacks, payouts, sweeps, dead, pauses] = await Promise.all([
    countDueCallbacks(pool, now),
    readPayoutQueueTotals(pool),
    readSweepQueueTotals(pool, now - daySeconds),
    listAbandonedCallbacks(pool),
    queuePauses(pool),
  ])
  const found = {
    withdrawals: { ...payouts!, failed: payouts!.abnormal },
    callbacks: { ...callbacks!, failed: dead.length },
    sweeps: sweeps!,
  }
  const queues = pauses.map(({ queue, pause }) => {
    const { n, since, failed } = found[queue]
    return { queue, waiting: n, oldest_time: since ?? 0, failed, pause }
  })
  return { dead, queues }
}

export const operationHandlers = defineConsoleHandlers({
  'GET /api/operator/v1/today': async ({ deps }) => ({
    ...(await readTodaySummary(deps)),
    open: await readNewestOpenIncidents(deps),
    nodes: nodesOf(deps),
  }),

  'GET /api/operator/v1/accounted': async ({ deps }) => {
    const [money, doubted, waiting] = await Promise.all([
      readReconciliationState(deps),
      sumDepositsInDoubt(deps),
      countPendingTasks(deps),
    ])
    const isDoubted = money.state !== 'missing' && doubted.length > 0
    return { ...money, ...(isDoubted && { state: 'doubted' as const }), doubted, waiting }
  },

  'GET /api/operator/v1/exposure': async ({ deps }) =>
    readExposure(deps, (await readLiquidity(deps, await sweepsOf(deps))).list),

  'GET /api/operator/v1/liquidity': async ({ deps }) => readLiquidity(deps, await sweepsOf(deps)),

  'GET /api/operator/v1/chains': async ({ deps }) => {
    const { pool, clock } = deps
    const [chains, incidents] = await Promise.all([allChains(pool), listOpenIncidents(pool, null)])
    return {
      list: chains.map(chain => ({
        id: chain.id,
        name: chain.definition.name,
        enabled: chain.enabled,
        read: chain.last_number,
        head: chain.head_number,
        final: Math.max(chain.final_number, 0),
        read_time: chain.read_at,
        delay: chain.enabled ? (findChainDelay(chain, clock()) ?? '') : '',
        halted: chain.halted ?? '',
      })),
      nodes: nodesOf(deps),
      incidents: incidents.map(({ chain_id, created_at, ...each }) => ({
        ...each,
        chain: chain_id ?? '',
        created_time: created_at,
      })),
    }
  },

  'POST /api/operator/v1/chains/:id/reread': ({ deps, params, body }) =>
    toEmptyAnswer(requestChainReread(deps, { chainId: params.id, ...body })),

  'POST /api/operator/v1/assets/:id/refuse': ({ deps, params, body, operator }) =>
    toEmptyAnswer(decideTokenHold(deps, { assetId: params.id, decision: 'refuse', who: operator.email, ...body })),

  'GET /api/operator/v1/wallets': async ({ deps }) => {
    const [chains, wallets, underWay, moves, sweeps] = await Promise.all([
      allChains(deps.pool),
      readWallets(deps.pool),
      countPendingTransactions(deps.pool),
      movesOf(deps),
      sweepsOf(deps),
    ])
    const kindOf = new Map(chains.map(({ id, kind }) => [id, kind]))
    return {
      list: wallets.map(({ chain_id, role, address, next_nonce, halted, emptying_since, waits }) => {
        const open = underWay.filter(each => each.chain_id === chain_id && each.from_address === address)
        return {
          chain_id,
          chain: chainName(deps, chain_id),
          role,
          address: chainAdapters[kindOf.get(chain_id)!].address.show(address),
          next_nonce,
          halted: halted ?? '',
          waits: waits ?? '',
          open: open.reduce((sum, each) => sum + each.n, 0),
          stuck: open.some(each => isStuck(each, deps.clock())),
          oldest_time: open.length === 0 ? 0 : Math.min(...open.map(each => each.since)),
          emptying_time: emptying_since ?? 0,
        }
      }),
      waiting: underWay.flatMap(({ chain_id, nonce, waits, since }) =>
        waits === null
          ? []
          : [{ chain_id, chain: chainName(deps, chain_id), nonce, waits, since, taken: waits === nonceTakenReason }],
      ),
      moves,
      sweeps,
    }
  },

  'POST /api/operator/v1/wallets/:id/halt': ({ deps, params, body }) =>
    toEmptyAnswer(haltByOperator(deps, params.id, body.reason)),

  'POST /api/operator/v1/wallets/:id/cancel': ({ deps, params, body }) =>
    toEmptyAnswer(cancelNonce(deps, { chainId: params.id, ...body })),

  'POST /api/operator/v1/wallets/:id/sweep': ({ deps, params }) =>
    toEmptyAnswer(sweepNow(deps, { chainId: params.id })),

  'GET /api/operator/v1/queues': async ({ deps }) => {
    const [found, prices, servers, backups] = await Promise.all([
      queues(deps),
      priceSourceStates(deps),
      listServers(deps.pool),
      listBackups(deps.pool),
    ])
    return {
      queues: found.queues,
      jobs: jobStates().map(({ name, everyMs, endedAt, failures, error }) => ({
        ...jobOf(deps, name),
        every_seconds: Math.ceil(everyMs / 1_000),
        ended_time: Math.floor(endedAt / 1_000),
        failures,
        error,
      })),
      servers: servers.map(({ name, started_at, chains, work, since }) => ({
        name,
        started_time: started_at,
        chains: chains.map(id => chainName(deps, id)),
        ...dividedWork(deps, work, since),
      })),
      backups: backups.slice(0, shownBackups).map(({ name, bytes, made_at, verified_at }) => ({
        name,
        bytes,
        made_time: made_at,
        checked_time: verified_at ?? 0,
      })),
      replicas: replicasOf(deps),
      prices,
      dead_letters: found.dead.map(({ merchant_id: _, created_at, ...row }) => ({ ...row, created_time: created_at })),
      now: deps.clock(),
    }
  },

  'POST /api/operator/v1/queues/:id/pause': ({ deps, params, body }) =>
    toEmptyAnswer(pauseQueue(deps, { queue: params.id, ...body })),

  'POST /api/operator/v1/callbacks/:id/resend': async ({ deps, params: { id } }) => {
    const found = await findCallbackOwner(deps.pool, id)
    if (!found) throw new Refusal('callback_not_exist')
    return toEmptyAnswer(resendCallback(deps, { merchantId: found.merchant_id, id }))
  },
})
