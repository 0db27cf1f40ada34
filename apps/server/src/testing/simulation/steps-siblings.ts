import type { Random } from '@coffer/chains/fake/random.ts'
import { createApplicationAddress } from '../../domains/addresses/assign-address.ts'
import { syncChains } from '../../domains/chains/sync-chains.ts'
import { comparisonWaitMaxSeconds } from '../../domains/deposits/decide-held-deposits.ts'
import { creditSiblingDeposit, returnSiblingDeposit } from '../../domains/deposits/decide-sibling.ts'
import { closeAccount } from '../../domains/onboarding/close-account.ts'
import { stopWithdrawal } from '../../domains/withdrawals/decide-withdrawal.ts'
import { testApplication, testMerchant, visitor } from '../merchants.ts'
import { rowsOf } from '../money.ts'
import type { Server } from './server.ts'
import { siblings } from './siblings.ts'
import { oneOf, type Steps } from './steps.ts'
import { payable, sentOf } from './steps-chain.ts'
import { goOn, proofFor } from './steps-out.ts'
import { isAnswer } from './steps-server.ts'
import type { Place, World } from './world.ts'

type How = 'credit' | 'return'

/** The sibling of a token of a chain, listed or not. */
const siblingOf = (world: World, place: Place) => world.assets(place).find(each => each.of !== each.symbol)!

/** Deposits that wait for an operator, oldest first. */
const waiting = ({ owner }: World) =>
  rowsOf(
    owner,
    `select d.id, d.merchant_id, d.chain_id from deposits d join assets a on a.id = d.asset_id
     where a.sibling_of is not null and not a.enabled and d.state = 'seen' and d.held_at is not null order by d.seen_at, d.id`,
  )

/** Carries out a decision of an operator, and notes what it was and whether it is known to be done. */
async function decide(world: World, server: Server, id: string, how: How): Promise<void> {
  const decision = { id, how, isDone: false }
  world.decisions.push(decision)
  if (how === 'credit') await creditSiblingDeposit(server.deps, { depositId: id })
  else await returnSiblingDeposit(server.deps, { depositId: id, who: 'operator' })
  decision.isDone = true
}

/** Several decisions at once. Throws what is no answer. */
async function atOnce(decisions: readonly Promise<unknown>[]): Promise<void> {
  for (const each of await Promise.allSettled(decisions)) {
    if (each.status === 'rejected' && !isAnswer(each.reason)) throw each.reason
  }
}

const someWay = (dice: Random): How => oneOf(dice, ['credit', 'return', 'return'])

/** Sends siblings to addresses of orders, also of ended ones, alone or beside the token that was requested. */
async function send(world: World, dice: Random): Promise<Place> {
  const place = oneOf(dice, world.places)
  const { contract, decimals, id } = siblingOf(world, place)
  const payments = (await payable(world)).filter(
    each => world.place(each.chain_id).definition.kind === place.definition.kind,
  )
  if (payments.length === 0) return place
  const transfers = Array.from({ length: 1 + dice.below(2) }, () => {
    const { address, usdt_amount, asset_id, amount, chain_id } = oneOf(dice, payments)
    const to = address.toLowerCase()
    const units =
      (BigInt(usdt_amount) * 10n ** BigInt(decimals) * BigInt(oneOf(dice, [100, 100, 40, 130]))) / 100_000_000n
    const asset = world.assets(place).find(each => each.id === asset_id && chain_id === place.definition.id)
    const beside =
      dice.chance(0.3) && asset?.contract && asset.id !== id
        ? [{ token: asset.contract, to, amount: BigInt(amount) }]
        : []
    return [...sentOf(world, { token: contract!, to, amount: units + 1n }), ...beside]
  }).flat()
  world.mine(place, [{ kind: 'tokens', transfers, reverted: dice.chance(0.05) }])
  return place
}

/** Sends siblings, and makes them final, so that they wait for an operator. */
async function sendFinal(world: World, dice: Random): Promise<void> {
  const { definition } = await send(world, dice)
  for (let i = 0; i < definition.confirmations; i++) world.mine(world.place(definition.id))
  await world.server.follow(definition.id)
  await world.server.decideHeld(definition.id)
}

/** A merchant without orders, at whose address a sibling arrives before or after it closes its account. */
async function closing(world: World, dice: Random): Promise<void> {
  const { deps } = world.server
  const place = oneOf(dice, world.places)
  const { id: merchantId } = await testMerchant(deps)
  const { appid } = await testApplication(deps, merchantId, { notify_url: world.notifyUrl })
  const of = { merchantId, appid, reference: 'customer', chainId: place.definition.id }
  const { address } = await createApplicationAddress(deps, of)
  const { contract, decimals } = siblingOf(world, place)
  const close = async () => {
    const proof = await proofFor(world, dice, merchantId, 'close-account')
    await closeAccount(deps, { merchantId, proof, from: visitor })
  }
  const isBefore = dice.chance(0.5)
  if (isBefore) await close()
  const amount = 3n * 10n ** BigInt(decimals)
  world.mine(place, [
    { kind: 'tokens', transfers: sentOf(world, { token: contract!, to: address.toLowerCase(), amount }) },
  ])
  for (let i = 0; i < place.definition.confirmations; i++) world.mine(place)
  await world.server.follow(place.definition.id)
  const its = (await waiting(world)).filter(each => each.merchant_id === merchantId)
  const decisions = its.map(({ id }) => decide(world, world.server, id, someWay(dice)))
  await atOnce(isBefore ? decisions : [...decisions, close()])
}

