import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_FAULTS } from '@coffer/chains/fake/faults.ts'
import { type Random, seeded } from '@coffer/chains/fake/random.ts'
import { Refusal } from '../refusal.ts'
import { breakOnce } from '../testing/break.ts'
import { catchUp, followedWorld, payer } from '../testing/followed.ts'
import { assertBooksAgree } from '../testing/invariants.ts'
import { eth, firstRow, rowsOf } from '../testing/money.ts'
import { chooseAsset } from './choose-asset.ts'
import { closePayment } from './close-payment.ts'
import { expirePayments } from './expire-payments.ts'
import { reconcileChain } from './reconcile-chain.ts'
import { resumeChain } from './resume-chain.ts'

type World = Awaited<ReturnType<typeof followedWorld>>
type Step = (world: World, random: Random) => Promise<void>

const tokens = [eth.tokens[0]!.contract, eth.tokens[1]!.contract, null]
const symbols = ['USDT', 'USDC', 'ETH']
const pick = <T>(random: Random, list: readonly T[]): T | undefined => list[random.below(Math.max(1, list.length))]

const anyPayment = async (world: World, random: Random) =>
  pick(random, await rowsOf(world.owner, 'select * from payments order by trade_no'))

const steps: Record<string, [weight: number, step: Step]> = {
  create: [
    6,
    async (world, random) => {
      const fixed = random.chance(0.6) ? { token: pick(random, symbols) } : { chain: undefined, token: undefined }
      await world.pay({ amount: String(1 + random.below(50)), ...fixed })
    },
  ],
  choose: [
    3,
    async (world, random) => {
      const payment = await anyPayment(world, random)
      const assetId = `${eth.id}:${pick(random, symbols)}`
      if (payment) await chooseAsset(world.deps, { tradeNo: payment.trade_no, assetId })
    },
  ],
  close: [
    1,
    async (world, random) => {
      const payment = await anyPayment(world, random)
      const { merchant, appid } = world
      if (payment) await closePayment(world.deps, { merchantId: merchant.id, appid, tradeNo: payment.trade_no })
    },
  ],
  // What is due, a part, too much, in the token asked for or another one; several transfers in one transaction.
  send: [
    8,
    async (world, random) => {
      const payments = await rowsOf(world.owner, 'select * from payments where address is not null order by trade_no')
      const movements = Array.from({ length: 1 + random.below(3) }, () => pick(random, payments))
        .filter(each => each !== undefined)
        .map(({ address, amount, asset_id }) => {
          const token = random.chance(0.8) ? tokens[symbols.indexOf(asset_id.split(':')[1])]! : pick(random, tokens)!
          const share = BigInt(pick(random, [100, 100, 100, 40, 60, 130])!)
          return { token, from: payer, to: address, amount: (BigInt(amount) * share) / 100n }
        })
      world.chain.mine(movements.length > 0 ? [movements] : [])
    },
  ],
  mine: [
    6,
    async (world, random) => {
      for (let i = random.below(4); i >= 0; i--) world.chain.mine()
    },
  ],
  wait: [
    3,
    async (world, random) => {
      world.deps.pass(random.below(600))
    },
  ],
  follow: [10, async ({ deps, chain }) => catchUp(deps, chain)],
  'follow and be killed': [
    3,
    async (world, random) => {
      const where = pick(random, [
        /insert into deposits/,
        /update payments/,
        /ledger_post/,
        /with moved/,
        /with forgotten/,
        /commit/,
      ])!
      const pool = breakOnce(world.deps.pool, where)
      await catchUp({ ...world.deps, pool }, world.chain).catch(error => assert.match(String(error), /killed here/))
    },
  ],
  'follow twice at once': [
    2,
    async ({ deps, chain }) => void (await Promise.all([catchUp(deps, chain), catchUp(deps, chain)])),
  ],
  expire: [3, async ({ deps }) => void (await expirePayments(deps))],
  reorg: [
    3,
    async ({ chain }, random) => {
      const depth = 1 + random.below(eth.confirmations)
      chain.reorg(depth, random.chance(0.7) ? 'again' : 'lost', depth + random.below(2))
    },
  ],
  'nodes fail': [
    1,
    async ({ chain }, random) => {
      chain.faults = random.chance(0.5) ? NO_FAULTS : { ...NO_FAULTS, error: 0.1, gone: 0.05, tooMuch: 0.1, lag: 2 }
    },
  ],
}

const bag = Object.entries(steps).flatMap(([name, [weight]]) => Array.from({ length: weight }, () => name))

/** Moves the clock to the chain's, which runs by its own. */
const inTime = async ({ deps, chain }: World) => {
  const { time } = await chain.head()
  if (time > deps.clock()) deps.pass(time - deps.clock())
}

async function simulate(world: World, random: Random, count: number): Promise<string[]> {
  const lived: string[] = []
  for (let i = 0; i < count; i++) {
    const name = pick(random, bag)!
    lived.push(name)
    try {
      await steps[name]![1](world, random)
      await inTime(world)
    } catch (error) {
      // A refusal is an answer; nodes that fail are asked again by the next step.
      if (!(error instanceof Refusal) && !['ChainUnavailable', 'BlockGone'].includes((error as Error).name)) throw error
    }
    const { rows } = await world.owner.query('select halted from chains where halted is not null')
    if (rows.length > 0) await resumeChain(world.deps, { chainId: eth.id })
  }
  return lived
}

/** Follows to the end without faults, with enough blocks on top that everything is final. */
async function settle(world: World): Promise<void> {
  world.chain.faults = NO_FAULTS
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < eth.confirmations + 1; i++) world.chain.mine()
    await catchUp(world.deps, world.chain)
    const { rows } = await world.owner.query('select halted from chains where halted is not null')
    if (rows.length > 0) await resumeChain(world.deps, { chainId: eth.id })
  }
}

for (let seed = 1; seed <= 6; seed++) {
  test(`seed ${seed}: whatever happens, what is on the chain is credited once and the books agree`, async t => {
    const world = await followedWorld(t, seed)
    const lived = await simulate(world, seeded(seed), 150)
    await settle(world)
    try {
      await assertBooksAgree(world.owner)
      const head = (await world.chain.head()).number
      const ours = new Set((await rowsOf(world.owner, 'select address from deposit_addresses')).map(row => row.address))
      const { transfers } = await world.chain.transfersRange(0, head, {
        tokens: tokens.filter(each => each !== null),
        native: true,
        isOurs: address => ours.has(address),
      })
      const credited = await rowsOf(
        world.owner,
        `select txid, asset_id, ordinal, amount from deposits where state = 'credited' and not doubted`,
      )
      const key = (...parts: unknown[]) => parts.join(' ')
      assert.deepEqual(
        credited.map(each => key(each.txid, each.asset_id, each.ordinal, each.amount)).sort(),
        transfers
          .map(each => key(each.txid, `${eth.id}:${symbols[tokens.indexOf(each.token)]}`, each.ordinal, each.amount))
          .sort(),
      )
      const doubted = await firstRow(world.owner, 'select count(*) from deposits where doubted')
      if (doubted.count === 0) {
        const verdicts = (await reconcileChain(world.deps, world.chain)).map(each => each.verdict)
        assert.deepEqual(new Set(verdicts), new Set(['agrees']))
      }
    } catch (error) {
      throw new Error(`seed ${seed} after ${lived.join(', ')}`, { cause: error })
    }
  })
}
