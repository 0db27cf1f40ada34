import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { type ChainPolicy, type SignerPolicy, toMicroDollars } from './policy.ts'

/** What would lower an exposure. */
export type ExposureRemedy = 'passkeys' | 'treasury' | 'onlyTo' | 'allChains' | 'vault'

/** What whoever controls the server, but not the signer, could take in 24 hours. Amounts are in dollars. */
export interface Exposure {
  chains: { chain: string; payouts: string; fees: string }[]
  /** Of all chains together. */
  per_day: string
  /**
   * What can be taken day by day until somebody stops the signer: all that hot wallets have of these assets and,
   * without a treasury, deposit addresses.
   */
  reach: { chain: string; asset: string; dollars: string; deposits: boolean }[]
  /** Assets that may leave and have no worth in the policy: they are not counted. */
  uncounted: { chain: string; asset: string }[]
  remedies: ExposureRemedy[]
}

/**
 * Derives the exposure from the policy as it stands. `holdsDeposits`: whether the signer has the keys of deposit
 * addresses.
 */
export function computeExposure({ daily, chains }: SignerPolicy, holdsDeposits: boolean): Exposure {
  const entries = Object.entries(chains)
  const each = entries.map(([chain, of]) => ({
    chain,
    payouts: Object.keys(of.assets).reduce((sum, asset) => sum + toMicroDollars(of, asset, exposed(of, asset)), 0n),
    fees: toMicroDollars(of, 'fee', of.fee.daily),
  }))
  const sum = each.reduce((sum, { payouts, fees }) => sum + payouts + fees, 0n)
  const open = entries.flatMap(([chain, of]) =>
    Object.keys(of.assets).flatMap(asset => (payable(of, asset) > 0n ? [{ chain, asset, of }] : [])),
  )
  const isWorth = ({ asset, of }: (typeof open)[number]) => Object.hasOwn(of.worth, asset)
  const remedies: ExposureRemedy[] = []
  if (open.some(({ asset, of }) => of.passkeys === null || !Object.hasOwn(of.passkeys.above, asset)))
    remedies.push('passkeys')
  if (open.some(({ asset, of }) => of.treasury === null || !Object.hasOwn(of.float, asset))) remedies.push('treasury')
  if (open.length > 0) remedies.push('onlyTo')
  if (daily === null) remedies.push('allChains')
  if (holdsDeposits) remedies.push('vault')
  return {
    chains: each.map(({ chain, payouts, fees }) => ({ chain, payouts: inDollars(payouts), fees: inDollars(fees) })),
    per_day: inDollars(daily !== null && daily < sum ? daily : sum),
    reach: open.filter(isWorth).map(({ chain, asset, of }) => {
      return { chain, asset, dollars: inDollars(of.worth[asset]!.dollars), deposits: of.treasury === null }
    }),
    uncounted: open.filter(each => !isWorth(each)).map(({ chain, asset }) => ({ chain, asset })),
    remedies,
  }
}

/** Worth is in millionths of a dollar. */
const inDollars = (millionths: bigint) => formatDecimal(millionths, 6)

/** Base units of an asset that may leave a chain in 24 hours to an address of the thief's choice. */
function payable({ assets, onlyTo, passkeys }: ChainPolicy, asset: string): bigint {
  const { single, daily } = assets[asset]!
  if (onlyTo !== null || single === 0n) return 0n
  if (passkeys === null || !Object.hasOwn(passkeys.above, asset)) return daily
  const above = passkeys.above[asset]!
  const inAll = Object.hasOwn(passkeys.aboveInAll, asset) ? passkeys.aboveInAll[asset]! : 10n * above
  return [daily, inAll].reduce((a, b) => (a < b ? a : b), above === 0n ? 0n : daily)
}

/** The same, no more than the float: with a treasury nothing but the operator fills the hot wallet. */
function exposed(of: ChainPolicy, asset: string): bigint {
  const most = payable(of, asset)
  const float = of.treasury === null ? undefined : of.float[asset]
  return float !== undefined && float < most ? float : most
}
