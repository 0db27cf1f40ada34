import type { ChainKind } from '@coffer/chains'
import { isDelegationSignature } from '@coffer/chains/evm/delegation.ts'
import { z } from 'zod'

const units = z.string().regex(/^(0|[1-9][0-9]{0,77})$/)
/** Checked by the policy: an address or a contract in stored form. */
const address = z.string().max(64)
/** A token's contract. The native coin has none, and is not one by its name in the policy. */
const contract = address.refine(text => text !== 'native')
const index = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
const count = z.int().min(0)
const delegation = z.string().refine(isDelegationSignature)
/**
 * Coffer's id of the chain, such as `eth`, and a nonce of the wallet that signs. On TRON, which has none, it is a
 * number of ours: another transaction is signed for it only once the last one has expired.
 */
const numbered = { chain: z.string(), nonce: count }
/** What varies between the attempts to send one transaction. */
const terms = { ...numbered, gas: units, maxFeePerGas: units, maxPriorityFeePerGas: units }
/** The same on TRON; times are in milliseconds since 1970. A dry run names no block; what is to be signed must. */
const tronTerms = {
  ...numbered,
  refBlock: z.strictObject({ number: count, hash: z.string().regex(/^0x[0-9a-f]{64}$/) }).optional(),
  timestamp: count,
  expiration: count,
  feeLimit: units,
}
const base64url = (longest: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(longest)
/**
 * The release of a payout by a passkey (see passkey.ts). `id` is the payout's in Coffer; each releases one nonce only.
 */
const release = z.strictObject({
  id: z.string().min(1).max(100),
  authenticatorData: base64url(500),
  clientDataJSON: base64url(1_000),
  signature: base64url(200),
})
export type PayoutRelease = z.infer<typeof release>

/** Asks whether a release is valid for a payout. */
const releaseQuestion = z.strictObject({
  chain: z.string(),
  token: contract.nullable(),
  to: address,
  amount: units,
  release,
})
export type ReleaseCheckRequest = z.infer<typeof releaseQuestion>

/** Reads such a question; null when it is not valid. */
export const parseReleaseCheckRequest = (value: unknown): ReleaseCheckRequest | null =>
  releaseQuestion.safeParse(value).data ?? null

const payment = { to: address, amount: units, release: release.optional() }
/** Most payments or addresses of one transaction. */
const atMost = 50

/**
 * A transaction to sign on an Ethereum-like chain. Amounts and fees are base units as decimal strings; `token` null is
 * the native coin.
 * - transfer: the hot wallet pays a receiver (withdrawals and refunds).
 * - batch: the hot wallet pays up to 50 receivers of one token, through Disperse: all of them or none.
 * - approve: the hot wallet sets its allowance for Disperse.
 * - gas: the hot wallet sends the native coin for sweeps to the deposit address at `index`; null: to the sweeper.
 * - cancel: a wallet, by default the hot one, or the deposit address at `index` uses up a nonce with a transfer of zero
 *   to itself.
 * - sweep: a deposit address sends its balance to the treasury or, where the policy has none, the hot wallet; `index`
 *   null: the hot wallet sends to the treasury what it does not need.
 * - sweepMany: the sweeper moves all but one unit of up to 50 delegated deposit addresses there. `authorize` is
 *   the nonce of an address that is to be delegated first, in the same transaction (EIP-7702); null if it already is.
 *   `signature` is that delegation, signed in advance, which vault mode needs.
 */
const evmRequest = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('transfer'),
    ...terms,
    token: contract.nullable(),
    index: z.null(),
    ...payment,
  }),
  z.strictObject({
    kind: z.literal('batch'),
    ...terms,
    token: contract,
    payments: z.array(z.strictObject(payment)).min(1).max(atMost),
  }),
  z.strictObject({ kind: z.literal('approve'), ...terms, token: contract, amount: units }),
  z.strictObject({
    kind: z.literal('gas'),
    ...terms,
    token: z.null(),
    to: z.null(),
    index: index.nullable(),
    amount: units,
  }),
  z.strictObject({
    kind: z.literal('cancel'),
    ...terms,
    token: z.null(),
    to: z.null(),
    index: index.nullable(),
    amount: z.literal('0'),
    wallet: z.enum(['hot', 'sweeper']).optional(),
  }),
  z.strictObject({
    kind: z.literal('sweep'),
    ...terms,
    token: contract.nullable(),
    to: z.null(),
    index: index.nullable(),
    amount: units,
  }),
  z.strictObject({
    kind: z.literal('sweepMany'),
    ...terms,
    token: contract.nullable(),
    owners: z
      .array(z.strictObject({ index, authorize: count.nullable(), signature: delegation.optional() }))
      .min(1)
      .max(atMost),
  }),
])

