import { runAtOnce, runPaced, type WorkPacer } from '../nodes/pace.ts'
import { keccak } from './keccak.ts'
import { encodeRlp, withRlp } from './rlp.ts'

type Node = Uint8Array | Node[]
type Entry = { key: number[]; value: Uint8Array }

/** Hash of the empty trie. */
const EMPTY = keccak(encodeRlp(new Uint8Array()))

/**
 * Returns the root of the Merkle-Patricia trie of a list: each value under the RLP of its index, as headers commit to
 * transactions and receipts (Yellow Paper, appendix D). Values are inserted in the order of their keys, so every node
 * is encoded once; a general trie encodes the path to the root for each value (see docs/decisions/verified-blocks.md).
 */
export function listRoot(values: readonly Uint8Array[]): Uint8Array {
  return runAtOnce(stepsOf(values))
}

/** The same with pauses, for the list of a block that a node sent. */
export const computeListRootPaced = (values: readonly Uint8Array[], pace: WorkPacer): Promise<Uint8Array> =>
  runPaced(stepsOf(values), pace)

/** Computes a root, and yields the bytes that were hashed since the last time. */
function* stepsOf(values: readonly Uint8Array[]): Generator<number, Uint8Array> {
  if (values.length === 0) return EMPTY
  const entries = values.map((value, i) => ({ key: keyOf(i), value }))
  // By their keys: the RLP of 0 is 0x80, between those of 127 and 128.
  const zero = entries.shift()!
  entries.splice(127, 0, zero)
  return withRlp(yield* nodeOf(entries, 0), keccak)
}

const leafOf = ({ key, value }: Entry, depth: number): Node => [compact(key.slice(depth), true), value]

/** Builds the node of sorted entries whose keys are equal before `depth`. No key is the start of another. */
function* nodeOf(entries: readonly Entry[], depth: number): Generator<number, Node> {
  const first = entries[0]!
  const last = entries.at(-1)!
  if (first === last) return leafOf(first, depth)
  let fork = depth
  while (first.key[fork] === last.key[fork]) fork++
  if (fork > depth) return [compact(first.key.slice(depth, fork), false), refTo(yield* nodeOf(entries, fork))]
  const branch: Node[] = []
  for (let nibble = 0, at = 0; nibble < 16; nibble++) {
    const from = at
    while (entries[at]?.key[depth] === nibble) at++
    if (at === from) branch.push(new Uint8Array())
    else if (at === from + 1) {
      branch.push(refTo(leafOf(entries[from]!, depth + 1)))
      yield entries[from]!.value.length
    } else branch.push(refTo(yield* nodeOf(entries.slice(from, at), depth + 1)))
  }
  return [...branch, new Uint8Array()]
}

/** A node is referred to by its hash, or stands in its parent if its encoding is shorter. */
const refTo = (node: Node): Node => withRlp(node, encoded => (encoded.length < 32 ? node : keccak(encoded)))

/** Packs nibbles into bytes, with a prefix that marks leaves and odd lengths (Yellow Paper, appendix C). */
function compact(nibbles: readonly number[], isLeaf: boolean): Uint8Array {
  const odd = nibbles.length % 2
  const bytes = new Uint8Array((nibbles.length - odd) / 2 + 1)
  bytes[0] = (isLeaf ? 32 : 0) + (odd ? 16 + nibbles[0]! : 0)
  for (let i = 1; i < bytes.length; i++) bytes[i] = nibbles[2 * i - 2 + odd]! * 16 + nibbles[2 * i - 1 + odd]!
  return bytes
}

const keys: number[][] = []

/** The digits of an index's RLP, which every list has again. */
function keyOf(index: number): number[] {
  for (let i = keys.length; i <= index; i++) keys.push([...encodeRlp(i)].flatMap(byte => [byte >> 4, byte & 15]))
  return keys[index]!
}
