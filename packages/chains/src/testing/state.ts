import { RLP } from '@ethereumjs/rlp'
import { computeKeccakHex } from '../evm/encoding.ts'
import { keccak } from '../evm/keccak.ts'
import { parseHexBytes, toHex } from '../hex.ts'

/** What an account has beside its balance: no transactions, storage or code. */
const noNonce = new Uint8Array()
const noStorage = keccak(RLP.encode(''))
const noCode = keccak(new Uint8Array())

type Leaf = { key: string; value: Uint8Array }
/**
 * A node: how its parent refers to it, the digits that it takes of a key, and what is below, for a branch by the next
 * digit.
 */
type Node = {
  encoded: Uint8Array
  ref: Uint8Array
  path: string
  below: Node | null
  children: ReadonlyMap<string, Node>
}

/** The balances of accounts as the state root of a block commits to them (Yellow Paper, appendix D). */
export class State {
  readonly balances: ReadonlyMap<string, bigint>
  readonly #top: Node

  /** @param balances in base units by address, of one at least */
  constructor(balances: ReadonlyMap<string, bigint>) {
    this.balances = balances
    const leaves = [...balances].map(([address, balance]) => ({ key: keyOf(address), value: accountOf(balance) }))
    this.#top = nodeOf(
      leaves.sort((a, b) => (a.key < b.key ? -1 : 1)),
      0,
    )
  }

  get root(): string {
    return toHex(this.#top.ref)
  }

  /** Returns the nodes on the way to an address, as `eth_getProof` does. */
  proof(address: string): string[] {
    const key = keyOf(address)
    const nodes: string[] = []
    let at = 0
    for (let node: Node | null | undefined = this.#top; node; ) {
      nodes.push(toHex(node.encoded))
      if (!key.startsWith(node.path, at)) break
      at += node.path.length
      node = node.below ?? node.children.get(key[at++]!)
    }
    return nodes
  }

  /** Returns a proof of any balance, which holds for a root that no block has. */
  static forged(address: string, balance: bigint): string[] {
    return [toHex(leafOf({ key: keyOf(address), value: accountOf(balance) }, 0).encoded)]
  }
}

const keyOf = (address: string) => computeKeccakHex(parseHexBytes(address)).slice(2)

const accountOf = (balance: bigint) => RLP.encode([noNonce, balance > 0n ? balance : 0n, noStorage, noCode])

// An account takes more than 32 bytes, so that each node is referred to by its hash.
function built(fields: Uint8Array[], more: Partial<Pick<Node, 'path' | 'below' | 'children'>>): Node {
  const encoded = RLP.encode(fields)
  return { encoded, ref: keccak(encoded), path: '', below: null, children: new Map(), ...more }
}

function leafOf({ key, value }: Leaf, depth: number): Node {
  const path = key.slice(depth)
  return built([packed(path, 2), value], { path })
}

/** Builds the node of sorted leaves whose keys are equal before `depth`. */
function nodeOf(leaves: readonly Leaf[], depth: number): Node {
  const first = leaves[0]!
  const last = leaves.at(-1)!
  if (leaves.length === 1) return leafOf(first, depth)
  let fork = depth
  while (first.key[fork] === last.key[fork]) fork++
  const children = new Map<string, Node>()
  for (const [digit, some] of Map.groupBy(leaves, leaf => leaf.key[fork]!)) children.set(digit, nodeOf(some, fork + 1))
  const refs = [...'0123456789abcdef'].map(digit => children.get(digit)?.ref ?? new Uint8Array())
  const branch = built([...refs, new Uint8Array()], { children })
  if (fork === depth) return branch
  const path = first.key.slice(depth, fork)
  return built([packed(path, 0), branch.ref], { path, below: branch })
}

/** Packs digits into bytes after a flag, which is odd where their number is. */
const packed = (digits: string, flag: number) =>
  parseHexBytes(digits.length % 2 === 1 ? `0x${flag + 1}${digits}` : `0x${flag}0${digits}`)
