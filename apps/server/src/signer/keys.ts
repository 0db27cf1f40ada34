import { type ChainKind, kinds } from '@coffer/chains'
import { HDKey } from '@scure/bip32'
import { addressOf } from './watch.ts'

/** Which key: the hot wallet, or the deposit address at an index. */
export type KeyName = 'hot' | number

/** All keys, from one seed. Only the signer's process makes one of these. */
export class Keys {
  readonly #root: HDKey
  /** Accounts once derived: a hardened step costs milliseconds. */
  readonly #accounts = new Map<string, HDKey>()

  /** Takes the 64-byte seed of a recovery phrase. */
  constructor(seed: Uint8Array) {
    this.#root = HDKey.fromMasterSeed(seed)
  }

  /** The extended public key from which the server derives deposit addresses. */
  xpub(kind: ChainKind): string {
    return this.#account(kind, 0).publicExtendedKey
  }

  /** The address of a key in the stored form. */
  address(kind: ChainKind, name: KeyName): string {
    return addressOf(kind, this.#key(kind, name))
  }

  /** The private key itself: 32 bytes that must not leave the process. */
  privateKey(kind: ChainKind, name: KeyName): Uint8Array {
    const key = this.#key(kind, name).privateKey
    if (!key) throw new Error('the tree has no private keys')
    return key
  }

  #key(kind: ChainKind, name: KeyName): HDKey {
    // The hot wallet has an account of its own: a hardened step, so that no deposit key with the xpub leads to it.
    if (name === 'hot') return this.#account(kind, 1).deriveChild(0).deriveChild(0)
    return this.#account(kind, 0).deriveChild(0).deriveChild(name)
  }

  #account(kind: ChainKind, account: number): HDKey {
    const path = `${kinds[kind].keys.path}/${account}'`
    const found = this.#accounts.get(path) ?? this.#root.derive(path)
    this.#accounts.set(path, found)
    return found
  }
}
