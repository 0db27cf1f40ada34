import type { ChainKind } from '@coffer/chains'
import { createWatchOnlyDeriver } from '../signer/watch.ts'

/** Addresses by extended public key and index. */
const known = new Map<string, string[]>()

/**
 * Like `createWatchOnlyDeriver`, but derives each address once in this process: every start of a follower needs
 * hundreds of the same
 * keys.
 */
export function watchOnce(kind: ChainKind, xpub: string): (index: number) => string {
  const derive = createWatchOnlyDeriver(kind, xpub)
  const addresses = known.get(xpub) ?? []
  known.set(xpub, addresses)
  return index => {
    addresses[index] ??= derive(index)
    return addresses[index]
  }
}
