import { setTimeout as sleep } from 'node:timers/promises'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import { Coffer } from '@coffer/sdk'
import { readConfig } from '@coffer/server/config.ts'
import type { Deps } from '@coffer/server/deps.ts'
import { makeDeps } from '@coffer/server/make-deps.ts'
import { makeInbox } from '@coffer/server/sandbox/inbox.ts'
import { openPayersChain } from './payer.ts'
import {
  differences,
  type PaidOut,
  type RequestedPayout,
  refund,
  sweepNow,
  verifyPayouts,
  withdraw,
} from './payouts.ts'
import { type Platform, startPlatform, type Victim } from './platform.ts'
import { startReceiver } from './receiver.ts'
import { openShop } from './shop.ts'
import { createAndPay, type Planned, resendLost } from './stream.ts'
import { countPending, type Verdict, verify } from './verify.ts'

export interface Torture {
  payments: number
  withdrawals: number
  /** Of parts of payments, one each: at most half as many. */
  refunds: number
  /** How many deposit addresses are swept at least. */
  sweeps: number
  kills: number
  seed: number
  /** Whether each chain has three nodes, of which one lies in every answer. */
  isLiedTo: boolean
  dataDir: string
  log: (line: string) => void
  /** Receives, before anything starts, the function that stops everything. */
  onStop: (stop: () => Promise<void>) => void
}

export interface Outcome extends Verdict, PaidOut {
  killed: Record<Victim, number>
  reorgs: number
  faults: Record<string, number>
  surprises: string[]
  forged: number
  pending: number
}

const victims: Victim[] = ['server', 'signer', 'database', 'node']
/** Payments created concurrently. */
const concurrency = 8
const settleSeconds = 600

/**
 * Runs the stream of payments and the kills concurrently, waits until everything has settled, and verifies the result.
 */
