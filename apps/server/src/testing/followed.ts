import type { ChainView, Transfer } from '@coffer/chains'
import { FakeChain } from '@coffer/chains/fake/chain.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import type { Deps } from '../deps.ts'
import { followUntilHalted } from '../domains/deposits/follow.ts'
import { OutOfOrder } from '../domains/deposits/out-of-order.ts'
import { eth, moneyWorld } from './money.ts'

class AtTip extends Error {}

/** Follows a chain to its head, or until it is halted, as the job does but without waiting. */
export async function catchUp(deps: Deps, chain: ChainView): Promise<void> {
  for (;;) {
    try {
      return await followUntilHalted(deps, chain, {
        wait: async why => {
          if (why === 'tip' || why === 'behind') throw new AtTip()
        },
        applied: () => {},
      })
    } catch (error) {
      if (error instanceof AtTip) return
      if (!(error instanceof OutOfOrder)) throw error
    }
  }
}

/** A money world whose eth is a fake chain, followed from its first block. */
export async function followedWorld(scope: Scope, seed = 1) {
  const world = await moneyWorld(scope)
  // Discard the blocks applied by the world's TestChain.
  await world.owner.query(
    'update chains set last_number = null, last_hash = null, last_time = 0, final_number = -1; delete from chain_blocks',
  )
  const chain = new FakeChain({ definition: eth, seed, time: world.deps.clock() })
  await catchUp(world.deps, chain)
  return {
    ...world,
    chain,
    catchUp: (view: ChainView = chain) => catchUp(world.deps, view),
    /** Mines and follows empty blocks until the last block is final. */
    confirm: async () => {
      for (let i = 1; i < eth.confirmations; i++) chain.mine()
      await catchUp(world.deps, chain)
    },
  }
}

/** Address of the payer in tests. */
export const payer = '0x00000000000000000000000000000000000000aa'

/** Returns the chain with some of its methods replaced, or removed. */
export const withMethods = (
  chain: ChainView,
  methods: { [name in keyof ChainView]?: ChainView[name] | undefined },
): ChainView =>
  new Proxy(chain, {
    get(target, name) {
      if (Reflect.has(methods, name)) return Reflect.get(methods, name)
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** The chain without the transfers to an address, as an indexer that lost them reports it. */
export const hiding = ({ chain }: { chain: ChainView }, address: string) => {
  const without = <T extends { transfers: readonly Transfer[] }>(scan: T) => ({
    ...scan,
    transfers: scan.transfers.filter(each => each.to !== address),
  })
  return withMethods(chain, {
    transfersIn: async (...requested) => without(await chain.transfersIn(...requested)),
    transfersRange: async (...requested) => without(await chain.transfersRange(...requested)),
  })
}

/** Creates a credited payment of 10 USDT, and a second one with an unconfirmed deposit. Returns the first. */
export async function paid(world: Awaited<ReturnType<typeof followedWorld>>) {
  const usdt = eth.tokens[0]!.contract
  const order = await world.pay()
  const waiting = await world.pay()
  world.chain.mine([[{ token: usdt, from: payer, to: order.address, amount: 10_000_000n }]])
  await world.catchUp()
  await world.confirm()
  world.chain.mine([[{ token: usdt, from: payer, to: waiting.address, amount: 5_000_000n }]])
  await world.catchUp()
  return order
}
