import { setTimeout as sleep } from 'node:timers/promises'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import { Coffer } from '@coffer/sdk'
import { readConfig } from '@coffer/server/config.ts'
import type { Deps } from '@coffer/server/deps.ts'
import { makeDeps } from '@coffer/server/make-deps.ts'
import { makeSandboxInbox } from '@coffer/server/sandbox/inbox.ts'
import { openStreams, type Streams } from './cluster/streams.ts'
import { countUnlisted } from './listed.ts'
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
import { type Platform, startPlatform } from './platform.ts'
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
  /** Starts something else than one server on its own database. */
  start?: (dataDir: string, random: () => number) => Promise<Platform>
  dataDir: string
  log: (line: string) => void
  /** Receives, before anything starts, the function that stops everything. */
  onStop: (stop: () => Promise<void>) => void
}

export interface Outcome extends Verdict, PaidOut {
  killed: Record<string, number>
  /** Event streams that heard nothing after a fault, added up. */
  silent: number
  /** Confirmed payments that a list read afterwards did not have. */
  unlisted: number
  reorgs: number
  faults: Record<string, number>
  surprises: string[]
  forged: number
  pending: number
}

/** Payments created concurrently. */
const concurrency = 8
const settleSeconds = 600

/**
 * Runs the stream of payments and the kills concurrently, waits until everything has settled, and verifies the result.
 */
