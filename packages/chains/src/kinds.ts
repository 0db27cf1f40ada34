import type { ChainAction, EvmTerms, TransactionTerms, TronTerms } from './action.ts'
import type { ChainView } from './chain.ts'
import type { ChainDefinition, ChainKind } from './definitions.ts'
import { buildAction, calleeOf, type EvmAction } from './evm/action.ts'
import { addressOfPublicKey } from './evm/address.ts'
import { EvmChain } from './evm/chain.ts'
import { createNodeIdentity } from './evm/identity.ts'
import { signTransaction } from './evm/transfer.ts'
import { type ChainForms, chainForms } from './forms.ts'
import type { NodesOptions } from './nodes/nodes.ts'
import { TronChain } from './tron/chain.ts'
import { MAX_AMOUNT_SUN, signTron, type TronAction } from './tron/transaction.ts'

/** The payment that a link requests from a wallet. */
type PaymentLink = {
  chain: Pick<ChainDefinition, 'chainId' | 'native'>
  /** Contract of the token, or null for the native coin. */
  contract: string | null
  /** In display form. */
  address: string
  /** In base units. */
  amount: bigint
}

/** How transactions of ours are made. */
type Sending = {
  /** What its transactions can do. */
  does: readonly ChainAction['does'][]
  /** Coins worth about one ether: limits in coins of a new policy are multiplied by it. */
  scale: bigint
  /**
   * Part of `scale` that one sweep may cost: in a new policy the native coin sent to a deposit address is limited to
   * it.
   */
  sweepPart: bigint
  /** The most of the native coin that one transaction can move. */
  most: bigint
  /** The receiver or, where a contract of ours is called, that contract. */
  target: (action: ChainAction) => string
  /** Signs a transaction. Returns its raw bytes and its id. Action and terms must be of this kind. */
  sign: (action: ChainAction, terms: TransactionTerms, privateKey: Uint8Array) => Promise<{ raw: string; txid: string }>
}

/** Everything that distinguishes kinds of chains. */
export type ChainAdapter = ChainForms & {
  /** Opens a chain over its nodes. Sends no requests. */
  open: (definition: ChainDefinition, options: NodesOptions) => ChainView
  /**
   * Whether what a block holds can be verified by the roots in its header. A definition can say that its chain cannot.
   */
  roots: boolean
  /** URLs that a node has besides `url` in the chains file, by name: what each is, and whether it is required. */
  nodeUrls: Record<string, { what: string; required: boolean }>
  /** Whether a transfer can name a memo or tag beside the receiver. */
  memo: boolean
  /** Returns a payment link for wallets, or the bare address if the kind has no common link format. */
  paymentUri: (payment: PaymentLink) => string
  keys: {
    /** BIP-44 derivation path down to the coin type. */
    path: string
    /** Returns the address of a secp256k1 public key, in the stored form. */
    addressOf: (publicKey: Uint8Array) => string
  }
  /** Null for kinds without payouts. */
  sending: Sending | null
}

/** The registry of chain kinds: the only place outside the adapters that distinguishes them. */
export const chainAdapters: Record<ChainKind, ChainAdapter> = {
  evm: {
    open: (definition, options) =>
      new EvmChain(definition, { identity: createNodeIdentity(definition.chainId), ...options }),
    roots: true,
    nodeUrls: {},
    ...chainForms.evm,
    memo: false,
    // EIP-681: amounts are in base units.
    paymentUri: ({ chain, contract, address, amount }) =>
      contract === null
        ? `ethereum:${address}@${chain.chainId}?value=${amount}`
        : `ethereum:${contract}@${chain.chainId}/transfer?address=${address}&uint256=${amount}`,
    keys: { path: "m/44'/60'", addressOf: addressOfPublicKey },
    sending: {
      does: ['transfer', 'batch', 'approve', 'sweep'],
      scale: 1n,
      sweepPart: 50n,
      most: 2n ** 256n - 1n,
      target: action => (action.does === 'transfer' ? action.to : calleeOf(action as EvmAction)),
      sign: (action, terms, privateKey) =>
        signTransaction(buildAction(action as EvmAction, terms as EvmTerms), privateKey),
    },
  },
  tron: {
    open: (definition, options) =>
      new TronChain(definition, { identity: createNodeIdentity(definition.chainId), ...options }),
    // Its interface for Ethereum's tools answers with headers that do not hash to their hashes.
    roots: false,
    nodeUrls: {
      http: { what: 'the node’s HTTP API', required: true },
      solid: { what: '/walletsolidity/, if it is not under "http"', required: false },
    },
    ...chainForms.tron,
    memo: false,
    paymentUri: ({ address }) => address,
    keys: { path: "m/44'/195'", addressOf: addressOfPublicKey },
    sending: {
      does: ['transfer', 'delegate', 'undelegate'],
      scale: 1_000n,
      sweepPart: 10n,
      most: MAX_AMOUNT_SUN,
      target: action => (action as TronAction).to,
      sign: (action, terms, privateKey) => signTron(action as TronAction, terms as TronTerms, privateKey),
    },
  },
}

/** Names of all kinds. */
export const chainKindNames = Object.keys(chainAdapters) as ChainKind[]

/** Whether a value is the name of a kind. */
export const isChainKind = (value: unknown): value is ChainKind => chainKindNames.includes(value as ChainKind)

/** Whether a text is an address in the stored form: it survives a round trip through the display form. */
export function isStoredAddress(kind: ChainKind, text: string): boolean {
  const { parse, show } = chainAdapters[kind].address
  try {
    return parse(show(text)) === text
  } catch {
    return false
  }
}
