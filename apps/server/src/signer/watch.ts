import { type ChainKind, kinds } from '@coffer/chains'
import { HDKey } from '@scure/bip32'

/**
 * Derives deposit addresses from an extended public key, which cannot sign.
 * @param xpub the extended public key of the deposit account, 0' below the path of the kind
 * @returns a function giving the address at 0/index below that account, in stored form
 * @throws Error when the key is not an extended public key
 */
export function watchOnly(kind: ChainKind, xpub: string): (index: number) => string {
  const account = HDKey.fromExtendedKey(xpub)
  if (account.privateKey) throw new Error('a watch-only key tree must not be given a private key')
  const chain = account.deriveChild(0)
  return index => addressOf(kind, chain.deriveChild(index))
}

/** The address of a key of the tree, in stored form. */
export function addressOf(kind: ChainKind, key: HDKey): string {
  if (!key.publicKey) throw new Error('the key has no public key')
  return kinds[kind].keys.addressOf(key.publicKey)
}
