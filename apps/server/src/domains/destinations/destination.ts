import { kinds } from '@coffer/chains'
import { Refusal } from '../../kit/refusal.ts'
import type { Asset } from '../chains/assets.ts'

/** Reads an address of the asset's chain. Throws Refusal('bad_address'), also for the zero address. */
export function parseDestination({ kind }: Pick<Asset, 'kind'>, address: string): string {
  const to = kinds[kind].address.parse(address.trim())
  if (to === null) throw new Refusal('bad_address', { field: 'address' })
  return to
}
