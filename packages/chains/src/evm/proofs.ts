import { RLP } from '@ethereumjs/rlp'
import type { BlockId } from '../chain.ts'
import { isChainError } from '../errors.ts'
import { parseHexBytes, toHex } from '../hex.ts'
import { type Nodes, orphanedIfMissing } from '../nodes/nodes.ts'
import type { Blocks } from './blocks.ts'
import { padWord } from './calls.ts'
import { computeKeccakHex, type JsonObject } from './encoding.ts'
import { keccak } from './keccak.ts'
import { readList } from './responses.ts'

/** Proofs per request: each has about eight nodes of the trie, of up to 532 bytes. */
const perRequest = 50
/** Root of the empty trie: that of an account without storage. */
const emptyRoot = computeKeccakHex(RLP.encode(''))
/** The highest bit of a slot is a flag in some tokens, such as USDC: no supply reaches it. */
const balanceBits = (1n << 255n) - 1n

/**
 * Returns the balances that a node proves (EIP-1186) against the state root in the header of a block, in the order of
 * the addresses; null if no node has proofs. A node can withhold such a proof but not make up a balance.
 * @param slot the storage slot of the mapping of balances, for a token
 */
export async function provenBalances(
  nodes: Nodes,
  blocks: Blocks,
  {
    token,
    slot,
    addresses,
    block,
  }: { token: string | null; slot: number; addresses: readonly string[]; block: BlockId },
): Promise<bigint[] | null> {
  try {
    const root = await blocks.byHash(block, false, header => header.stateRoot).catch(orphanedIfMissing)
    const at = { blockHash: block.hash }
    const balances: bigint[] = []
    for (let i = 0; i < addresses.length; i += perRequest) {
      const part = addresses.slice(i, i + perRequest)
      const keys = part.map(address =>
        computeKeccakHex(parseHexBytes(`0x${padWord(address.slice(2))}${padWord(slot.toString(16))}`)),
      )
      const calls = token
        ? [{ method: 'eth_getProof', params: [token, keys, at] }]
        : part.map(address => ({ method: 'eth_getProof', params: [address, [], at] }))
      // Verified while it is read, so that the next node is queried if it does not hold.
      const read = (results: unknown[]) =>
        token
          ? readSlots(root, token, keys, results[0] as JsonObject)
          : Promise.all(
              part.map(async (address, i) => (await readAccount(root, address, results[i] as JsonObject)).balance),
            )
      balances.push(...(await nodes.askMany(calls, read)))
    }
    return balances
  } catch (error) {
    if (isChainError(error)) return null
    throw error
  }
}

/** Reads the proven balance and storage root of an account; an account that is proven not to exist is empty. */
async function readAccount(root: Uint8Array, address: string, proof: JsonObject) {
  const account = await verified(root, address, proof?.accountProof)
  if (account === null) return { balance: 0n, storageRoot: emptyRoot }
  const [, balance, storageRoot] = RLP.decode(account) as Uint8Array[]
  return { balance: toBigInt(balance!), storageRoot: toHex(storageRoot!) }
}

/** Reads the proven values of storage slots of a contract. */
async function readSlots(
  root: Uint8Array,
  contract: string,
  keys: readonly string[],
  proof: JsonObject,
): Promise<bigint[]> {
  const { storageRoot } = await readAccount(root, contract, proof)
  const proofs = readList(proof.storageProof) as JsonObject[]
  return Promise.all(
    keys.map(async (key, i) => {
      if (storageRoot === emptyRoot) return 0n
      const value = await verified(parseHexBytes(storageRoot), key, proofs[i]?.proof)
      return value === null ? 0n : toBigInt(RLP.decode(value) as Uint8Array) & balanceBits
    }),
  )
}

/**
 * Returns the value that a proof has for a key, or null if it proves that there is none. Throws Error if it proves
 * neither.
 */
async function verified(root: Uint8Array, key: string, proof: unknown): Promise<Uint8Array | null> {
  const { verifyMerkleProof } = await import('@ethereumjs/mpt')
  const nodes = readList(proof).map(parseHexBytes)
  // The library does not compare the root if there are no nodes.
  if (nodes.length === 0) throw new Error('empty proof')
  // guard: balance-proof
  return verifyMerkleProof(parseHexBytes(key), nodes, { root, useKeyHashing: true, useKeyHashingFunction: keccak })
}

const toBigInt = (bytes: Uint8Array) => BigInt(bytes.length === 0 ? 0 : toHex(bytes))
