import type { ChainDefinition } from '@coffer/chains'

/**
 * A link by which a wallet pays (EIP-681): native `ethereum:<to>@<chain>?value=<wei>`, token
 * `ethereum:<contract>@<chain>/transfer?address=<to>&uint256=<units>`. Chains of another kind have no such link that
 * wallets agree on: the plain address. `units` are base units.
 */
export function paymentUri(
  { kind, chainId }: Pick<ChainDefinition, 'kind' | 'chainId'>,
  contract: string | null,
  address: string,
  units: bigint,
): string {
  if (kind !== 'evm') return address
  return contract === null
    ? `ethereum:${address}@${chainId}?value=${units}`
    : `ethereum:${contract}@${chainId}/transfer?address=${address}&uint256=${units}`
}
