import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  buildSumTree,
  computeLeaf,
  computeLeafCap,
  encodeHex,
  type RandomBytes,
  roundUpToTreeSize,
  shuffle,
  splitBalance,
  type TreeNode,
} from '@coffer/core'
import { chunkLeaves, encodeNodes, proofHash } from './nodes.ts'

/** What a merchant has of an asset. */
export interface MerchantBalance {
  merchant_id: string
  mchid: string
  balance: bigint
}

/** A stored leaf of a merchant: its amount, its salt in hex, and its place. */
export interface ShareLeaf {
  place: number
  amount: string
  salt: string
}

/** Random bytes that are taken from the system in large pieces. */
function bufferedRandom(): RandomBytes {
  let pool = randomBytes(65_536)
  let at = 0
  return length => {
    if (at + length > pool.length) {
      pool = randomBytes(65_536)
      at = 0
    }
    at += length
    return pool.subarray(at - length, at)
  }
}

/** Merchants that are split, leaves that are shuffled, and chunks that are hashed before other work has its turn. */
const splitAtOnce = 50
const shuffledAtOnce = 4_096
const chunksAtOnce = 1

/** Splits balances, and notes whose each leaf is. */
async function splitBalances(balances: readonly MerchantBalance[], random: RandomBytes) {
  const owed = balances.reduce((sum, each) => sum + each.balance, 0n)
  const cap = computeLeafCap(owed, balances.filter(each => each.balance > 0n).length)
  const shares = []
  for (const [i, { merchant_id, mchid, balance }] of balances.entries()) {
    const leaves = splitBalance(balance, cap, random).map((amount, index) => ({
      amount,
      index,
      merchant: mchid,
      salt: Uint8Array.from(random(32)),
      place: 0,
    }))
    shares.push({ merchant_id, leaves })
    if (i % splitAtOnce === 0) await setImmediate()
  }
  return shares
}

/**
 * Builds the tree of an asset: each balance in random parts, those of all merchants in random order, filled up with
 * leaves of nobody. Takes seconds for many merchants, in which the process goes on with other work.
 */
export async function buildLiabilities(id: string, asset: string, balances: readonly MerchantBalance[]) {
  const random = bufferedRandom()
  const shares = await splitBalances(balances, random)
  const placed: ((typeof shares)[number]['leaves'][number] | null)[] = shares.flatMap(each => each.leaves)
  const size = roundUpToTreeSize(placed.length)
  while (placed.length < size) placed.push(null)
  for (let from = size - 1; from > 0; from -= shuffledAtOnce) {
    shuffle(placed, random, from, Math.max(1, from - shuffledAtOnce + 1))
    await setImmediate()
  }
  const chunks: Buffer[] = []
  const tops: TreeNode[] = []
  for (let at = 0; at < size; at += chunkLeaves) {
    const nodes = placed.slice(at, at + chunkLeaves).map((leaf, n): TreeNode => {
      if (!leaf) return { hash: Uint8Array.from(random(32)), sum: 0n }
      leaf.place = at + n
      return computeLeaf(proofHash, { id, asset, ...leaf })
    })
    chunks.push(encodeNodes(nodes))
    tops.push(buildSumTree(proofHash, nodes).root)
    if (tops.length % chunksAtOnce === 0) await setImmediate()
  }
  const { root } = buildSumTree(proofHash, tops)
  return { size, chunks, tops: encodeNodes(tops), root, shares }
}
export type Liabilities = Awaited<ReturnType<typeof buildLiabilities>>

/** What is stored of a merchant's leaves. */
export const toShare = ({ merchant_id, leaves }: Liabilities['shares'][number]) => ({
  merchant_id,
  leaves: leaves.map(
    ({ place, amount, salt }): ShareLeaf => ({ place, amount: String(amount), salt: encodeHex(salt) }),
  ),
})
