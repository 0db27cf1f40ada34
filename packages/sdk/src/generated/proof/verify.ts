// Copied from packages/core/src/proof by tools/generated.ts.
import {
  computeLeaf,
  computeParent,
  decodeHex,
  encodeHex,
  formatReservePage,
  formatStatement,
  hashPages,
  type LeafContent,
  type MerchantProof,
  type ProofCrypto,
  type ProofLeaf,
  type ProofStatement,
  type ProvenAsset,
  type PublishedProof,
  type ReservePage,
  readProofAmount,
  reservePageMessage,
  statementMessage,
  treeLevelsMax,
} from './format.ts'

/** What is wrong with a proof. */
export type ProofFault =
  | 'published_form'
  | 'other_key'
  | 'signature'
  | 'reserves'
  | 'difference'
  | 'merchant_form'
  | 'other_proof'
  | 'other_merchant'
  | 'path'
  | 'balance'

/** The proof is not valid. `fault` says in which respect, `at` where. */
export class ProofError extends Error {
  override name = 'ProofError'
  fault: ProofFault
  at: string

  constructor(fault: ProofFault, at = '') {
    super(at ? `${fault}: ${at}` : fault)
    this.fault = fault
    this.at = at
  }
}

/** Runs a step. Whatever it throws is the fault, so that a malformed file never fails otherwise. */
function step<T>(fault: ProofFault, at: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ProofError) throw error
    throw new ProofError(fault, at)
  }
}

function require(condition: unknown, fault: ProofFault, at = ''): asserts condition {
  if (!condition) throw new ProofError(fault, at)
}

/** Reads a signed text, which must be exactly what its content is written as: no field twice, none more. */
function readText<T>(text: unknown, format: (value: T) => string, at: string): T {
  return step('published_form', at, () => {
    const value = JSON.parse(text as string) as T
    require(format(value) === text, 'published_form', at)
    return value
  })
}

const isPower = (leaves: number, levels: number) => levels <= treeLevelsMax && leaves === 2 ** levels

/**
 * Verifies a published proof: its signatures, that it names each address once, and that its sums are those of its
 * parts. `publicKey`, in hex: the key that is known already. Returns the statement.
 * @throws ProofError
 */
export function verifyPublishedProof(
  crypto: ProofCrypto,
  published: PublishedProof,
  publicKey?: string,
): ProofStatement {
  return step('published_form', '', () => {
    require(published.format === 'coffer-proof-1', 'published_form', 'format')
    const key = decodeHex(published.public_key, 32)
    require(key, 'published_form', 'public_key')
    require(publicKey === undefined || publicKey === published.public_key, 'other_key')
    const isSigned = (signature: unknown, message: Uint8Array) => {
      const bytes = decodeHex(signature, 64)
      return bytes !== null && crypto.isSigned(bytes, message, key)
    }
    require(typeof published.statement === 'string', 'published_form', 'statement')
    require(isSigned(published.signature, statementMessage(published.statement)), 'signature', 'statement')
    const statement = readText(published.statement, formatStatement, 'statement')
    const pages = published.pages.map(({ text, signature }, i) => {
      require(isSigned(signature, reservePageMessage(text)), 'signature', `pages ${i}`)
      return { text, page: readText(text, formatReservePage, `pages ${i}`) }
    })
    const held = verifyReserves(crypto, statement, pages)
    for (const asset of statement.assets) verifyAsset(asset, held)
    const isKnown = (asset: ProvenAsset) => statement.chains.some(each => each.id === asset.chain)
    require(statement.assets.every(isKnown), 'published_form', 'assets')
    const ids = new Set(statement.assets.map(each => each.id))
    require(ids.size === statement.assets.length, 'published_form', 'assets')
    return statement
  })
}

/** Sums what the addresses of the pages hold, by asset. Each page belongs to one chain of the statement. */
function verifyReserves(
  crypto: ProofCrypto,
  { id, chains, assets }: ProofStatement,
  pages: readonly { text: string; page: ReservePage }[],
): Map<string, bigint> {
  const held = new Map<string, bigint>()
  const chainOf = new Map(assets.map(each => [each.id, each.chain]))
  let used = 0
  for (const chain of chains) {
    const own = pages.filter(({ page }) => page.chain === chain.id)
    used += own.length
    require(own.length === chain.pages &&
      hashPages(
        crypto,
        own.map(each => each.text),
      ) === chain.pages_hash, 'reserves', chain.id)
    require(chain.block !== null || own.length === 0, 'reserves', chain.id)
    require((chain.block === null) === (chain.reason !== ''), 'published_form', chain.id)
    const seen = new Set<string>()
    for (const [i, { page }] of own.entries()) {
      require(page.id === id && page.page === i, 'reserves', chain.id)
      require(JSON.stringify(page.block) === JSON.stringify(chain.block), 'reserves', chain.id)
      for (const { address, balances } of page.addresses) {
        require(!seen.has(address), 'reserves', address)
        seen.add(address)
        for (const [n, { asset, amount }] of balances.entries()) {
          const units = readProofAmount(amount)
          require(units !== null && chainOf.get(asset) === chain.id, 'reserves', address)
          require(balances.findIndex(each => each.asset === asset) === n, 'reserves', address)
          held.set(asset, (held.get(asset) ?? 0n) + units)
        }
      }
    }
    for (const asset of assets.filter(each => each.chain === chain.id))
      require(chain.block !== null || asset.held === null, 'reserves', asset.id)
  }
  require(used === pages.length, 'reserves', 'pages')
  require(new Set(chains.map(each => each.id)).size === chains.length, 'published_form', 'chains')
  return held
}

