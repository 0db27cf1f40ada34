import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { Deps } from '../../deps.ts'
import { SignerUnavailable } from '../../signer/client.ts'
import { readChainAssets } from '../chains/assets.ts'
import type { readLiquidity } from './today.ts'

const decimals = 18
const units = (text: string) => parseDecimal(text || '0', decimals) ?? 0n

/** Reads what who took over the server could take: by the signer's policy, and in all of what our addresses have. */
export async function readExposure(
  { pool, signer }: Pick<Deps, 'pool' | 'signer'>,
  liquidity: Awaited<ReturnType<typeof readLiquidity>>['list'],
): Promise<OperatorData<'GET /api/operator/v1/exposure'>> {
  const read = await signer.exposure().catch(error => {
    if (error instanceof SignerUnavailable) return null
    throw error
  })
  if (!read) return { chains: [], per_day: '', in_all: '', uncounted: [], remedies: [] }
  const { reach, ...exposure } = read
  let inAll = 0n
  let isKnown = true
  for (const { chain, asset, dollars, deposits } of reach) {
    const found = [...(await readChainAssets(pool, chain)).values()].find(each => (each.contract ?? 'native') === asset)
    const held = liquidity.find(each => each.chain_id === chain && each.token === found?.symbol)
    // A balance that nobody reports is not nothing.
    if (held?.balance === '') isKnown = false
    const there = held ? units(held.balance) + (deposits ? units(held.unswept) : 0n) : 0n
    inAll += (there * units(dollars)) / units('1')
  }
  return { ...exposure, in_all: isKnown ? formatDecimal(inAll, decimals) : '' }
}
