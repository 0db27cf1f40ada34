import { randomBytes } from 'node:crypto'
import {
  computeLeaf,
  computeLeafCap,
  encodeHex,
  type RandomBytes,
  roundUpToTreeSize,
  shuffle,
  splitBalance,
  type TreeNode,
} from '@coffer/core'
import { chunkTree, proofHash } from './nodes.ts'

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

/**
 * Builds the tree of an asset: each balance in random parts, those of all merchants in random order, filled up with
 * leaves of nobody.
 */
export function buildLiabilities(proofId: string, asset: string, balances: readonly MerchantBalance[]) {
  const random = bufferedRandom()
  const owed = balances.reduce((sum, each) => sum + each.balance, 0n)
  const cap = computeLeafCap(owed, balances.filter(each => each.balance > 0n).length)
  const shares = balances.map(({ merchant_id, mchid, balance }) => ({
    merchant_id,
    mchid,
    leaves: splitBalance(balance, cap, random).map(amount => ({ amount, salt: Uint8Array.from(random(32)), place: 0 })),
  }))
  const all = shares.flatMap(({ mchid, leaves }) => leaves.map((leaf, index) => ({ mchid, index, leaf })))
  const size = roundUpToTreeSize(all.length)
  const placed: ((typeof all)[number] | null)[] = [...all]
  while (placed.length < size) placed.push(null)
  const nodes = shuffle(placed, random).map((each, place): TreeNode => {
    if (!each) return { hash: Uint8Array.from(random(32)), sum: 0n }
    each.leaf.place = place
    const { amount, salt } = each.leaf
    return computeLeaf(proofHash, { id: proofId, asset, merchant: each.mchid, index: each.index, amount, salt })
  })
  return {
    size,
    ...chunkTree(nodes),
    shares: shares.map(({ merchant_id, leaves }) => ({
      merchant_id,
      leaves: leaves.map(
        ({ place, amount, salt }): ShareLeaf => ({
          place,
          amount: String(amount),
          salt: encodeHex(salt),
        }),
      ),
    })),
  }
}
export type Liabilities = ReturnType<typeof buildLiabilities>
