import type { ChainView } from './chain.ts'
import type { ChainDefinition, ChainKind } from './definitions.ts'
import { addressOfPublicKey, parseEvmAddress, showEvmAddress } from './evm/address.ts'
import { EvmChain } from './evm/chain.ts'
import { buildTransfer, signTransfer, type TransferRequest } from './evm/transfer.ts'
import type { NodesOptions } from './jsonrpc/nodes.ts'
import { parseTronAddress, showTronAddress } from './tron/address.ts'
import { TronChain } from './tron/chain.ts'

/** The two forms of an address: stored and compared, and shown to people. */
type AddressForm = {
  /** Reads what somebody typed. Gives the stored form, or null when it is not an address of this kind of chain. */
  parse: (text: string) => string | null
  /** Writes a stored address as people are shown it. */
  show: (address: string) => string
}

/** What a payment link asks a wallet to pay. */
type PaymentLink = {
  chain: Pick<ChainDefinition, 'chainId' | 'native'>
  /** Contract of the token, or null for the native coin. */
  contract: string | null
  /** As people are shown it. */
  address: string
  /** Base units. */
  amount: bigint
}

/** Everything in which one kind of chain differs from the next. */
export type Kind = {
  /** Opens a chain over its nodes. Sends no request yet. */
  open: (definition: ChainDefinition, options: NodesOptions) => ChainView
  /** URLs that a node in the chains file has besides `url`, by name: what they lead to, and whether they are required. */
  nodeUrls: Record<string, { what: string; required: boolean }>
  address: AddressForm
  /** Writes a stored transaction id as people are shown it. */
  showTxid: (txid: string) => string
  /** The link for wallets; the plain address where wallets have no common form of links. */
  paymentUri: (payment: PaymentLink) => string
  keys: {
    /** Derivation path above the account: purpose and coin type (BIP-44). */
    path: string
    /** The address of a public key (secp256k1), in the stored form. */
    addressOf: (publicKey: Uint8Array) => string
  }
  /** Signs a transfer. Gives the bytes to send and the transaction id. Null for kinds without payouts. */
  sign: ((request: TransferRequest, privateKey: Uint8Array) => Promise<{ raw: string; txid: string }>) | null
}

/** The registry of chain kinds. No code outside this package distinguishes kinds otherwise. */
export const kinds: Record<ChainKind, Kind> = {
  evm: {
    open: (definition, options) => new EvmChain(definition, options),
    nodeUrls: {},
    address: { parse: parseEvmAddress, show: showEvmAddress },
    showTxid: txid => txid,
    // EIP-681; amounts in base units.
    paymentUri: ({ chain, contract, address, amount }) =>
      contract === null
        ? `ethereum:${address}@${chain.chainId}?value=${amount}`
        : `ethereum:${contract}@${chain.chainId}/transfer?address=${address}&uint256=${amount}`,
    keys: { path: "m/44'/60'", addressOf: addressOfPublicKey },
    sign: (request, privateKey) => signTransfer(buildTransfer(request), privateKey),
  },
  tron: {
    open: (definition, options) => new TronChain(definition, options),
    nodeUrls: {
      http: { what: 'its own HTTP interface', required: true },
      solid: { what: '/walletsolidity/, when it is not under "http"', required: false },
    },
    address: { parse: parseTronAddress, show: showTronAddress },
    showTxid: txid => txid.replace(/^0x/, ''),
    paymentUri: ({ address }) => address,
    keys: { path: "m/44'/195'", addressOf: addressOfPublicKey },
    sign: null,
  },
}

/** Names of all kinds. */
export const kindNames = Object.keys(kinds) as ChainKind[]

/** Whether a value names a kind. */
export const isKind = (value: unknown): value is ChainKind => kindNames.includes(value as ChainKind)

/** Whether a text is an address in the stored form, that is, survives being written for people and read back. */
export function isStoredAddress(kind: ChainKind, text: string): boolean {
  const { parse, show } = kinds[kind].address
  try {
    return parse(show(text)) === text
  } catch {
    return false
  }
}

/** Explorer URL of a transaction, an address (as shown) or a block; null when the chain has no explorer. */
export function explorerUrl(chain: ChainDefinition, what: 'tx' | 'address' | 'block', id: string): string | null {
  const shown = what === 'tx' ? kinds[chain.kind].showTxid(id) : id
  return chain.explorer ? chain.explorer[what].replace('{}', encodeURIComponent(shown)) : null
}
