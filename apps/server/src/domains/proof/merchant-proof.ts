import { setImmediate } from 'node:timers/promises'
import { buildSumTree, encodeHex, type MerchantProof, parseBaseUnits, type SumTree } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { chunkLeaves, decodeNodes, pathInChunks, proofHash } from './nodes.ts'
import { readChunks, readMerchantProofId, readShares } from './store.ts'

/**
 * Reads a merchant's part of a published proof, by default of the newest one: the own leaves with their paths. Null if
 * there is none.
 */
export async function readMerchantProof(
  { pool }: Pick<Deps, 'pool'>,
  merchantId: string,
  proofId: string | null,
): Promise<MerchantProof | null> {
  const found = await readMerchantProofId(pool, proofId, merchantId)
  if (!found?.mchid) return null
  const { id, mchid } = found
  const assets: MerchantProof['assets'] = []
  for (const { asset_id, leaves, tops } of await readShares(pool, id, merchantId)) {
    const wanted = [...new Set(leaves.map(each => Math.floor(each.place / chunkLeaves)))]
    const rows = await readChunks(pool, id, asset_id, wanted)
    const top = buildSumTree(proofHash, decodeNodes(tops))
    const chunks = new Map<number, SumTree>()
    for (const { chunk, nodes } of rows) {
      chunks.set(chunk, buildSumTree(proofHash, decodeNodes(nodes)))
      // One with many leaves takes many chunks.
      await setImmediate()
    }
    assets.push({
      asset: asset_id,
      balance: String(leaves.reduce((sum, each) => sum + parseBaseUnits(each.amount), 0n)),
      leaves: leaves.map(({ place, amount, salt }) => {
        const path = pathInChunks(chunks.get(Math.floor(place / chunkLeaves))!, top, place)
        return { place, amount, salt, path: path.map(({ hash, sum }) => ({ hash: encodeHex(hash), sum: String(sum) })) }
      }),
    })
  }
  return { format: 'coffer-proof-merchant-1', id, merchant: mchid, assets }
}
