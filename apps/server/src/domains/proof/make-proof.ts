import type { ChainView } from '@coffer/chains'
import { encodeHex, hashPages, hashStatement, type ProofStatement, type ProvenAsset } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { SignerRefused } from '../../signer/client.ts'
import type { ReservePageRequest, SignedProofText } from '../../signer/proof.ts'
import { allChains } from '../chains/store.ts'
import { holdingAddresses } from '../ledger/store.ts'
import { buildLiabilities, type Liabilities, toShare } from './liabilities.ts'
import { proofHash } from './nodes.ts'
import { type ChainReserves, makePages, readReserves } from './reserves.ts'
import {
  deleteDraft,
  deleteRequest,
  insertChunks,
  insertDraft,
  insertProof,
  insertShares,
  insertTree,
  listProvenAssets,
  readDraft,
  readMerchantBalances,
  readNewestProof,
  readProof,
  refuseDraft,
} from './store.ts'

/** Merchants whose leaves, and chunks that, are stored in one statement. */
const sharesAtOnce = 250
const chunksAtOnce = 32

/** Reads what merchants own and which addresses can hold it, in one snapshot with the final block of each chain. */
const readSnapshot = ({ pool, clock }: Deps) =>
  tx(pool, async c => {
    await c.query('set transaction isolation level repeatable read, read only')
    const chains = await allChains(c)
    const rows = (await readMerchantBalances(c)).map(each => ({
      ...each,
      merchant_id: each.merchant_id!,
      balance: each.balance!,
    }))
    const balances = Map.groupBy(rows, each => each.asset_id)
    const known = new Set(chains.filter(each => each.enabled).map(each => each.id))
    const assets = []
    for (const asset of await listProvenAssets(c)) {
      const chain = chains.find(each => each.id === asset.chain_id)!
      const own = balances.get(asset.id) ?? []
      if (own.length === 0 && !known.has(asset.chain_id)) continue
      const { kind } = chain.definition
      const holding = chain.enabled ? await holdingAddresses(c, chain.id, kind, asset.id) : []
      assets.push({ ...asset, balances: own, addresses: holding.map(each => each.address!) })
    }
    return { time: clock(), chains, assets, hasMerchants: rows.length > 0 }
  })
type Snapshot = Awaited<ReturnType<typeof readSnapshot>>
type SnapshotAsset = Snapshot['assets'][number]

/** A proof before it is signed, with the trees that merchants' parts are taken from. */
interface ProofDraft {
  /** Without the hashes of the pages, which are not signed yet. */
  statement: ProofStatement
  pages: ReservePageRequest[]
  trees: { asset: string; tree: Liabilities }[]
  /** Whether a balance is not certain. */
  isUnsure: boolean
}

/**
 * Makes a proof of what is owed and held now, and stores it as the draft of `id`, unless another process has. Returns
 * false if there is nothing to prove, or, with `wait`, if a balance is not certain.
 */
export async function draftProof(deps: Deps, id: string, { wait }: { wait: boolean }): Promise<boolean> {
  const snapshot = await readSnapshot(deps)
  if (!snapshot.hasMerchants) return false
  const draft = await makeDraft(deps, id, snapshot)
  if (draft.isUnsure && wait) return false
  await storeDraft(deps, id, draft)
  return true
}

async function makeDraft(deps: Deps, id: string, { time, chains, assets }: Snapshot): Promise<ProofDraft> {
  const before = await readNewestProof(deps.pool)
  const trees: ProofDraft['trees'] = []
  for (const each of assets) trees.push({ asset: each.id, tree: await buildLiabilities(id, each.id, each.balances) })
  const draft: ProofDraft = {
    statement: {
      id,
      time,
      previous: before ? hashStatement(proofHash, before.statement) : null,
      chains: [],
      assets: [],
    },
    pages: [],
    trees,
    isUnsure: false,
  }
  for (const chain of chains) {
    const own = assets.filter(each => each.chain_id === chain.id)
    if (own.length === 0) continue
    const { final_number: final, halted, definition } = chain
    const reserves = await readReserves(deps, chain.enabled ? deps.chains.get(chain.id) : undefined, {
      final,
      halted: halted !== null,
      assets: own,
    })
    const pages = await makePages(deps, id, definition, reserves)
    draft.isUnsure ||= reserves.reason === 'unread' || reserves.unsure.size > 0
    draft.pages.push(...pages)
    draft.statement.chains.push(describeChain(definition, reserves, pages.length))
    for (const asset of own)
      draft.statement.assets.push(describeAsset(asset, trees.find(each => each.asset === asset.id)!.tree, reserves))
  }
  return draft
}

