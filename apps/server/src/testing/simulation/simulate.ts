import { createSeededRandom, type Random } from '@coffer/chains/fake/random.ts'
import { callbackStatus, codeNameOf, paymentStatus } from '@coffer/contract'
import { expirePayments } from '../../domains/payments/expire-payments.ts'
import { foldStatistics } from '../../domains/statistics/fold-statistics.ts'
import { rowsOf } from '../money.ts'
import { assertPaidOnce } from './check-out.ts'
import { assertDecidedOnce } from './check-siblings.ts'
import { assertAll } from './checks.ts'
import { isCut, Killed, type Plan } from './crash.ts'
import { oneOf, type Steps } from './steps.ts'
import { chainSteps } from './steps-chain.ts'
import { assertDecidedByOthers, hirePeople, memberSteps } from './steps-members.ts'
import { nodeSteps } from './steps-nodes.ts'
import { outSteps, restOut } from './steps-out.ts'
import { paymentSteps } from './steps-payments.ts'
import { deliverDue, giveUpLost, isAnswer, readHidden, resumeHalted, serverSteps } from './steps-server.ts'
import { decideAllSiblings, siblingSteps } from './steps-siblings.ts'
import { timeSteps } from './steps-time.ts'
import { restTreasury, treasurySteps } from './steps-treasury.ts'
import { tronSteps } from './steps-tron.ts'
import { makeWorld, skewMax, type World } from './world.ts'

const steps: Steps = {
  ...paymentSteps,
  ...chainSteps,
  ...nodeSteps,
  ...outSteps,
  ...treasurySteps,
  ...siblingSteps,
  ...serverSteps,
  ...timeSteps,
}
const everyStep = { ...steps, ...tronSteps, ...memberSteps }
const bagOf = (all: Steps) =>
  Object.entries(all).flatMap(([name, [weight]]) => Array.from({ length: weight }, () => name))
const bags = { evm: bagOf(steps), tron: bagOf({ ...steps, ...tronSteps }), members: bagOf(memberSteps) }

/**
 * Trace of a seed: its steps, with crashes marked, the payment transitions that occurred, and the hash of all that it
 * did.
 */
export type Lived = { steps: string[]; transitions: Set<string>; log: string }

export type SimulateOptions = {
  steps?: number
  /** SQL that removes a guard from the seed's database before the first step. */
  spoil?: readonly string[]
  /** Called after each step. */
  onStep?: (name: string, world: World) => void | Promise<void>
}

/** A violated invariant or unexpected error, with the steps that led to it. */
export class SeedFailed extends Error {
  override name = 'SeedFailed'
  readonly seed: number
  readonly steps: string[]

  constructor(seed: number, steps: string[], cause: unknown) {
    super(`seed ${seed} after ${steps.length} steps: ${cause instanceof Error ? cause.message : cause}`, { cause })
    this.seed = seed
    this.steps = steps
  }
}

/**
 * Runs one seed and asserts every invariant. Deterministic: a seed fixes steps, chains and faults. Throws SeedFailed.
 */
