import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'

/**
 * Extended public keys of the operator's deposit accounts, one for each kind of chain: `evm` for Ethereum and chains like it, `tron`. Get
 * them from the operator, never from the server whose addresses they are to verify.
 */
export interface AccountKeys {
  evm?: string | undefined
  tron?: string | undefined
}

/** What shows an address: an order, or an address of a customer. */
export interface ShownAddress {
  address: string
  /** Index of its key below the operator's account; null without an address. */
  address_index: number | null
}

/** An address was not verified. Do not show it to anybody. */
export class AddressError extends Error {
  override readonly name = 'AddressError'
  readonly address: string

  constructor(address: string, reason: string) {
    super(`address ${address || '(none)'} is not verified: ${reason}`)
    this.address = address
  }
}

type Kind = keyof AccountKeys

/** `m/44'/<coin>'/0'`: the keys of the addresses are 0/<index> below it. */
const accountDepth = 3
const hardened = 0x80000000
const base58check = createBase58check(sha256)
const forms: Record<Kind, { is: (address: string) => boolean; of: (hash: Uint8Array) => string }> = {
  evm: { is: address => /^0x[0-9a-fA-F]{40}$/.test(address), of: withChecksum },
  tron: {
    is: address => /^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address),
    of: hash => base58check.encode(Uint8Array.from([0x41, ...hash])),
  },
}
const kinds = Object.keys(forms) as Kind[]

/**
 * Returns a function that throws AddressError unless an address is that of its key below an account: written as the server writes it, with
 * its checksum. Throws TypeError when a key is not the public key of an account.
 */
export function addressVerifier(keys: AccountKeys): (shown: ShownAddress) => void {
  const given = kinds.filter(kind => keys[kind] !== undefined)
  if (given.length === 0) throw new TypeError(`accountKeys must have one of ${kinds.join(', ')}`)
  const accounts = new Map(given.map(kind => [kind, accountOf(kind, keys[kind])]))
  return ({ address, address_index: index }) => {
    const refuse = (reason: string) => new AddressError(String(address), reason)
    if (!address) throw refuse('there is none')
    const kind = kinds.find(each => forms[each].is(address))
    const account = kind && accounts.get(kind)
    if (!kind) throw refuse(`it is of no kind that can be verified (${kinds.join(', ')})`)
    if (!account) throw refuse(`accountKeys.${kind} is not set`)
    if (index === undefined || index === null) throw refuse('the server does not say its index (address_index)')
    if (!Number.isInteger(index) || index < 0 || index >= hardened) throw refuse('its index is not one')
    const point = secp256k1.ProjectivePoint.fromHex(account.deriveChild(index).publicKey as Uint8Array)
    const derived = forms[kind].of(keccak_256(point.toRawBytes(false).subarray(1)).subarray(12))
    if (derived !== address) throw refuse(`the operator’s key has another at index ${index}`)
  }
}

/** Throws AddressError unless an address derives from the operator's accounts. TypeError on a malformed account key. */
export function verifyAddress(shown: ShownAddress, keys: AccountKeys): void {
  addressVerifier(keys)(shown)
}

function accountOf(kind: Kind, key: unknown): HDKey {
  const bad = (why: string) => new TypeError(`accountKeys.${kind} ${why}`)
  if (typeof key !== 'string' || !key.startsWith('xpub')) throw bad('is not an extended public key (xpub...)')
  let account: HDKey
  try {
    account = HDKey.fromExtendedKey(key)
  } catch {
    throw bad('is not a valid extended public key: copy it whole')
  }
  if (account.depth !== accountDepth || account.index !== hardened)
    throw bad('is not the key of an account: its addresses are not those of deposits')
  return account.deriveChild(0)
}

/** Writes the 20 bytes of an address with its checksum (EIP-55). */
function withChecksum(hash: Uint8Array): string {
  const digits = Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('')
  const bits = keccak_256(new TextEncoder().encode(digits))
  const cased = Array.from(digits, (digit, i) =>
    ((bits[i >> 1] ?? 0) >> (i % 2 ? 0 : 4)) & 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}