/** Lists the sibling of a token as a token like others, or no longer, and restarts the server. */
async function list(world: World, place: Place): Promise<void> {
  const { tokens, siblings: before = [], minimum, ...rest } = place.definition
  const sibling = siblings[rest.id]!
  const { symbol, of } = sibling
  const { issuer: _, ...token } = sibling
  const least = minimum && { ...minimum, [symbol]: minimum[of]! }
  place.definition =
    before.length > 0
      ? { ...rest, tokens: [...tokens, token], siblings: [], ...(least && { minimum: least }) }
      : {
          ...rest,
          tokens: tokens.filter(each => each.symbol !== symbol),
          siblings: [sibling],
          ...(minimum && { minimum }),
        }
  world.listed.add(rest.id)
  world.server = world.start()
  await syncChains(world.server.deps)
}

export const siblingSteps: Steps = {
  'siblings of tokens are sent': [5, async (world, dice) => void (await send(world, dice))],
  'siblings of tokens wait': [4, sendFinal],
  'the operator is told of siblings': [
    3,
    async world => {
      for (const { definition } of world.places) await world.server.decideHeld(definition.id)
    },
  ],
  'a sibling is decided': [
    5,
    async (world, dice) => {
      await world.publishPrices()
      const found = await waiting(world)
      if (found.length > 0) await decide(world, world.server, oneOf(dice, found).id, someWay(dice))
    },
  ],
  'a sibling is credited and returned at once': [
    4,
    async (world, dice) => {
      await world.publishPrices()
      const found = await waiting(world)
      if (found.length === 0) return
      const { id, chain_id } = oneOf(dice, found)
      const other = dice.chance(0.5) ? world.start() : world.server
      const ways: How[] = oneOf(dice, [
        ['credit', 'return'],
        ['credit', 'return'],
        ['return', 'return'],
        ['credit', 'credit'],
      ])
      const decisions = ways.map((how, i) => decide(world, i === 0 ? world.server : other, id, how))
      await atOnce(dice.chance(0.3) ? [...decisions, other.follow(chain_id)] : decisions)
    },
  ],
  'what is no longer to be decided is decided again': [
    3,
    async (world, dice) => {
      await world.publishPrices()
      const rows = await rowsOf(world.owner, 'select id from deposits order by seen_at desc, id limit 30')
      if (rows.length > 0) await decide(world, world.server, oneOf(dice, rows).id, someWay(dice))
    },
  ],
  'what is returned is stopped': [
    3,
    async (world, dice) => {
      const rows = await rowsOf(
        world.owner,
        `select id, chain_id from withdrawals where origin = 'return' order by created_at desc, id limit 6`,
      )
      if (rows.length === 0) return
      const { id, chain_id } = oneOf(dice, rows)
      const stop = () => stopWithdrawal(world.server.deps, { id, reason: 'by phone', who: 'operator' })
      await atOnce(dice.chance(0.5) ? [stop(), world.start().send(chain_id)] : [stop(), stop()])
    },
  ],
  'what was decided is lost': [
    2,
    async (world, dice) => {
      const places = world.places.filter(each => !each.definition.minimum)
      const place = oneOf(dice, places)
      const { id, confirmations } = place.definition
      const [row] = await rowsOf(
        world.owner,
        `select d.block_number from deposits d join assets a on a.id = d.asset_id and a.sibling_of is not null
         where d.chain_id = $1 and d.state = 'credited' and not d.doubted order by d.credited_at desc, d.id limit 1`,
        [id],
      )
      if (!row) return
      if (dice.chance(0.6)) await world.server.send(id)
      if (dice.chance(0.5)) await goOn(world, place)
      const { chain } = place
      const depth = Math.max(chain.head.number - row.block_number + 1, confirmations + 1)
      if (depth > 60) return
      const [{ final_number: final }] = await rowsOf(world.owner, 'select final_number from chains where id = $1', [id])
      if (chain.head.number - depth < final) world.deep.add(id)
      world.everDeep = true
      chain.reorg(depth, depth + dice.below(3), dice.chance(0.5) ? 0 : 0.7, world.time, final)
      await world.server.follow(id)
    },
  ],
  'a merchant is frozen while a sibling is decided': [
    2,
    async (world, dice) => {
      await world.publishPrices()
      const found = await waiting(world)
      if (found.length === 0) return
      const { id, merchant_id, chain_id } = oneOf(dice, found)
      await world.owner.query('update merchants set frozen = true where id = $1', [merchant_id])
      try {
        await decide(world, world.server, id, someWay(dice))
        await goOn(world, world.place(chain_id))
      } finally {
        await world.owner.query('update merchants set frozen = false where id = $1', [merchant_id])
      }
    },
  ],
  'a merchant closes while a sibling waits': [
    1,
    async (world, dice) => {
      await world.publishPrices()
      await closing(world, dice)
    },
  ],
  'a sibling is listed, or no longer': [
    1,
    async (world, dice) => {
      if (dice.chance(0.5)) await list(world, oneOf(dice, world.places))
    },
  ],
}

/**
 * Decides all that waits, as operators do in the end: what cannot be returned is credited. Deposits of a sibling that
 * is a listed token now, and that could not be compared, are decided by themselves after an hour.
 */
export async function decideAllSiblings(world: World): Promise<void> {
  await world.publishPrices()
  for (const [index, { id }] of (await waiting(world)).entries()) {
    const how = index % 2 === 0 ? 'return' : 'credit'
    await decide(world, world.server, id, how).catch(async error => {
      if (!isAnswer(error) || how === 'credit') throw error
      await decide(world, world.server, id, 'credit')
    })
  }
  for (const { definition } of world.places) await world.server.decideHeld(definition.id)
  if ((await rowsOf(world.owner, `select from deposits where state = 'seen' and held_at is not null`)).length === 0)
    return
  world.time += comparisonWaitMaxSeconds
  await world.publishPrices()
  for (const { definition } of world.places) await world.server.decideHeld(definition.id)
}