export async function simulate(
  seed: number,
  { steps: count = 150, spoil = [], onStep }: SimulateOptions = {},
): Promise<Lived> {
  const ends: (() => Promise<void> | void)[] = []
  const lived: string[] = []
  try {
    const world = await makeWorld({ after: end => void ends.push(end) }, seed)
    await hirePeople(world, seed)
    for (const sql of spoil) await world.owner.query(sql)
    const ofChains = world.places.some(each => each.definition.kind === 'tron') ? bags.tron : bags.evm
    const bag = world.people.length > 0 ? [...ofChains, ...bags.members] : ofChains
    for (let place = 0; place < count; place++) {
      const dice = createSeededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca6b))
      const name = oneOf(dice, bag)
      lived.push(name)
      await live(world, name, dice, lived)
      await onStep?.(lived.at(-1)!, world)
    }
    lived.push('come to rest')
    await rest(world)
    await assertAll(world)
    return { steps: lived, transitions: await transitionsOf(world), log: world.log.digest('hex').slice(0, 16) }
  } catch (error) {
    throw new SeedFailed(seed, lived, error)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

const crashed = ' (database crashed)'

/**
 * Runs one step. In one of eight, the server is killed at some statement and started again, or the database crashes.
 */
async function live(world: World, name: string, dice: Random, lived: string[]): Promise<void> {
  const at = dice.below(oneOf(dice, [8, 40, 120]))
  const isPlanned = dice.chance(0.12)
  const isCrash = dice.chance(0.2)
  const carriedOut = dice.chance(0.5)
  const plan: Plan | null = !isPlanned ? null : isCrash ? { at, what: 'crash' } : { at, what: 'killed', carriedOut }
  world.dice = createSeededRandom(dice.below(2 ** 31))
  const { mortal } = world.server
  mortal.plan(plan)
  try {
    await everyStep[name]![1](world, dice)
  } catch (error) {
    // A connection that was lost in a crash may be noticed by a later step.
    const wasCrash = plan?.what === 'crash' || lived.some(each => each.endsWith(crashed))
    const isOfPlan = mortal.dead ? isOfDeath(error) : wasCrash && isCut(error)
    if (!isOfPlan && !isAnswer(error)) throw error
    if (isOfPlan && !mortal.dead) lived[lived.length - 1] += crashed
  }
  mortal.plan(null)
  if (mortal.dead) {
    lived[lived.length - 1] += ' (killed)'
    await quiet(world)
    world.server = world.start()
  }
  await readHidden(world)
  await resumeHalted(world).catch(error => {
    if (!isAnswer(error)) throw error
  })
  await assertPaidOnce(world)
  await assertDecidedOnce(world)
  await assertDecidedByOthers(world)
}

/** Reports whether an error results from the kill. Concurrent statements see their connection terminated instead. */
const isOfDeath = (error: unknown) => error instanceof Killed || isCut(error)

/** Waits until no client connection is active, so that the killed process's last statement has ended. */
async function quiet({ owner }: World): Promise<void> {
  for (;;) {
    const rows = await rowsOf(
      owner,
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend' and state <> 'idle'`,
    )
    if (rows.length === 0) return
  }
}

/** Settles the world: confirms blocks, credits deposits, expires payments and delivers callbacks. */
async function rest(world: World): Promise<void> {
  world.heal()
  world.skew = 0
  for (let round = 0; round < 4; round++) {
    for (const place of world.places) {
      world.mine(place, [], true)
      for (let i = 0; i < place.definition.confirmations; i++) world.mine(place)
      const { id } = place.definition
      await world.server.follow(id)
      await world.server.findCoin(id)
    }
    await readHidden(world)
    await resumeHalted(world)
    await giveUpLost(world)
    // The longest time of a payment, created by a clock that is ahead.
    if (round === 1) world.time += 2_000 + skewMax
    if (round >= 2) while ((await expirePayments(world.server.deps)) > 0);
  }
  await decideAllSiblings(world)
  // Orders that were kept open by what waited for a decision.
  while ((await expirePayments(world.server.deps)) > 0);
  await restOut(world)
  await restTreasury(world)
  // Addresses are not compared while transactions of ours are on their way there. Without past state, balances are read
  // first, and count once their block is final.
  for (const place of world.places) {
    const { id, confirmations } = place.definition
    await world.server.findCoin(id)
    for (let i = 0; i < 2 * confirmations; i++) world.mine(place)
    await world.server.follow(id)
    await world.server.findCoin(id)
  }
  await deliverAll(world)
  while (await foldStatistics(world.server.deps));
}

async function deliverAll(world: World): Promise<void> {
  world.answersWith = 'ok'
  for (let attempts = 0; attempts < 500; attempts++) {
    if ((await deliverDue(world)) > 0) continue
    const [row] = await rowsOf(
      world.owner,
      // What is withheld is looked at again for as long as its order is not paid.
      `select min(greatest(next_at, leased_until)) as next from callbacks
       where next_at is not null and status <> ${callbackStatus.withheld}`,
    )
    if (row.next === null) return
    world.time = Math.max(world.time + 1, row.next)
  }
  throw new Error('callbacks are not delivered')
}

/** Returns the distinct payment transitions as `event from to`. */
async function transitionsOf({ owner }: World): Promise<Set<string>> {
  const rows = await rowsOf(
    owner,
    `select distinct event, lag(status) over (partition by trade_no order by seq) as before, status
     from payment_history`,
  )
  const name = (status: number | null) => (status === null ? 'new' : codeNameOf(paymentStatus, status))
  return new Set(rows.map(each => `${each.event} ${name(each.before)} ${name(each.status)}`))
}
