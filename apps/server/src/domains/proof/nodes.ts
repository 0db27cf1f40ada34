import { createHash } from 'node:crypto'
import {
  amountBytes,
  buildSumTree,
  decodeAmount,
  encodeAmount,
  type ProofCrypto,
  pathOf,
  type TreeNode,
} from '@coffer/core'

export const proofHash: Pick<ProofCrypto, 'hash'> = {
  hash: bytes => createHash('sha256').update(bytes).digest(),
}

/** Leaves of a chunk: a path takes one chunk and the roots of all, whatever the size of the tree. */
export const chunkLeaves = 1_024
const hashBytes = 32
const nodeBytes = hashBytes + amountBytes

/** Writes nodes one after another: 32 bytes of hash, 32 of sum. */
export const encodeNodes = (nodes: readonly TreeNode[]): Buffer =>
  Buffer.concat(nodes.flatMap(({ hash, sum }) => [hash, encodeAmount(sum)]))

export function decodeNodes(bytes: Buffer): TreeNode[] {
  const nodes: TreeNode[] = []
  for (let at = 0; at < bytes.length; at += nodeBytes) {
    nodes.push({ hash: bytes.subarray(at, at + hashBytes), sum: decodeAmount(bytes.subarray(at + hashBytes)) })
  }
  return nodes
}

/** Splits leaves into chunks, and builds the tree of their roots. */
export function chunkTree(leaves: readonly TreeNode[]) {
  const chunks: TreeNode[][] = []
  for (let at = 0; at < leaves.length; at += chunkLeaves) chunks.push(leaves.slice(at, at + chunkLeaves))
  const tops = chunks.map(chunk => buildSumTree(proofHash, chunk).root)
  return { chunks, tops, root: buildSumTree(proofHash, tops).root }
}

/** Returns the siblings of a leaf in its chunk and above it. */
export const pathInChunks = (chunk: TreeNode[], tops: TreeNode[], place: number): TreeNode[] => [
  ...pathOf(buildSumTree(proofHash, chunk), place % chunkLeaves),
  ...pathOf(buildSumTree(proofHash, tops), Math.floor(place / chunkLeaves)),
]
