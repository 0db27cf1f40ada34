// Copied from packages/core/src/proof by tools/generated.ts.
/**
 * Proof of liabilities and reserves: what is hashed and what is signed, as docs/proof.md describes it. Pure, and
 * without imports: the server, the SDK and the page that works offline run this file.
 */

/** The hash and the signature that callers supply. */
export interface ProofCrypto {
  /** SHA-256. */
  hash: (bytes: Uint8Array) => Uint8Array
  /** Whether an Ed25519 signature (64 bytes) of a message by a public key (32 bytes) is valid. */
  isSigned: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean
}

/** Block at which balances were read. `until`: the head after reading, where nodes keep no past balances; else null. */
export interface ProofBlock {
  number: number
  hash: string
  until: number | null
}

export interface ProvenChain {
  id: string
  kind: string
  chain_id: number
  /** Null if the balances of the chain are not proven. */
  block: ProofBlock | null
  /** Why they are not; empty if they are. */
  reason: string
  /** Number of pages with addresses, and the SHA-256 of the SHA-256 of each, in their order. */
  pages: number
  pages_hash: string
}

/** Amounts are decimal texts of base units. */
export interface ProvenAsset {
  id: string
  chain: string
  symbol: string
  /** Null for the native coin. */
  contract: string | null
  decimals: number
  /** Leaves of the tree: a power of two. */
  leaves: number
  root: string
  /** Sum of the balances of all merchants. */
  owed: string
  /** The part of it that is reserved for payouts, which may have left the chain already. */
  pending: string
  /** Sum of the balances of all addresses; null if it is not proven. */
  held: string | null
  /** `held` less `owed`, with a minus sign if it is less. */
  difference: string | null
}

/** What the signer signs of a proof. */
export interface ProofStatement {
  /** The day, such as `2026-11-30`, and `-2` and so on for further proofs of a day. */
  id: string
  /** Unix time of the balances. */
  time: number
  /** SHA-256 of the statement before this one; null for the first. */
  previous: string | null
  chains: ProvenChain[]
  assets: ProvenAsset[]
}

/**
 * An address and its balances that are not zero. `by`: the signer derives it from its seed, its policy names it as the
 * treasury, or neither.
 */
export interface ProvenAddress {
  address: string
  by: 'seed' | 'policy' | 'none'
  balances: { asset: string; amount: string }[]
}

/** A page of the addresses of a chain, which the signer signs. */
export interface ReservePage {
  id: string
  chain: string
  page: number
  block: ProofBlock
  addresses: ProvenAddress[]
}

/** A published proof. Signatures and the key are in hex; texts are signed byte for byte. */
export interface PublishedProof {
  format: 'coffer-proof-1'
  statement: string
  signature: string
  public_key: string
  pages: { text: string; signature: string }[]
}

/** A leaf of a merchant, with the sibling at each level from the bottom up. Its index is its position in the list. */
export interface ProofLeaf {
  place: number
  amount: string
  salt: string
  path: { hash: string; sum: string }[]
}

/** A merchant's part of a proof. */
export interface MerchantProof {
  format: 'coffer-proof-merchant-1'
  id: string
  merchant: string
  assets: { asset: string; balance: string; leaves: ProofLeaf[] }[]
}

export interface TreeNode {
  hash: Uint8Array
  sum: bigint
}

/** No amount or sum reaches it. */
const amountEnd = 2n ** 256n
/** Most levels of a tree. */
export const treeLevelsMax = 31
/** Most addresses of a page, and most balances. */
export const pageAddressesMax = 100
export const pageBalancesMax = 300

const utf8 = new TextEncoder()

