import { type ChainKind, kinds } from '@coffer/chains'
import { HDKey } from '@scure/bip32'

/**
 * Deposit addresses from the public half of the key tree. Nothing here can sign.
 * @param xpub the extended public key of the deposit account, 0' below the path of the kind
 * @returns gives the address at 0/index below that account, in the stored form
 * @throws Error when the key is not an extended public key
 */
export function watchOnly(kind: ChainKind, xpub: string): (index: number) => string {
  const account = HDKey.fromExtendedKey(xpub)
  if (account.privateKey) throw new Error('a watch-only tree must not be given a private key')
  const chain = account.deriveChild(0)
  return index => addressOf(kind, chain.deriveChild(index))
}

/** The stored form of the address of one key of the tree. */
export function addressOf(kind: ChainKind, key: HDKey): string {
  if (!key.publicKey) throw new Error('a key without its public half')
  return kinds[kind].keys.addressOf(key.publicKey)
}