function verifyAsset(asset: ProvenAsset, held: ReadonlyMap<string, bigint>): void {
  const owed = readProofAmount(asset.owed)
  const pending = readProofAmount(asset.pending)
  require(owed !== null && pending !== null && pending <= owed, 'published_form', asset.id)
  require(decodeHex(asset.root, 32) && isPower(asset.leaves, Math.log2(asset.leaves)), 'published_form', asset.id)
  if (asset.held === null) {
    require(asset.difference === null && !held.has(asset.id), 'reserves', asset.id)
    return
  }
  const found = readProofAmount(asset.held)
  require(found !== null && found === (held.get(asset.id) ?? 0n), 'reserves', asset.id)
  require(asset.difference === String(found - owed), 'difference', asset.id)
}

/** What a proof shows of a merchant's balances. */
export interface VerifiedProof {
  statement: ProofStatement
  balances: { asset: string; symbol: string; chain: string; decimals: number; balance: bigint }[]
}

/**
 * Verifies a merchant's part against a published proof: that each leaf is of this merchant, proof and asset, that its
 * path leads to the published root and sum, and that the leaves add up to the balances. The caller compares these with
 * the merchant's own records. `merchant`: whose part it must be.
 * @throws ProofError
 */
export function verifyMerchantProof(
  crypto: ProofCrypto,
  own: MerchantProof,
  published: PublishedProof,
  { merchant, publicKey }: { merchant?: string | undefined; publicKey?: string | undefined } = {},
): VerifiedProof {
  const statement = verifyPublishedProof(crypto, published, publicKey)
  return step('merchant_form', '', () => {
    require(own.format === 'coffer-proof-merchant-1' && typeof own.merchant === 'string', 'merchant_form')
    require(own.id === statement.id, 'other_proof', String(own.id))
    require(merchant === undefined || merchant === own.merchant, 'other_merchant', own.merchant)
    require(new Set(own.assets.map(each => each.asset)).size === own.assets.length, 'merchant_form', 'assets')
    const balances = own.assets.map(({ asset: name, balance, leaves }) => {
      const asset = statement.assets.find(each => each.id === name)
      require(asset, 'path', name)
      const expected = readProofAmount(balance)
      require(expected !== null, 'merchant_form', name)
      require(new Set(leaves.map(each => each.place)).size === leaves.length, 'path', name)
      const sum = leaves.reduce((total, leaf, index) => {
        const content = { id: own.id, asset: name, merchant: own.merchant, index }
        return total + verifyLeaf(crypto, leaf, content, asset)
      }, 0n)
      require(sum === expected, 'balance', name)
      return { asset: name, symbol: asset.symbol, chain: asset.chain, decimals: asset.decimals, balance: sum }
    })
    return { statement, balances }
  })
}

/** Follows the path of a leaf to the published root. Returns its amount. */
function verifyLeaf(
  crypto: ProofCrypto,
  leaf: ProofLeaf,
  content: Pick<LeafContent, 'id' | 'asset' | 'merchant' | 'index'>,
  asset: ProvenAsset,
): bigint {
  const at = `${asset.id} ${content.index}`
  const amount = readProofAmount(leaf.amount)
  const salt = decodeHex(leaf.salt, 32)
  require(amount !== null && salt !== null, 'merchant_form', at)
  const isPlace = Number.isSafeInteger(leaf.place) && leaf.place >= 0 && leaf.place < asset.leaves
  require(isPlace && isPower(asset.leaves, leaf.path.length), 'path', at)
  const root = step('path', at, () =>
    leaf.path.reduce(
      (node, { hash, sum }, level) => {
        const sibling = { hash: decodeHex(hash, 32)!, sum: readProofAmount(sum)! }
        require(sibling.hash !== null && sibling.sum !== null, 'path', at)
        const isRight = Math.floor(leaf.place / 2 ** level) % 2 === 1
        return isRight ? computeParent(crypto, sibling, node) : computeParent(crypto, node, sibling)
      },
      computeLeaf(crypto, { ...content, amount, salt }),
    ),
  )
  require(encodeHex(root.hash) === asset.root && String(root.sum) === asset.owed, 'path', at)
  return amount
}