export async function torture({
  payments,
  withdrawals,
  refunds,
  sweeps,
  kills,
  seed,
  isLiedTo,
  dataDir,
  log,
  onStop,
}: Torture): Promise<Outcome> {
  const random = seeded(seed)
  const receiver = await startReceiver(seeded(seed + 1))
  const port = await steadyPort()
  let starting: Promise<Platform> | undefined
  let deps: Deps | undefined
  const stopAll = async () => {
    await Promise.all([deps?.live.stop(), deps?.prices.stop()])
    await deps?.pool.end()
    // Wait for a start in progress: a partially started platform cannot be stopped completely.
    await starting?.then(
      platform => platform.stop(),
      () => {},
    )
    await receiver.stop()
  }
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopAll()
    return stopping
  }
  onStop(stop)
  try {
    starting = startPlatform(dataDir, { port, isLiedTo, random: seeded(seed + 2) })
    const { nodes, liars, chains, surprises, kill, databaseUrl } = await starting
    const inbox = makeInbox()
    const world = { mail: inbox.mail, text: inbox.text, signIn: null, priceSources: [], chains: [], xpubs: {} }
    deps = makeDeps(readConfig({ DATABASE_URL: databaseUrl, COFFER_DATA: dataDir, COFFER_LOG: 'silent' }), world)
    const secrets = await openShop(deps, inbox, receiver.url)
    receiver.useSecret(secrets.webhook_secret)
    const coffer = new Coffer({ baseUrl: `http://127.0.0.1:${port}`, secretKey: secrets.secret_key, timeoutMs: 10_000 })
    const tokens = await Promise.all(
      (await coffer.currencies()).flatMap(({ id, tokens }) =>
        tokens
          .filter(({ token }) => token === 'USDT')
          .map(async ({ contract, decimals }) => {
            const url = chains[decimals === 6 ? 0 : 1]?.url ?? ''
            return { chain: await openPayersChain(id, url, contract), decimals }
          }),
      ),
    )

    const killed: Record<Victim, number> = { server: 0, signer: 0, database: 0, node: 0 }
    let begun = 0
    let done = 0
    let reorgs = 0
    const planned: Planned[] = []
    const requested: RequestedPayout[] = []
    const killing = (async () => {
      while (done < kills) {
        // Spread the kills over the payments.
        while (begun < (payments * done) / kills) await sleep(50)
        await sleep(random() * 1_500)
        const victim = victims[done % victims.length] as Victim
        await kill(victim)
        killed[victim] += 1
        done += 1
        await sweepNow(deps!, tokens)
        if (done % 3 === 0) {
          await tokens[done % tokens.length]?.chain.reorg(1 + Math.floor(random() * 2))
          reorgs += 1
        }
        log(
          `${done} of ${kills} kills, ${planned.length} of ${payments} payments paid, ${requested.length} withdrawals and refunds requested`,
        )
      }
    })()
    const pay = async () => {
      while (begun < payments) {
        // Do not run ahead of the kills.
        if (kills > 0 && begun > (payments * (done + 1)) / kills) {
          await sleep(50)
          continue
        }
        begun += 1
        planned.push(await createAndPay(coffer, tokens, begun, random))
      }
    }
    let next = 0
    const takeOut = async () => {
      while (next < withdrawals) {
        // The balance comes from the payments.
        if (next > (withdrawals * planned.length) / payments) {
          await sleep(50)
          continue
        }
        requested.push(await withdraw(coffer, tokens, next++, random))
      }
    }
    let seen = 0
    let given = 0
    const refundable: number[] = []
    const giveBack = async () => {
      while (given < refunds) {
        for (; seen < planned.length; seen++) if (planned[seen]!.way === 'once') refundable.push(seen)
        const place = given < (refunds * planned.length) / payments ? refundable.shift() : undefined
        if (place === undefined) {
          await sleep(50)
          continue
        }
        given += 1
        const made = await refund(coffer, planned[place]!, place, random)
        if (made) requested.push(made)
        else {
          // Its payment is not confirmed yet, or a reorg dropped it.
          given -= 1
          refundable.push(place)
          await sleep(500)
        }
      }
    }
    const several = (work: () => Promise<void>) => Array.from({ length: concurrency }, work)
    await Promise.all([killing, ...several(pay), ...several(takeOut), ...several(giveBack)])

    for (const node of nodes) node.behave()
    // Until every transfer is on the chain: there are no reorgs any more.
    do await sleep(3_000)
    while (await resendLost(planned))
    const refunded = new Set(requested.flatMap(({ tradeNo }) => tradeNo ?? []))
    let pending = Number.POSITIVE_INFINITY
    let verdict: Verdict | undefined
    let paidOut: PaidOut | undefined
    for (let seconds = 0; seconds < settleSeconds; seconds += 2) {
      await sleep(2_000)
      const waiting = await countPending(deps, refunded)
      pending = Object.values(waiting).reduce((sum, count) => sum + count, 0)
      verdict = await verify(deps, planned, refunded, receiver.arrived)
      paidOut = await verifyPayouts(deps, requested, tokens)
      const open = paidOut.stuck + paidOut.unfinished + paidOut.unpaid
      const missing = Math.max(0, sweeps - paidOut.sweeps)
      if (missing > 0 && seconds % 20 === 0) await sweepNow(deps, tokens)
      if (missing + pending + open + verdict.lost + verdict.withoutCallback + verdict.wrongStatus === 0) break
      if (seconds % 20 === 0) log(`waiting: ${JSON.stringify({ pending: waiting, ...verdict, ...paidOut })}`)
    }
    if (!verdict || !paidOut) throw new Error('there is no verdict')
    const urls = chains.map(each => each.url)
    for (let tries = 0; tries < 20; tries++) {
      paidOut.differ = await differences(deps, urls)
      if (paidOut.differ === 0) break
      await sleep(2_000)
    }
    const faults: Record<string, number> = {}
    for (const node of nodes)
      for (const [kind, count] of Object.entries(node.faults)) faults[kind] = (faults[kind] ?? 0) + count
    if (isLiedTo) faults.lies = liars.reduce((sum, liar) => sum + liar.lies(), 0)
    return { ...verdict, ...paidOut, killed, reorgs, faults, surprises, forged: receiver.forged(), pending }
  } finally {
    await stop()
  }
}

/** Returns a generator of random numbers in [0, 1), deterministic for a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
