import { type ChainKind, chainAdapters } from '@coffer/chains'
import { Refusal } from '../../kit/refusal.ts'
import type { Asset } from '../chains/assets.ts'

const zero = `0x${'0'.repeat(40)}`
/** Whether a text is the zero address of a kind of chain, which is read as none. */
export const isZeroAddress = (kind: ChainKind, text: string): boolean =>
  chainAdapters[kind].address.show(zero) === text.trim()

const zeroRefused = {
  en: 'This is the zero address, which cannot receive',
  'zh-CN': '该地址为零地址，无法收款',
}

/** Reads an address of the asset's chain. Throws Refusal('bad_address'), which names the zero address as such. */
export function parseDestination({ kind }: Pick<Asset, 'kind'>, address: string): string {
  const to = chainAdapters[kind].address.parse(address.trim())
  if (isZeroAddress(kind, address)) throw new Refusal('bad_address', { field: 'address', text: zeroRefused })
  if (to === null) throw new Refusal('bad_address', { field: 'address' })
  return to
}