const joinBytes = (parts: readonly Uint8Array[]): Uint8Array => {
  const joined = new Uint8Array(parts.reduce((sum, each) => sum + each.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

export const encodeHex = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

/** Reads a hex text of exactly this many bytes, in lower case; null for any other. */
export function decodeHex(text: unknown, length: number): Uint8Array | null {
  if (typeof text !== 'string' || text.length !== 2 * length || !/^[0-9a-f]*$/.test(text)) return null
  return Uint8Array.from({ length }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16))
}

/** Reads base units below 2^256; null for any other text. */
export function readProofAmount(text: unknown): bigint | null {
  if (typeof text !== 'string' || !/^(?:0|[1-9][0-9]{0,77})$/.test(text)) return null
  const amount = BigInt(text)
  return amount < amountEnd ? amount : null
}

/** Bytes of an encoded amount. */
export const amountBytes = 32

/** Encodes an amount in 32 bytes, the highest first. */
export function encodeAmount(amount: bigint): Uint8Array {
  if (amount < 0n || amount >= amountEnd) throw new RangeError('an amount has at most 256 bits')
  const bytes = new Uint8Array(amountBytes)
  const view = new DataView(bytes.buffer)
  for (let at = 24, rest = amount; rest > 0n; at -= 8, rest >>= 64n)
    view.setBigUint64(at, rest & 0xffff_ffff_ffff_ffffn)
  return bytes
}

/** Reads what `encodeAmount` wrote. */
export function decodeAmount(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, amountBytes)
  return [0, 8, 16, 24].reduce((amount, at) => (amount << 64n) | view.getBigUint64(at), 0n)
}

/** A text in UTF-8 after its length in two bytes. */
function encodeText(text: string): Uint8Array {
  const bytes = utf8.encode(text)
  if (bytes.length > 0xffff) throw new RangeError('a text has at most 65535 bytes')
  return joinBytes([Uint8Array.of(bytes.length >> 8, bytes.length & 0xff), bytes])
}

/** What a leaf binds: whose it is, of which proof and asset, and which of the merchant's leaves. */
export interface LeafContent {
  id: string
  asset: string
  merchant: string
  index: number
  amount: bigint
  salt: Uint8Array
}

/** Computes a leaf. */
export function computeLeaf({ hash }: Pick<ProofCrypto, 'hash'>, leaf: LeafContent): TreeNode {
  const { id, asset, merchant, index, amount, salt } = leaf
  if (salt.length !== 32) throw new RangeError('a salt has 32 bytes')
  const number = Uint8Array.of(index >>> 24, (index >>> 16) & 0xff, (index >>> 8) & 0xff, index & 0xff)
  const texts = [id, asset, merchant].map(encodeText)
  return { hash: hash(joinBytes([Uint8Array.of(0), ...texts, number, encodeAmount(amount), salt])), sum: amount }
}

/** Computes the node above two others. Binds the sums of both: with their total alone one could lie about each. */
export function computeParent({ hash }: Pick<ProofCrypto, 'hash'>, left: TreeNode, right: TreeNode): TreeNode {
  const sum = left.sum + right.sum
  if (sum >= amountEnd) throw new RangeError('a sum has at most 256 bits')
  const bytes = [Uint8Array.of(1), left.hash, encodeAmount(left.sum), right.hash, encodeAmount(right.sum)]
  return { hash: hash(joinBytes(bytes)), sum }
}

const pickBlock = (block: ProofBlock | null): ProofBlock | null =>
  block && { number: block.number, hash: block.hash, until: block.until }

/** The text of a statement that is signed: JSON without spaces, with its fields in this order. */
export const formatStatement = ({ id, time, previous, chains, assets }: ProofStatement): string =>
  JSON.stringify({
    id,
    time,
    previous,
    chains: chains.map(each => ({
      id: each.id,
      kind: each.kind,
      chain_id: each.chain_id,
      block: pickBlock(each.block),
      reason: each.reason,
      pages: each.pages,
      pages_hash: each.pages_hash,
    })),
    assets: assets.map(each => ({
      id: each.id,
      chain: each.chain,
      symbol: each.symbol,
      contract: each.contract,
      decimals: each.decimals,
      leaves: each.leaves,
      root: each.root,
      owed: each.owed,
      pending: each.pending,
      held: each.held,
      difference: each.difference,
    })),
  })

/** The text of a page of addresses that is signed. */
export const formatReservePage = ({ id, chain, page, block, addresses }: ReservePage): string =>
  JSON.stringify({
    id,
    chain,
    page,
    block: pickBlock(block),
    addresses: addresses.map(({ address, by, balances }) => ({
      address,
      by,
      balances: balances.map(({ asset, amount }) => ({ asset, amount })),
    })),
  })

/** The bytes that are signed: one kind of text is never valid as the other. */
export const statementMessage = (text: string): Uint8Array => utf8.encode(`coffer proof statement 1\n${text}`)
export const reservePageMessage = (text: string): Uint8Array => utf8.encode(`coffer proof addresses 1\n${text}`)

/** The SHA-256 of the SHA-256 of each page. */
export const hashPages = ({ hash }: Pick<ProofCrypto, 'hash'>, texts: readonly string[]): string =>
  encodeHex(hash(joinBytes(texts.map(text => hash(utf8.encode(text))))))

export const hashStatement = ({ hash }: Pick<ProofCrypto, 'hash'>, text: string): string =>
  encodeHex(hash(utf8.encode(text)))
