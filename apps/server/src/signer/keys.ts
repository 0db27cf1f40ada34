import { createHash } from 'node:crypto'
import { type ChainKind, chainAdapters, chainKindNames } from '@coffer/chains'
import { HDKey } from '@scure/bip32'
import type { WalletName } from './protocol.ts'

/** Path of the key that signs proofs of liabilities and reserves: no wallet derives addresses there. */
const proofPath = "m/20266'/0'"

/** The key of a wallet, or that of the deposit address at an index. */
export type KeyName = WalletName | number

/**
 * Accounts without a seed, by path: extended private keys of the wallets, extended public keys of the deposit
 * addresses.
 */
export type VaultAccounts = Record<string, string>

/**
 * Every key, derived from one seed; or, in vault mode, those of the wallets alone, with deposit addresses that can only
 * be watched. Constructed in the signer process, and where a recovery phrase is known.
 */
export class Keys {
  readonly #root: HDKey | null
  /** Cache of derived accounts: a hardened step costs milliseconds. */
  readonly #accounts = new Map<string, HDKey>()
  /** Cache of the wallets' keys, which sign most transactions. */
  readonly #wallets = new Map<string, HDKey>()

  /** @param source the 64-byte seed of a recovery phrase, or accounts that `vault` returned */
  constructor(source: Uint8Array | VaultAccounts) {
    this.#root = source instanceof Uint8Array ? HDKey.fromMasterSeed(source) : null
    if (!(source instanceof Uint8Array))
      for (const [path, key] of Object.entries(source)) this.#accounts.set(path, HDKey.fromExtendedKey(key))
  }

  /** Whether deposits can be moved: false in vault mode. */
  get holdsDeposits(): boolean {
    return this.#root !== null
  }

  /** The accounts of vault mode, from which no key of a deposit address can be derived. */
  vault(): VaultAccounts {
    const accounts = chainKindNames.flatMap(kind =>
      [0, 1, 2].map(account => {
        const { publicExtendedKey, privateExtendedKey } = this.#account(kind, account)
        return [pathOf(kind, account), account === 0 ? publicExtendedKey : privateExtendedKey] as const
      }),
    )
    return Object.fromEntries([...accounts, [proofPath, this.#root!.derive(proofPath).privateExtendedKey]])
  }

  /** The extended public key from which the server derives deposit addresses. */
  xpub(kind: ChainKind): string {
    return this.#account(kind, 0).publicExtendedKey
  }

  /** The address of a key, in stored form. */
  address(kind: ChainKind, name: KeyName): string {
    return chainAdapters[kind].keys.addressOf(this.#key(kind, name).publicKey!)
  }

  /** The 32-byte private key. It must not leave this process. */
  privateKey(kind: ChainKind, name: KeyName): Uint8Array {
    const key = this.#key(kind, name).privateKey
    if (!key) throw new Error('the keys of deposit addresses are not here')
    return key
  }

  /** Whether it has the key of proofs: not that of vault mode from before there were proofs. */
  get canProve(): boolean {
    return this.#root !== null || this.#accounts.has(proofPath)
  }

  /** The 32 bytes of the Ed25519 key of proofs. It must not leave this process. */
  proofKey(): Uint8Array {
    const { privateKey } = this.#accounts.get(proofPath) ?? this.#root!.derive(proofPath)
    return createHash('sha256').update('coffer proof key').update(privateKey!).digest()
  }

  #key(kind: ChainKind, name: KeyName): HDKey {
    // Each wallet has its own hardened account, so that a leaked deposit key and the xpub do not reveal its key.
    if (name === 'hot') return this.#wallet(kind, 1)
    if (name === 'sweeper') return this.#wallet(kind, 2)
    return this.#account(kind, 0).deriveChild(0).deriveChild(name)
  }

  #wallet(kind: ChainKind, account: number): HDKey {
    const path = pathOf(kind, account)
    const found = this.#wallets.get(path) ?? this.#account(kind, account).deriveChild(0).deriveChild(0)
    this.#wallets.set(path, found)
    return found
  }

  #account(kind: ChainKind, account: number): HDKey {
    const path = pathOf(kind, account)
    const found = this.#accounts.get(path) ?? this.#root?.derive(path)
    if (!found) throw new Error(`there is no key of ${path}`)
    this.#accounts.set(path, found)
    return found
  }
}

const pathOf = (kind: ChainKind, account: number) => `${chainAdapters[kind].keys.path}/${account}'`
