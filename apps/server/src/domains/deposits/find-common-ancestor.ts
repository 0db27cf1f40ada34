import type { BlockId, ChainView } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { type Ancestor, storedBlocks } from '../chains/store.ts'
import { blocksOfDeposits } from './store.ts'

/** Blocks that are compared with the chain at once. */
const atOnce = 20

/**
 * Returns the highest block below `orphaned`, of those stored and those with deposits, that is still on the chain. If
 * there is none, what the nodes have in its place is not believed: returns the height below the lowest of them, without
 * a hash.
 */
export async function findCommonAncestor(deps: Deps, chain: ChainView, orphaned: BlockId): Promise<Ancestor> {
  const { id } = chain.definition
  const blocks: BlockId[] = (await storedBlocks(deps.pool, id)).filter(each => each.number < orphaned.number)
  blocks.push(...(await blocksOfDeposits(deps.pool, id, orphaned.number - 1)))
  blocks.sort((a, b) => b.number - a.number)
  for (let at = 0; at < blocks.length; at += atOnce) {
    const ours = blocks.slice(at, at + atOnce)
    const found = await Promise.all(ours.map(each => chain.blockAt(each.number)))
    const first = ours.find((each, i) => found[i]?.hash === each.hash)
    if (first) return { number: first.number, hash: first.hash }
  }
  return { number: (blocks.at(-1) ?? orphaned).number - 1, hash: null }
}