/** `pages_hash` follows when the pages are signed. */
const describeChain = (
  { id, kind, chainId }: ChainView['definition'],
  { block, reason }: ChainReserves,
  pages: number,
) => ({
  id,
  kind,
  chain_id: chainId,
  block,
  reason,
  pages,
  pages_hash: '',
})

function describeAsset(
  { id, chain_id, symbol, contract, decimals, balances }: SnapshotAsset,
  { size, root }: Liabilities,
  reserves: ChainReserves,
): ProvenAsset {
  const held = reserves.block === null || reserves.unsure.has(id) ? null : (reserves.held.get(id) ?? 0n)
  const pending = balances.reduce((sum, each) => sum + each.held!, 0n)
  return {
    id,
    chain: chain_id,
    symbol,
    contract,
    decimals,
    leaves: size,
    root: encodeHex(root.hash),
    owed: String(root.sum),
    pending: String(pending),
    held: held === null ? null : String(held),
    difference: held === null ? null : String(held - root.sum),
  }
}

/** Stores a draft with its trees, all or nothing. The first one of an id counts, also once it is published. */
const storeDraft = ({ pool, clock }: Deps, id: string, { statement, pages, trees }: ProofDraft): Promise<void> =>
  tx(pool, async c => {
    if ((await insertDraft(c, id, statement, JSON.stringify(pages), clock())) === 0) return
    // The insert waits for another process that publishes this id, and has not seen what that one published.
    if (await readProof(c, id)) return void (await deleteDraft(c, id))
    for (const { asset, tree } of trees) {
      await insertTree(c, id, asset, tree.size, tree.tops)
      for (let at = 0; at < tree.chunks.length; at += chunksAtOnce)
        await insertChunks(c, id, asset, at, tree.chunks.slice(at, at + chunksAtOnce))
      for (let at = 0; at < tree.shares.length; at += sharesAtOnce)
        await insertShares(c, id, asset, JSON.stringify(tree.shares.slice(at, at + sharesAtOnce).map(toShare)))
    }
  })

/**
 * Has the signer sign the oldest draft and publishes it. A second process does the same and changes nothing: both
 * signatures are equal. Returns its id, or null if there is none.
 */
export async function publishDraft(deps: Deps): Promise<string | null> {
  const { pool, signer, clock, log } = deps
  const draft = await readDraft(pool)
  if (!draft) return null
  const { id, statement, pages, created_at } = draft
  try {
    const signedPages: SignedProofText[] = []
    for (const page of pages) signedPages.push(await signer.proveAddresses(page))
    const textsOf = (chain: string) => signedPages.filter((_, i) => pages[i]!.chain === chain).map(each => each.text)
    const chains = statement.chains.map(each => ({ ...each, pages_hash: hashPages(proofHash, textsOf(each.id)) }))
    const { text, signature, public_key } = await signer.proveStatement({ ...statement, chains })
    const kept = JSON.stringify(signedPages.map(({ text, signature }) => ({ text, signature })))
    await tx(pool, async c => {
      await insertProof(c, id, text, signature, public_key, kept, created_at, clock())
      await deleteDraft(c, id)
      await deleteRequest(c, id)
    })
    log.info({ proof: id }, 'proof: published')
    return id
  } catch (error) {
    if (!(error instanceof SignerRefused)) throw error
    // What it refuses once it refuses always.
    await tx(pool, async c => {
      await refuseDraft(c, id)
      await deleteRequest(c, id)
    })
    throw new Error(`the signer refused to sign proof ${id}: ${error.refusal}`)
  }
}
