import { kinds } from '@coffer/chains'
import type { Language } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Asset } from '../chains/assets.ts'
import { isOurAddress, isTokenContract } from './store.ts'

/** Reads an address of the asset's chain. Throws Refusal('bad_address'), also for the zero address. */
export function parseDestination({ kind }: Pick<Asset, 'kind'>, address: string): string {
  const to = kinds[kind].address.parse(address.trim())
  if (to === null) throw new Refusal('bad_address', { field: 'address' })
  return to
}

/** Refuses a destination that must not be paid, or from which the money would not come back: a token contract, or an address of ours. */
export async function checkDestination(
  { pool: c, sanctioned }: Pick<Deps, 'pool' | 'sanctioned'>,
  { kind, chain_id }: Asset,
  to: string,
): Promise<void> {
  const refuse = (detail: Record<Language, string>) => new Refusal('address_not_allowed', { field: 'address', detail })
  if (sanctioned(kinds[kind].address.show(to)))
    throw refuse({ en: 'it is on a sanctions list', 'zh-CN': '该地址在制裁名单上' })
  if ((await isTokenContract(c, chain_id, to)) > 0)
    throw refuse({ en: 'it is the contract of a token', 'zh-CN': '该地址为代币合约' })
  if ((await isOurAddress(c, kind, to)) > 0)
    throw refuse({ en: 'it belongs to this platform; use a transfer', 'zh-CN': '该地址属于本平台，请使用内部转账' })
}
