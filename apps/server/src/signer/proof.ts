import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { chainAdapters, isStoredAddress } from '@coffer/chains'
import {
  formatReservePage,
  formatStatement,
  type ProvenAddress,
  pageAddressesMax,
  pageBalancesMax,
  readProofAmount,
  reservePageMessage,
  statementMessage,
} from '@coffer/core'
import { z } from 'zod'
import type { Keys } from './keys.ts'
import { findChainPolicy, type SignerPolicy } from './policy.ts'
import type { SignerRefusal } from './protocol.ts'
import type { SigningRecord } from './record.ts'

const id = z.string().regex(/^20\d\d-\d\d-\d\d(?:-[1-9]\d?)?$/)
const word = z.string().min(1).max(200)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().min(0)
const amount = z.string().refine(text => readProofAmount(text) !== null)
const block = z.strictObject({
  number: count,
  hash: z.string().regex(/^0x[0-9a-f]{64}$/),
  until: count.nullable(),
})

/**
 * A page of addresses to sign. `key` is the index of a deposit address or the name of a wallet, which must derive the
 * address; `treasury`, which the policy must name; or null, of which the signer knows nothing. Addresses are in stored
 * form.
 */
const reservePage = z.strictObject({
  id,
  chain: word,
  page: count,
  block,
  addresses: z
    .array(
      z.strictObject({
        key: z.union([count.max(2 ** 31 - 1), z.enum(['hot', 'sweeper', 'treasury'])]).nullable(),
        address: z.string().max(64),
        balances: z
          .array(z.strictObject({ asset: word, amount }))
          .min(1)
          .max(pageBalancesMax),
      }),
    )
    .min(1)
    .max(pageAddressesMax),
})
export type ReservePageRequest = z.infer<typeof reservePage>

const provenChain = z.strictObject({
  id: word,
  kind: word,
  chain_id: count,
  block: block.nullable(),
  reason: z.string().max(100),
  pages: count,
  pages_hash: hash,
})
const provenAsset = z
  .strictObject({
    id: word,
    chain: word,
    symbol: word,
    contract: word.nullable(),
    decimals: count,
    leaves: count,
    root: hash,
    owed: amount,
    pending: amount,
    held: amount.nullable(),
    difference: z.string().nullable(),
  })
  .refine(({ held, owed, difference }) => difference === (held === null ? null : String(BigInt(held) - BigInt(owed))))
const statement = z.strictObject({
  id,
  time: count,
  previous: hash.nullable(),
  chains: z.array(provenChain).max(100),
  assets: z.array(provenAsset).max(500),
})

/** A text that the signer wrote and signed, in hex. */
export interface SignedProofText {
  text: string
  signature: string
  public_key: string
}

/** Prefix of the DER form of an Ed25519 private key. */
const privateDer = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32])

function signText(keys: Keys, text: string, message: Uint8Array): SignedProofText {
  const key = createPrivateKey({ key: Buffer.concat([privateDer, keys.proofKey()]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return { text, signature: sign(null, message, key).toString('hex'), public_key: publicKey.toString('hex') }
}

/** Signs a page of addresses, each with who vouches for it. */
export function signReservePage(
  { keys, policy }: { keys: Keys; policy: SignerPolicy },
  value: unknown,
): SignedProofText | SignerRefusal {
  const page = reservePage.safeParse(value).data
  if (!page || page.addresses.reduce((sum, each) => sum + each.balances.length, 0) > pageBalancesMax)
    return 'bad_request'
  const of = findChainPolicy(policy, page.chain)
  if (!of) return 'unknown_chain'
  if (!keys.canProve) return 'no_key'
  const addresses: ProvenAddress[] = []
  for (const { key, address, balances } of page.addresses) {
    const expected = key === null ? address : key === 'treasury' ? of.treasury : keys.address(of.kind, key)
    // guard: proof-derived
    if (address !== expected || !isStoredAddress(of.kind, address)) return 'bad_address'
    const by = key === null ? 'none' : key === 'treasury' ? 'policy' : 'seed'
    addresses.push({ address: chainAdapters[of.kind].address.show(address), by, balances })
  }
  const text = formatReservePage({ ...page, addresses })
  return signText(keys, text, reservePageMessage(text))
}

/** Signs a statement: one of each id, for ever. Must run in the record's turn. */
export function signProofStatement(
  { keys, record, now }: { keys: Keys; record: SigningRecord; now: () => number },
  value: unknown,
): SignedProofText | SignerRefusal {
  const given = statement.safeParse(value).data
  if (!given) return 'bad_request'
  if (!keys.canProve) return 'no_key'
  const text = formatStatement(given)
  const intent = createHash('sha256').update(text).digest('hex')
  const of = { chain: `proof ${given.id}`, nonce: 0 }
  const before = record.signedAt(of)
  // guard: proof-once
  if (before && before.intent !== intent) return 'proof_signed'
  if (!before) record.add({ ...of, at: now(), purpose: 'proof', intent, amount: '0' })
  return signText(keys, text, statementMessage(text))
}
