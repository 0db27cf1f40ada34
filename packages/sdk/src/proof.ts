import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { MerchantProof, ProofCrypto, ProofStatement, PublishedProof } from './generated/proof/format.ts'
import { type VerifiedProof, verifyMerchantProof, verifyPublishedProof } from './generated/proof/verify.ts'

export type { MerchantProof, ProofStatement, PublishedProof } from './generated/proof/format.ts'
export { ProofError, type ProofFault, type VerifiedProof } from './generated/proof/verify.ts'

const proofCrypto: ProofCrypto = {
  hash: bytes => sha256(bytes),
  isSigned: (signature, message, publicKey) => {
    try {
      return ed25519.verify(signature, message, publicKey, { zip215: false })
    } catch {
      return false
    }
  },
}

export interface ProofToVerify {
  /** The published file, as text or parsed. Fetch it as a stranger would: `/proof/<id>.json`. */
  published: string | PublishedProof
  /** The merchant's part, as the back-office downloads it. */
  proof: string | MerchantProof
  /** The own merchant number: a part of another merchant is refused. */
  merchant: string
  /** The public key of the operator's proofs, in hex: keep it from the first one. Another key is refused. */
  publicKey?: string | undefined
}

/**
 * Verifies that a merchant's balances are part of what an operator published to owe. Returns the statement and the balances, which the
 * caller compares with its own records: one that is missing or too low is what an operator would lie about. Throws ProofError.
 */
export const verifyProof = ({ published, proof, merchant, publicKey }: ProofToVerify): VerifiedProof =>
  verifyMerchantProof(proofCrypto, parse(proof), parse(published), { merchant, publicKey })

/** Verifies a published proof alone: its signatures and sums. Throws ProofError. */
export const verifyPublished = (published: string | PublishedProof, publicKey?: string): ProofStatement =>
  verifyPublishedProof(proofCrypto, parse(published), publicKey)

function parse<T>(value: string | T): T {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as T
  } catch {
    // What is no JSON is refused as what is no proof.
    return null as T
  }
}
