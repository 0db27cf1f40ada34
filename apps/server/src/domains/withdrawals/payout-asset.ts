import { chainAdapters } from '@coffer/chains'
import { parseDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type Asset, readPayableAsset } from '../chains/assets.ts'
import { isPayable } from '../outgoing/sender.ts'

/** Reads an asset that can be paid out: its chain must be read, and transactions can be sent on it. */
export async function readPayoutAsset({ chains, pool }: Deps, assetId: string): Promise<Asset> {
  const asset = await readPayableAsset(pool, assetId)
  if (!asset) throw new Refusal('currency_not_exist', { field: 'token_id' })
  const chain = chains.get(asset.chain_id)
  if (!chainAdapters[asset.kind].sending || !chain || !isPayable(chain))
    throw new Refusal('currency_not_supported', { field: 'token_id' })
  return asset
}

/** Reads an amount of an asset in base units. */
export function parseAmount({ decimals }: Asset, amount: string): bigint {
  const units = parseDecimal(amount, decimals)
  if (units !== null) return units
  const detail = { en: `at most ${decimals} decimal places`, 'zh-CN': `最多 ${decimals} 位小数` }
  throw new Refusal('bad_amount', { field: 'amount', detail })
}