/**
 * A transaction to sign on TRON.
 * - transfer: the hot wallet, or the deposit address at `index`, pays a receiver.
 * - gas: the hot wallet sends the native coin for its sweep to the deposit address at `index`, which also activates it.
 * - sweep: as on Ethereum-like chains.
 * - delegate, undelegate: the hot wallet lends the energy of `amount` staked coin to a deposit address, or takes it
 *   back.
 */
const tronRequest = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('transfer'),
    ...tronTerms,
    token: contract.nullable(),
    index: index.nullable(),
    ...payment,
  }),
  z.strictObject({ kind: z.literal('gas'), ...tronTerms, token: z.null(), to: z.null(), index, amount: units }),
  z.strictObject({
    kind: z.literal('sweep'),
    ...tronTerms,
    token: contract.nullable(),
    to: z.null(),
    index: index.nullable(),
    amount: units,
  }),
  z.strictObject({
    kind: z.enum(['delegate', 'undelegate']),
    ...tronTerms,
    token: z.null(),
    to: z.null(),
    index,
    amount: units,
  }),
])

const signRequest = z.union([evmRequest, tronRequest])
export type SignRequest = z.infer<typeof signRequest>

/** The intent of a nonce of the hot wallet that may be unsigned yet: it counts towards the limits. */
const unsigned = z.strictObject({
  nonce: count,
  purpose: z.string().max(64),
  amount: units,
  fee: units,
  /** Older servers do not send it. */
  unreleased: z
    .array(z.tuple([address, units]))
    .max(atMost)
    .default([]),
})
export type UnsignedIntent = z.infer<typeof unsigned>

/** Maximum number of unsigned nonces in a dry run: they fit into a line. */
export const maxUnsignedIntents = 300
const before = z.array(unsigned).max(maxUnsignedIntents)

/** Reads what is unsigned; null when it is not valid. Older servers send nothing. */
export const parseUnsignedIntents = (value: unknown): UnsignedIntent[] | null =>
  before.safeParse(value ?? []).data ?? null

export type BatchRequest = Extract<SignRequest, { kind: 'batch' }>

/**
 * The treasury of a chain, in stored form, and what stays in its hot wallet, by contract or `native`, in base units.
 */
export type Treasury = { address: string; float: Record<string, string> }

/** The site of the passkeys that release payouts of a chain, and how many there are. */
export type ReleaseSite = { chain: string; rpId: string; origin: string; keys: number }

/** `to` is the receiver or, where a contract of ours is called, that contract. */
export type SignedRawTransaction = { raw: string; txid: string; from: string; to: string }

/** A wallet with nonces of its own. */
export type WalletName = 'hot' | 'sweeper'

export type SignerRequest =
  | { id: number; op: 'xpub' | 'holdsDeposits' | WalletName; kind: ChainKind }
  | { id: number; op: 'exposure' | 'releaseSites' }
  | { id: number; op: 'treasury'; chain: string }
  | { id: number; op: 'sign'; request: SignRequest }
  | { id: number; op: 'dry_run'; request: SignRequest; before: UnsignedIntent[] }
  | { id: number; op: 'released'; payout: ReleaseCheckRequest }
  | { id: number; op: 'prove_addresses' | 'prove_statement'; proof: unknown }

/** Why the signer refused a request. */
export type SignerRefusal =
  | 'bad_request'
  | 'unknown_chain'
  | 'not_allowed'
  | 'asset_not_allowed'
  | 'bad_address'
  | 'not_on_list'
  | 'too_large'
  | 'daily_limit'
  | 'worth_unknown'
  | 'fee_too_high'
  | 'nonce_taken'
  | 'not_expired'
  | 'no_key'
  | 'passkey_required'
  | 'passkey_invalid'
  | 'passkey_used'
  | 'proof_signed'

export type SignerAnswer = { id: number; result: unknown } | { id: number; refused: SignerRefusal }

/** Longest accepted line, in bytes. */
export const MAX_LINE_BYTES = 64 * 1024

/** Whether a value is exactly a SignRequest, without extra fields. */
export const isSignRequest = (value: unknown): value is SignRequest => signRequest.safeParse(value).success