export async function torture(plan: Torture): Promise<Outcome> {
  const { seed, isLiedTo, dataDir } = plan
  const receiver = await startReceiver(seeded(seed + 1))
  const port = await steadyPort()
  let starting: Promise<Platform> | undefined
  let deps: Deps | undefined
  let streams: Streams | undefined
  const stopAll = async () => {
    streams?.stop()
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
  plan.onStop(stop)
  try {
    const random = seeded(seed + 2)
    starting = plan.start?.(dataDir, random) ?? startPlatform(dataDir, { port, isLiedTo, random })
    const platform = await starting
    const inbox = makeSandboxInbox()
    const world = { mail: inbox.mail, text: inbox.text, signIn: null, priceSources: [], chains: [], xpubs: {} }
    const env = { DATABASE_URL: platform.databaseUrl, COFFER_DATA: dataDir, COFFER_LOG: 'silent' }
    deps = makeDeps(readConfig(env), world)
    const secrets = await openShop(deps, inbox, receiver.url)
    receiver.useSecret(secrets.webhook_secret)
    const coffer = openCoffer(platform, secrets.secret_key)
    const tokens = await openTokens(coffer, platform)
    streams = openStreams(platform.urls, secrets.token)
    const run: Run = { plan, deps, platform, streams, token: secrets.token, coffer, tokens, ...nothingDone() }
    await loadAndKill(run, seeded(seed))
    for (const node of platform.nodes) node.behave()
    // Until every transfer is on the chain: there are no reorgs any more.
    do await sleep(3_000)
    while (await resendLost(run.planned))
    const settled = await waitUntilSettled(run, receiver.arrived)
    const { killed, reorgs, silent, unlisted } = run
    const { surprises } = platform
    return {
      ...settled,
      killed,
      reorgs,
      silent,
      unlisted,
      faults: countFaults(run),
      surprises,
      forged: receiver.forged(),
    }
  } finally {
    await stop()
  }
}

const nothingDone = () => ({
  killed: {} as Record<string, number>,
  silent: 0,
  unlisted: 0,
  begun: 0,
  done: 0,
  reorgs: 0,
  planned: [] as Planned[],
  requested: [] as RequestedPayout[],
})

/** A run under way: what it has begun, paid and requested, and the kills that are done. */
interface Run extends ReturnType<typeof nothingDone> {
  plan: Torture
  deps: Deps
  platform: Platform
  streams: Streams
  /** Of the person's session. */
  token: string
  coffer: Coffer
  tokens: Awaited<ReturnType<typeof openTokens>>
}

/** The shop's client, which calls all servers in turn. */
function openCoffer({ urls }: Platform, secretKey: string): Coffer {
  let calls = 0
  const inTurn: typeof fetch = (url, init) => {
    const next = urls[calls++ % urls.length]!
    return fetch(String(url).replace(urls[0]!, next), init)
  }
  return new Coffer({ baseUrl: urls[0]!, secretKey, timeoutMs: 5_000, retries: 0, fetch: inTurn })
}

/** Opens the chains of payers, each with its USDT. */
const openTokens = async (coffer: Coffer, { chains }: Platform) =>
  Promise.all(
    (await coffer.currencies()).flatMap(({ id, tokens }) =>
      tokens
        .filter(({ token }) => token === 'USDT')
        .map(async ({ contract, decimals }) => {
          const url = chains[decimals === 6 ? 0 : 1]?.url ?? ''
          return { chain: await openPayersChain(id, url, contract), decimals }
        }),
    ),
  )

async function loadAndKill(run: Run, random: () => number): Promise<void> {
  const several = (work: () => Promise<void>) => Array.from({ length: concurrency }, work)
  const taken = { next: 0 }
  const refunding: Refunding = { seen: 0, given: 0, refundable: [] }
  await Promise.all([
    killParts(run, random),
    ...several(() => pay(run, random)),
    ...several(() => takeOut(run, taken, random)),
    ...several(() => giveBack(run, refunding, random)),
  ])
}

async function killParts(run: Run, random: () => number): Promise<void> {
  const { plan, tokens } = run
  const { kills, payments } = plan
  while (run.done < kills) {
    // Spread the kills over the payments.
    while (run.begun < (payments * run.done) / kills) await sleep(50)
    await sleep(random() * 1_500)
    const payOne = () => payNext(run, random)
    const victim = await run.platform.strike(run.done, payOne)
    run.killed[victim] = (run.killed[victim] ?? 0) + 1
    run.done += 1
    await sweepNow(run.deps, tokens)
    const [silent] = await Promise.all([run.streams.silent(20), payOne()])
    run.silent += silent
    if (run.done % 3 === 0) {
      await tokens[run.done % tokens.length]?.chain.reorg(1 + Math.floor(random() * 2))
      run.reorgs += 1
    }
    plan.log(
      `${run.done} of ${kills} kills (${victim}), ${silent} streams silent, ${run.planned.length} of ${payments} payments paid, ${run.requested.length} withdrawals and refunds requested`,
    )
  }
}

async function pay(run: Run, random: () => number): Promise<void> {
  const { kills, payments } = run.plan
  while (run.begun < payments) {
    // Do not run ahead of the kills.
    if (kills > 0 && run.begun > (payments * (run.done + 1)) / kills) {
      await sleep(50)
      continue
    }
    await payNext(run, random)
  }
}

async function payNext(run: Run, random: () => number): Promise<void> {
  run.begun += 1
  const planned = await createAndPay(run.coffer, run.tokens, run.begun, { random, again: run.plan.start ? 1 : 0.1 })
  run.planned.push(planned)
  run.unlisted += await countUnlisted(run.platform.urls, run.token, planned.tradeNo)
}

async function takeOut(run: Run, taken: { next: number }, random: () => number): Promise<void> {
  const { withdrawals, payments } = run.plan
  while (taken.next < withdrawals) {
    // The balance comes from the payments.
    if (taken.next > (withdrawals * run.planned.length) / payments) {
      await sleep(50)
      continue
    }
    run.requested.push(await withdraw(run.coffer, run.tokens, taken.next++, random))
  }
}

interface Refunding {
  /** How many payments were looked at. */
  seen: number
  given: number
  /** Places of payments that can be refunded. */
  refundable: number[]
}

async function giveBack(run: Run, refunding: Refunding, random: () => number): Promise<void> {
  const { planned, plan } = run
  const { refundable } = refunding
  while (refunding.given < plan.refunds) {
    for (; refunding.seen < planned.length; refunding.seen++)
      if (planned[refunding.seen]!.way === 'once') refundable.push(refunding.seen)
    const isNext = refunding.given < (plan.refunds * planned.length) / plan.payments
    const place = isNext ? refundable.shift() : undefined
    if (place === undefined) {
      await sleep(50)
      continue
    }
    refunding.given += 1
    const made = await refund(run.coffer, planned[place]!, place, random)
    if (made) run.requested.push(made)
    else {
      // Its payment is not confirmed yet, or a reorg dropped it.
      refunding.given -= 1
      refundable.push(place)
      await sleep(500)
    }
  }
}

/** Waits until nothing is under way, at most for ten minutes. Returns what is found then. */
async function waitUntilSettled(run: Run, arrived: Parameters<typeof verify>[3]) {
  const { plan, deps, platform, planned, requested, tokens } = run
  const refunded = new Set(requested.flatMap(({ tradeNo }) => tradeNo ?? []))
  let pending = Number.POSITIVE_INFINITY
  let verdict: Verdict | undefined
  let paidOut: PaidOut | undefined
  for (let seconds = 0; seconds < settleSeconds; seconds += 2) {
    await sleep(2_000)
    const waiting = await countPending(deps, refunded)
    pending = Object.values(waiting).reduce((sum, count) => sum + count, 0)
    verdict = await verify(deps, planned, refunded, arrived)
    paidOut = await verifyPayouts(deps, requested, tokens)
    const open = paidOut.stuck + paidOut.unfinished + paidOut.unpaid
    const missing = Math.max(0, plan.sweeps - paidOut.sweeps)
    if (missing > 0 && seconds % 20 === 0) await sweepNow(deps, tokens)
    if (missing + pending + open + verdict.lost + verdict.withoutCallback + verdict.wrongStatus === 0) break
    if (seconds % 20 === 0) plan.log(`waiting: ${JSON.stringify({ pending: waiting, ...verdict, ...paidOut })}`)
  }
  if (!verdict || !paidOut) throw new Error('there is no verdict')
  const urls = platform.chains.map(each => each.url)
  for (let tries = 0; tries < 20; tries++) {
    paidOut.differ = await differences(deps, urls)
    if (paidOut.differ === 0) break
    await sleep(2_000)
  }
  return { ...verdict, ...paidOut, pending }
}

function countFaults({ plan, platform }: Run): Record<string, number> {
  const faults: Record<string, number> = {}
  for (const node of platform.nodes)
    for (const [kind, count] of Object.entries(node.faults)) faults[kind] = (faults[kind] ?? 0) + count
  if (plan.isLiedTo) faults.lies = platform.liars.reduce((sum, liar) => sum + liar.lies(), 0)
  return faults
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
