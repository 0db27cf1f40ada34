import { type ChainKind, kinds } from '@coffer/chains'
import { HDKey } from '@scure/bip32'
import type { WalletName } from './protocol.ts'

/** The key of a wallet, or that of the deposit address at an index. */
export type KeyName = WalletName | number

/** Every key, derived from one seed. Constructed in the signer process only. */
export class Keys {
  readonly #root: HDKey
  /** Cache of derived accounts: a hardened step costs milliseconds. */
  readonly #accounts = new Map<string, HDKey>()

  /** @param seed the 64-byte seed of a recovery phrase */
  constructor(seed: Uint8Array) {
    this.#root = HDKey.fromMasterSeed(seed)
  }

  /** The extended public key from which the server derives deposit addresses. */
  xpub(kind: ChainKind): string {
    return this.#account(kind, 0).publicExtendedKey
  }

  /** The address of a key, in stored form. */
  address(kind: ChainKind, name: KeyName): string {
    return kinds[kind].keys.addressOf(this.#key(kind, name).publicKey!)
  }

  /** The 32-byte private key. It must not leave this process. */
  privateKey(kind: ChainKind, name: KeyName): Uint8Array {
    const key = this.#key(kind, name).privateKey
    if (!key) throw new Error('the tree has no private keys')
    return key
  }

  #key(kind: ChainKind, name: KeyName): HDKey {
    // Each wallet has its own hardened account, so that a leaked deposit key and the xpub do not reveal its key.
    if (name === 'hot') return this.#account(kind, 1).deriveChild(0).deriveChild(0)
    if (name === 'sweeper') return this.#account(kind, 2).deriveChild(0).deriveChild(0)
    return this.#account(kind, 0).deriveChild(0).deriveChild(name)
  }

  #account(kind: ChainKind, account: number): HDKey {
    const path = `${kinds[kind].keys.path}/${account}'`
    const found = this.#accounts.get(path) ?? this.#root.derive(path)
    this.#accounts.set(path, found)
    return found
  }
}
