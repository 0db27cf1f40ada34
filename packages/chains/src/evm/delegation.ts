/** A delegation of an account to a contract on one chain (EIP-7702). It holds only while the account has this nonce. */
export type Delegation = { chainId: number; contract: string; nonce: number }

/**
 * Signs a delegation in advance.
 * @param privateKey the 32-byte key of the account
 * @returns the signature: r, s and the recovery id (0 or 1), 65 bytes in hex
 * @throws Error for chain id 0, with which it would be valid on every chain
 */
export async function signDelegation(privateKey: Uint8Array, delegation: Delegation): Promise<`0x${string}`> {
  const { r, s, yParity } = await signed(privateKey, delegation)
  return `${r}${s.slice(2)}${yParity === 0 ? '00' : '01'}` as `0x${string}`
}

/** Returns the account, in stored form, that signed a delegation; null if the signature is of none. */
export async function delegatorOf(signature: string, { chainId, contract, nonce }: Delegation): Promise<string | null> {
  const { recoverAuthorizationAddress } = await import('viem/utils')
  try {
    const authorization = { address: contract as `0x${string}`, chainId, nonce, ...parts(signature) }
    return (await recoverAuthorizationAddress({ authorization })).toLowerCase()
  } catch {
    return null
  }
}

/** Whether a text has the form of a signature of `signDelegation`. */
export const isDelegationSignature = (text: string): boolean => /^0x[0-9a-f]{128}0[01]$/.test(text) && hasLowS(text)

/** Half the order of secp256k1. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Whether `s` of a signature in hex is in the lower half (EIP-2), so that nobody can make another signature of it. */
export const hasLowS = (signature: string): boolean => BigInt(`0x${signature.slice(66, 130) || '0'}`) <= halfOrder

/** The authorization of a transaction: by the account's key, or signed in advance. */
export async function buildAuthorization(
  by: { privateKey: Uint8Array } | { signature: string },
  delegation: Delegation,
) {
  if ('privateKey' in by) return signed(by.privateKey, delegation)
  const { chainId, contract, nonce } = delegation
  return { address: contract as `0x${string}`, chainId, nonce, ...parts(by.signature) }
}

async function signed(privateKey: Uint8Array, { chainId, contract, nonce }: Delegation) {
  if (chainId === 0) throw new Error('a delegation must be for one chain')
  // Loaded on first use: every process imports this module.
  const { signAuthorization } = await import('viem/accounts')
  const of = { chainId, contractAddress: contract as `0x${string}`, nonce }
  return signAuthorization({ ...of, privateKey: `0x${Buffer.from(privateKey).toString('hex')}` })
}

function parts(signature: string) {
  if (!isDelegationSignature(signature)) throw new Error('not a signature of a delegation')
  const [r, s] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`] as [`0x${string}`, `0x${string}`]
  return { r, s, yParity: Number(signature.slice(130)) }
}
