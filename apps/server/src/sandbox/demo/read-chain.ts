import type { ChainView } from '@coffer/chains'
import { type ChainEvent, Follower } from '@coffer/chains/follower.ts'
import type { Deps } from '../../deps.ts'
import { assetsOfChain } from '../../domains/chains/assets.ts'
import { touchChain } from '../../domains/chains/store.ts'
import { AddressBook } from '../../domains/deposits/address-book.ts'
import { applyBlocks } from '../../domains/deposits/apply-blocks.ts'
import { decideHeld } from '../../domains/deposits/decide-held.ts'

export interface ChainReader {
  /** Reads the chain to its tip. */
  catchUp: () => Promise<void>
}

/** Opens a reader that sets the clock to the time of each block (Unix seconds) before applying it. */
export async function readChain(deps: Deps, chain: ChainView, setClock: (time: number) => void): Promise<ChainReader> {
  const { id, kind } = chain.definition
  const book = new AddressBook(deps, kind)
  await book.refresh()
  const assets = [...(await assetsOfChain(deps.pool, id)).values()]
  let atTip = () => {}
  let goOn = () => {}
  const follower = new Follower({
    chain,
    filter: book.filter(
      assets.flatMap(each => each.contract ?? []),
      true,
    ),
    start: 0,
    known: [],
    final: -1,
    asOf: () => book.upTo,
    wait: () =>
      new Promise<void>(resolve => {
        goOn = resolve
        atTip()
      }),
  })
  let next: Promise<ChainEvent> | undefined
  return {
    async catchUp() {
      await book.refresh()
      for (;;) {
        const tip = new Promise<null>(resolve => {
          atTip = () => resolve(null)
        })
        goOn()
        next ??= follower.next()
        const event = await Promise.race([next, tip])
        if (!event) break
        next = undefined
        if (event.type !== 'block') throw new Error(`${id} was reorganised during the demo`)
        setClock(event.block.time)
        await applyBlocks(deps, { chainId: id, event })
        await decideHeld(deps, chain)
      }
      if (follower.head) await touchChain(deps.pool, id, follower.head.number, deps.clock(), null)
    },
  }
}
