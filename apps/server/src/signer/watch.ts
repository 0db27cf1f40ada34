import { type ChainKind, chainAdapters } from '@coffer/chains'
import { BIP32Factory } from 'bip32'
import * as secp256k1 from 'tiny-secp256k1'

// libsecp256k1: deriving in JavaScript took most of an order's time.
const tree = BIP32Factory(secp256k1)

/**
 * Derives deposit addresses from an extended public key, which cannot sign.
 * @param xpub the extended public key of the deposit account, 0' below the path of the kind
 * @returns a function giving the address at 0/index below that account, in stored form
 * @throws Error when the key is not an extended public key
 */
export function createWatchOnlyDeriver(kind: ChainKind, xpub: string): (index: number) => string {
  const account = tree.fromBase58(xpub)
  if (!account.isNeutered()) throw new Error('a watch-only key tree must not be given a private key')
  const chain = account.derive(0)
  return index => chainAdapters[kind].keys.addressOf(chain.derive(index).publicKey)
}

/**
 * Remembers what `derive` returned for the last `most` indexes: followers of all chains of a kind derive an address
 * before it is given out, and the order that takes it again.
 */
export function cacheRecentAddresses(derive: (index: number) => string, most: number): (index: number) => string {
  const known = new Map<number, string>()
  return index => {
    const address = known.get(index) ?? derive(index)
    if (known.size >= most && !known.has(index)) known.delete(known.keys().next().value!)
    known.set(index, address)
    return address
  }
}
