import type { ChainView } from '@coffer/chains'
import { FakeChain } from '@coffer/chains/fake/chain.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import type { Deps } from '../deps.ts'
import { OutOfOrder } from '../domains/deposits/apply-blocks.ts'
import { followOnce } from '../domains/deposits/follow.ts'
import { eth, moneyWorld } from './money.ts'

class AtTip extends Error {}

/** Follows a chain as far as its nodes are, or until it is halted, as the job does and without waiting. */
export async function catchUp(deps: Deps, chain: ChainView): Promise<void> {
  for (;;) {
    try {
      return await followOnce(deps, chain, {
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

/** A money world whose eth is a chain in memory that was followed from its first block on. */
export async function followedWorld(scope: Scope, seed = 1) {
  const world = await moneyWorld(scope)
  // What the world's own chain applied is forgotten.
  await world.owner.query(
    'update chains set last_number = null, last_hash = null, last_time = 0, final_number = -1; delete from chain_blocks',
  )
  const chain = new FakeChain({ definition: eth, seed, time: world.deps.clock() })
  await catchUp(world.deps, chain)
  return {
    ...world,
    chain,
    catchUp: (view: ChainView = chain) => catchUp(world.deps, view),
    /** Mines empty blocks, as many as make the last one final, and follows them. */
    confirm: async () => {
      for (let i = 1; i < eth.confirmations; i++) chain.mine()
      await catchUp(world.deps, chain)
    },
  }
}

/** Who pays in tests. */
export const payer = '0x00000000000000000000000000000000000000aa'

/** The same chain with some of its methods replaced. */
export const without = (chain: ChainView, methods: Partial<ChainView>): ChainView =>
  new Proxy(chain, {
    get(target, name) {
      const own = Reflect.get(methods, name)
      if (own) return own
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** A payment of 10 USDT that was credited, and another that is not final. */
export async function paid(world: Awaited<ReturnType<typeof followedWorld>>) {
  const usdt = eth.tokens[0]!.contract
  const [order, waiting] = [await world.pay(), await world.pay()]
  world.chain.mine([[{ token: usdt, from: payer, to: order.address, amount: 10_000_000n }]])
  await world.catchUp()
  await world.confirm()
  world.chain.mine([[{ token: usdt, from: payer, to: waiting.address, amount: 5_000_000n }]])
  await world.catchUp()
  return order
}
