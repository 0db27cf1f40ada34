import { paymentMode } from '@coffer/contract'
import { rowsOf } from '../money.ts'
import { healthy } from './sim-node.ts'
import type { SimTx, TokenTransfer } from './sim-tx.ts'
import { oneOf, rotated, type Steps } from './steps.ts'
import { finalOf, payable, shallow, someDeed, somePlace } from './steps-chain.ts'
import { isAnswer } from './steps-server.ts'

/** Situations in which one answer of a node would suffice to move money. */
export const nodeSteps: Steps = {
  'a forked node alone tells balances': [
    2,
    async (world, dice) => {
      world.heal()
      const places = new Set(world.places.map(each => `${each.definition.id}:${each.definition.native.symbol}`))
      const watched = (await payable(world)).filter(
        each =>
          places.has(each.asset_id) &&
          each.payment_mode === paymentMode.contract &&
          each.expire_at > world.clock() - 3 * 86_400,
      )
      if (watched.length === 0) return
      const { chain_id, address, amount } = oneOf(dice, watched)
      const place = world.place(chain_id)
      const { chain } = place
      for (let i = 0; i < 2; i++) world.mine(place)
      await world.server.follow(chain_id)
      // Its fork has the coin in the block that is final here.
      const depth = chain.head.number - (await finalOf(world, chain_id)) + 1
      const deed = { kind: 'coin', to: address.toLowerCase(), amount: BigInt(amount) } as const
      const [first, ...others] = rotated(dice, place.nodes)
      first!.faults = { ...healthy, fork: chain.forked(depth, depth + 1, [deed]) }
      for (const node of others) node.faults = { ...healthy, broken: 1 }
      try {
        for (let round = 0; round < 3; round++) {
          await world.server.findCoin(chain_id).catch(error => {
            if (!isAnswer(error)) throw error
          })
          // After a minute, nodes that fail no longer count.
          world.passMs(61_000)
        }
      } finally {
        world.heal()
      }
    },
  ],
  'a node alone counts confirmations': [
    2,
    async (world, dice) => {
      world.heal()
      const place = await somePlace(world, dice)
      const { chain, definition } = place
      const deed = await someDeed(world, place, dice)
      await world.server.follow(definition.id)
      world.mine(place, deed ? [deed] : [])
      const [first, ...others] = rotated(dice, place.nodes)
      first!.faults = { ...healthy, fork: chain.forked(0, definition.confirmations + dice.below(3), []) }
      for (const node of others) node.faults = { ...healthy, headless: true }
      await world.server.follow(definition.id).finally(() => world.heal())
      shallow(world, place, dice)
      await world.server.follow(definition.id)
    },
  ],
  'a node has a block of another fork in between': [
    2,
    async (world, dice) => {
      world.heal()
      const place = await somePlace(world, dice)
      const { chain, definition } = place
      const deed = await someDeed(world, place, dice)
      await world.server.follow(definition.id)
      const [row] = await rowsOf(world.owner, 'select last_number from chains where id = $1', [definition.id])
      // Blocks that are final already are read in ranges.
      for (let i = 0; i < definition.confirmations + 4; i++) world.mine(place)
      const at = row.last_number + 2
      const fork = [...chain.blocks]
      fork[at] = chain.forked(chain.head.number - at + 1, 1, deed ? [deed] : [])[at]!
      rotated(dice, place.nodes)[0]!.faults = { ...healthy, fork }
      await world.server.follow(definition.id).finally(() => world.heal())
    },
  ],
  'a node invents transfers that most deny': [
    3,
    async (world, dice) => {
      const place = world.places.find(each => !each.definition.roots)
      const { id, confirmations } = place?.definition ?? {}
      const deed = place && (await someDeed(world, place, dice))
      if (!id || !confirmations || deed?.kind !== 'tokens') return
      world.heal()
      await world.server.follow(id)
      world.mine(place!, [{ ...deed, reverted: false }])
      rotated(dice, place!.nodes)[0]!.faults = {
        ...healthy,
        lie: oneOf(dice, ['invented', 'doubled', 'amount', 'position']),
      }
      // Sometimes until others have to agree.
      await world.server.follow(id).finally(() => dice.chance(0.5) && world.heal())
      for (let i = 0; i < confirmations; i++) world.mine(place!)
      await world.server.follow(id).finally(() => world.heal())
    },
  ],
  // Two of three that agree on a lie are believed where roots cannot be computed. What is lost by it is found by
  // reading again.
  'most nodes leave out a transfer': [
    2,
    async (world, dice) => {
      const place = world.places.find(each => !each.definition.roots)
      const { id, confirmations } = place?.definition ?? {}
      const deed = place && (await someDeed(world, place, dice))
      if (!id || !confirmations || deed?.kind !== 'tokens') return
      world.heal()
      // Only the one block becomes final while they lie: what else waits is in a block that is final before.
      world.mine(place!, [], true)
      for (let i = 0; i < confirmations; i++) world.mine(place!)
      await world.server.follow(id)
      const row = await rowsOf(world.owner, 'select halted, last_hash from chains where id = $1', [id])
      if (row[0].halted || row[0].last_hash !== place!.chain.head.hash) return
      world.mine(place!, [{ kind: 'tokens', transfers: deed.transfers.slice(0, 1) }])
      // Native coin is found by its balance, not by reading again. Of several transfers the others would move to
      // another position. What is below the minimum is not looked for again.
      const isRead = ({ token, amount }: TokenTransfer) =>
        amount >= (world.assets(place!).find(each => each.contract === token)?.minimum ?? 0n)
      const isAlone = (tx: SimTx) => tx.kind === 'tokens' && tx.transfers.length === 1 && tx.transfers.every(isRead)
      if (!place!.chain.head.txs.every(isAlone)) return
      world.hidden.set(id, place!.chain.head.number)
      for (const node of rotated(dice, place!.nodes).slice(0, 2)) node.faults = { ...healthy, lie: 'cut' }
      for (let i = 1; i < confirmations; i++) world.mine(place!)
      await world.server.follow(id).finally(() => world.heal())
    },
  ],
  'all nodes answer for another chain': [
    1,
    async (world, dice) => {
      world.heal()
      const place = oneOf(dice, world.places)
      const other = world.places.find(each => each !== place)!
      await world.server.follow(place.definition.id)
      while (other.chain.head.number <= place.chain.head.number) world.mine(other)
      for (const node of place.nodes) node.faults = { ...healthy, foreign: other.chain }
      await world.server.follow(place.definition.id).finally(() => world.heal())
    },
  ],
}
