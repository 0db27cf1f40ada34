import { ECDH } from 'node:crypto'
import { addressOfPublicKey, type ChainDefinition } from '@coffer/chains'
import { HDKey } from '@scure/bip32'

export type ChainKind = ChainDefinition['kind']

/** Coin types of BIP-44: the second step of every path. */
export const COIN: Record<ChainKind, number> = { evm: 60, tron: 195 }

/**
 * Deposit addresses from the public half of the key tree. Nothing here can sign.
 * @param xpub the extended public key of the deposit account, m/44'/coin'/0'
 * @returns gives the address at m/44'/coin'/0'/0/index, in the stored form
 * @throws Error when the key is not an extended public key
 */
export function watchOnly(xpub: string): (index: number) => string {
  const account = HDKey.fromExtendedKey(xpub)
  if (account.privateKey) throw new Error('a watch-only tree must not be given a private key')
  const chain = account.deriveChild(0)
  return index => addressOf(chain.deriveChild(index))
}

/** The stored form of the address of one key of the tree. */
export function addressOf(key: HDKey): string {
  if (!key.publicKey) throw new Error('a key without its public half')
  const whole = ECDH.convertKey(key.publicKey, 'secp256k1', undefined, undefined, 'uncompressed')
  return addressOfPublicKey(whole as Buffer)
}
