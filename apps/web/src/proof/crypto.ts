import type { ProofCrypto } from '@coffer/core/proof/format.ts'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** The hash and the signature of proofs. */
export const proofCrypto: ProofCrypto = {
  hash: bytes => sha256(bytes),
  isSigned: (signature, message, publicKey) => {
    try {
      return ed25519.verify(signature, message, publicKey, { zip215: false })
    } catch {
      // A key or a signature that is no point of the curve.
      return false
    }
  },
}
