import { hash } from 'node:crypto'
import {
  amountBytes,
  decodeAmount,
  encodeAmount,
  type ProofCrypto,
  pathOf,
  type SumTree,
  type TreeNode,
} from '@coffer/core'

export const proofHash: Pick<ProofCrypto, 'hash'> = {
  hash: bytes => hash('sha256', bytes, 'buffer'),
}

/** Leaves of a chunk: a path takes one chunk and the roots of all, whatever the size of the tree. */
export const chunkLeaves = 256
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

/** Returns the siblings of a leaf in its chunk and above it. */
export const pathInChunks = (chunk: SumTree, tops: SumTree, place: number): TreeNode[] => [
  ...pathOf(chunk, place % chunkLeaves),
  ...pathOf(tops, Math.floor(place / chunkLeaves)),
]
