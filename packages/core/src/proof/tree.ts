import { computeParent, type ProofCrypto, type TreeNode, treeLevelsMax } from './format.ts'

/** A sum tree: its levels from the leaves to the root, each half as long as the one below. */
export interface SumTree {
  levels: TreeNode[][]
  root: TreeNode
}

/** Returns the number of leaves of a tree that holds so many: a power of two, two at least. */
export function roundUpToTreeSize(leaves: number): number {
  const levels = Math.max(1, Math.ceil(Math.log2(Math.max(1, leaves))))
  if (levels > treeLevelsMax) throw new RangeError('too many leaves')
  return 2 ** levels
}

/** Builds the tree of leaves, whose number must be a power of two. */
export function buildSumTree(crypto: Pick<ProofCrypto, 'hash'>, leaves: TreeNode[]): SumTree {
  if (leaves.length === 0 || !Number.isInteger(Math.log2(leaves.length))) throw new RangeError('not a power of two')
  const levels = [leaves]
  for (let level = leaves; level.length > 1; ) {
    const above: TreeNode[] = []
    for (let i = 0; i < level.length; i += 2) above.push(computeParent(crypto, level[i]!, level[i + 1]!))
    levels.push(above)
    level = above
  }
  return { levels, root: levels.at(-1)![0]! }
}

/** Returns the sibling of a leaf at each level, from the bottom up. */
export function pathOf({ levels }: SumTree, place: number): TreeNode[] {
  return levels.slice(0, -1).map((level, height) => {
    const at = Math.floor(place / 2 ** height)
    return level[at % 2 === 0 ? at + 1 : at - 1]!
  })
}
