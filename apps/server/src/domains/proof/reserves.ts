import {
  type AccountChain,
  type BlockRef,
  CallRefused,
  type ChainView,
  hasAccounts,
  isChainError,
} from '@coffer/chains'
import { type ProofBlock, pageAddressesMax, pageBalancesMax } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { ReservePageRequest } from '../../signer/proof.ts'
import { findKeyIndexes } from './store.ts'

/** An asset of a chain with the addresses that can hold it. */
export interface HoldingAsset {
  id: string
  contract: string | null
  addresses: string[]
}

/** Balances of a chain at a block, by address and asset. `unsure`: assets on which nodes do not agree. */
export interface ChainReserves {
  block: ProofBlock | null
  reason: string
  held: Map<string, bigint>
  unsure: Set<string>
  byAddress: Map<string, { asset: string; amount: string }[]>
}

const unproven = (reason: string): ChainReserves => ({
  block: null,
  reason,
  held: new Map(),
  unsure: new Set(),
  byAddress: new Map(),
})

/**
 * Reads what the addresses of a chain hold as of its final block: each balance proven, or the same by most nodes. Where
 * nodes keep no past balances, present ones are read. What is not certain is left out, and said.
 */
export async function readReserves(
  { log }: Pick<Deps, 'log'>,
  chain: ChainView | undefined,
  { final, halted, assets }: { final: number; halted: boolean; assets: readonly HoldingAsset[] },
): Promise<ChainReserves> {
  if (!chain) return unproven('not_watched')
  if (halted) return unproven('halted')
  if (!hasAccounts(chain) || final < 0) return unproven('unread')
  try {
    const block = await chain.blockAt(final)
    if (!block || !(await chain.agreesOn(block))) return unproven('unread')
    return await readAssets(chain, assets, block)
  } catch (error) {
    if (!isChainError(error)) throw error
    log.warn({ chain: chain.definition.id, reason: error.message }, 'proof: balances cannot be read')
    return unproven('unread')
  }
}

async function readAssets(
  chain: AccountChain,
  assets: readonly HoldingAsset[],
  block: BlockRef,
): Promise<ChainReserves> {
  try {
    return await readAssetsAt(chain, assets, block, true)
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
  }
  const present = await readAssetsAt(chain, assets, block, false)
  present.block!.until = (await chain.head()).number
  return present
}

/** Reads all assets as of the block, or present balances. */
async function readAssetsAt(
  chain: AccountChain,
  assets: readonly HoldingAsset[],
  block: BlockRef,
  isPast: boolean,
): Promise<ChainReserves> {
  const found: ChainReserves = { ...unproven(''), block: { number: block.number, hash: block.hash, until: null } }
  for (const { id, contract, addresses } of assets) {
    const balances = await certainBalances(chain, contract, addresses, isPast ? block : undefined)
    // guard: proof-certain
    if (balances.some(each => each === null)) {
      found.unsure.add(id)
      continue
    }
    found.held.set(
      id,
      balances.reduce<bigint>((sum, each) => sum + each!, 0n),
    )
    for (const [n, amount] of balances.entries()) {
      if (!amount) continue
      const address = addresses[n]!
      const own = found.byAddress.get(address) ?? []
      found.byAddress.set(address, [...own, { asset: id, amount: String(amount) }])
    }
  }
  return found
}

/**
 * Balances of an asset; null where nodes do not agree, and for all where they fail.
 * @throws CallRefused where nodes keep no past balances
 */
async function certainBalances(
  chain: AccountChain,
  contract: string | null,
  addresses: readonly string[],
  block: BlockRef | undefined,
): Promise<(bigint | null)[]> {
  if (addresses.length === 0) return []
  try {
    return await chain.certainBalances(contract, addresses, block)
  } catch (error) {
    if (!isChainError(error) || (error instanceof CallRefused && block)) throw error
    return [null]
  }
}

type AddressKey = ReservePageRequest['addresses'][number]['key']

/** Which key of the signer an address has, as the server knows it; the signer derives it again. */
async function findKeys(
  { pool, signer, addressAt }: Deps,
  { id, kind }: ChainView['definition'],
  addresses: readonly string[],
): Promise<(address: string) => AddressKey> {
  const [rows, hot, sweeper, treasury] = await Promise.all([
    findKeyIndexes(pool, kind, addresses),
    signer.hot(kind),
    signer.sweeper(kind),
    signer.treasury(id),
  ])
  const keys = new Map<string, AddressKey>()
  // An address of another seed stays one of which the signer knows nothing.
  for (const { address, key_index } of rows) if (addressAt(kind, key_index) === address) keys.set(address, key_index)
  if (treasury) keys.set(treasury.address, 'treasury')
  keys.set(sweeper, 'sweeper').set(hot, 'hot')
  return address => keys.get(address) ?? null
}

/** Splits the addresses that hold something into pages that the signer takes, in an order that tells nothing. */
export async function makePages(
  deps: Deps,
  proofId: string,
  definition: ChainView['definition'],
  { block, byAddress }: ChainReserves,
): Promise<ReservePageRequest[]> {
  if (!block || byAddress.size === 0) return []
  const addresses = [...byAddress.keys()].sort()
  const keyOf = await findKeys(deps, definition, addresses)
  const pages: ReservePageRequest[] = []
  let balancesOfPage = 0
  for (const address of addresses) {
    const balances = byAddress.get(address)!
    const last = pages.at(-1)
    const hasRoom =
      last && last.addresses.length < pageAddressesMax && balancesOfPage + balances.length <= pageBalancesMax
    const entry = { key: keyOf(address), address, balances }
    if (hasRoom) last.addresses.push(entry)
    else pages.push({ id: proofId, chain: definition.id, page: pages.length, block, addresses: [entry] })
    balancesOfPage = (hasRoom ? balancesOfPage : 0) + balances.length
  }
  return pages
}
