import type { ChainDefinition, ChainKind } from './definitions.ts'
import { formatEvmAddress, parseEvmAddress } from './evm/address.ts'
import { formatTronAddress, parseTronAddress } from './tron/address.ts'

/**
 * Converts between the stored and displayed forms of addresses and transaction ids. The stored form is any text with
 * one spelling: the database, `AddressSet` and callbacks compare it as it is.
 */
export type ChainForms = {
  address: {
    /** Parses a displayed address. Returns the stored form, or null if it is not a valid address of this kind. */
    parse: (text: string) => string | null
    /** Formats a stored address for display. */
    show: (address: string) => string
    /** What every address of this kind begins with in display form, up to case. */
    prefix: string
  }
  /** Formats a stored transaction id for display. */
  showTxid: (txid: string) => string
}

/**
 * The part of the registry of kinds that lists and exports need. It loads no adapter, so that the worker of an export
 * starts fast.
 */
export const chainForms: Record<ChainKind, ChainForms> = {
  evm: { address: { parse: parseEvmAddress, show: formatEvmAddress, prefix: '0x' }, showTxid: txid => txid },
  tron: {
    address: { parse: parseTronAddress, show: formatTronAddress, prefix: 'T' },
    showTxid: txid => txid.replace(/^0x/, ''),
  },
}

/** Returns the stored forms of the addresses that a text can be, one for each kind of chain that it is valid on. */
export const parseStoredAddresses = (text: string): string[] =>
  Object.values(chainForms).flatMap(({ address }) => address.parse(text.trim()) ?? [])

/** Returns the explorer URL of a transaction, a displayed address or a block; null if the chain has no explorer. */
export function explorerUrl(chain: ChainDefinition, what: 'tx' | 'address' | 'block', id: string): string | null {
  const shown = what === 'tx' ? chainForms[chain.kind].showTxid(id) : id
  return chain.explorer ? chain.explorer[what].replace('{}', encodeURIComponent(shown)) : null
}
