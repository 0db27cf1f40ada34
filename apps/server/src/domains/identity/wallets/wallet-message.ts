import { randomBytes, timingSafeEqual } from 'node:crypto'
import { chainAdapters } from '@coffer/chains'
import { hasLowS } from '@coffer/chains/evm/delegation.ts'
import type { Hex } from 'viem'
import type { Deps } from '../../../deps.ts'
import type { Queryable } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { hashCode, hashSecret } from '../../../kit/secrets.ts'
import type { ConsumeCredential } from '../codes/check-code.ts'
import { spendChallenge } from '../spend-challenge.ts'

/** Seconds for which a message can be used. Registration also takes a mailed code meanwhile. */
export const walletMessageSeconds = 900
/** Hex digits of the random part of a nonce; its authentication code follows. */
const randomDigits = 16
const codeDigits = 32

/** The message for a wallet to sign. `owner` is the merchant to whom it is to be linked; null for a sign-in. */
interface WalletPurpose {
  owner: string | null
  address: string
  chainId: number
}

/** Statements are ASCII (EIP-4361), so there is no translation. */
const statements = { signIn: 'Sign in to Coffer.', link: 'Link this wallet to your Coffer account.' }

/**
 * The chain whose contract wallets can be queried, by its id. Throws Refusal('wallet_chain') for one that is not
 * configured.
 */
function chainOf({ chains }: Deps, chainId: number) {
  const known = [...chains.values()].filter(each => each.isSignedBy)
  const found = known.find(({ definition }) => definition.chainId === chainId)
  if (found) return found
  const names = known.map(each => each.definition.name)
  throw new Refusal('wallet_chain', {
    field: 'chain_id',
    ...(names.length > 0 && { detail: { en: names.join(', '), 'zh-CN': names.join('、') } }),
  })
}

/**
 * Returns the message of EIP-4361 that a wallet signs. Its nonce is an authentication code of all other fields, so
 * nothing is stored until it is spent. Any chain will do: the signature of a key is the same on each.
 */
export async function walletMessage(
  deps: Deps,
  { owner, address: given, chainId }: WalletPurpose,
  issued = deps.clock(),
  random = randomBytes(randomDigits / 2).toString('hex'),
): Promise<string> {
  // Loaded on first use, like all of viem: it takes 7 MB.
  const { createSiweMessage } = await import('viem/siwe')
  const { config } = deps
  const domain = new URL(config.publicUrl).host
  // EIP-4361, as viem reads it, has no names without a dot and no IPv6 addresses.
  if (!/^localhost(:|$)|^[\w-]+(\.[\w-]+)+(:|$)/.test(domain)) throw new Refusal('wallet_unavailable')
  const address = chainAdapters.evm.address.show(given.toLowerCase()) as Hex
  const code = hashCode(config.secret, ['wallet nonce', owner ?? '', address, chainId, issued, random]).toString('hex')
  return createSiweMessage({
    domain,
    uri: config.publicUrl,
    version: '1',
    statement: owner === null ? statements.signIn : statements.link,
    address,
    chainId,
    nonce: random + code.slice(0, codeDigits),
    issuedAt: new Date(issued * 1_000),
    expirationTime: new Date((issued + walletMessageSeconds) * 1_000),
  })
}

/**
 * Verifies a signed message. Returns the subject that identifies the wallet, and what spends the message, in the
 * transaction of the action. Anybody may own a contract wallet's address on another chain, so its subject names the
 * chain. Throws Refusal('wallet_error'); for a contract wallet also Refusal('wallet_chain'), and Refusal('busy') when
 * no node answers.
 */
export async function checkWallet(
  deps: Deps,
  { owner, message, signature }: { owner: string | null; message: string; signature: string },
): Promise<{ subject: string; consume: ConsumeCredential }> {
  const wrong = () => new Refusal('wallet_error', { field: 'signature' })
  const [{ parseSiweMessage }, { hashMessage }] = await Promise.all([import('viem/siwe'), import('viem/utils')])
  const { address, chainId, nonce = '', issuedAt } = parseSiweMessage(message)
  const issued = (issuedAt?.getTime() ?? Number.NaN) / 1_000
  if (!address || !chainId || !Number.isSafeInteger(issued)) throw wrong()
  if (deps.clock() < issued || deps.clock() >= issued + walletMessageSeconds) throw wrong()
  // Made again from its own fields, a message of ours is the same to the last character.
  const again = await walletMessage(deps, { owner, address, chainId }, issued, nonce.slice(0, randomDigits))
  const ours = Buffer.from(again)
  const given = Buffer.from(message)
  if (ours.length !== given.length || !timingSafeEqual(ours, given)) throw wrong()
  const subject = await signerOf(deps, { address, chainId }, hashMessage(message), signature as Hex)
  if (!subject) throw wrong()
  return {
    subject,
    consume: async (c: Queryable) => {
      if (!(await spendChallenge(c, hashSecret(nonce), issued + walletMessageSeconds))) throw wrong()
    },
  }
}

/**
 * Returns the subject of the wallet that signed; null if the address did not. A key is tried first, as it needs no
 * node.
 */
async function signerOf(
  deps: Deps,
  { address, chainId }: { address: string; chainId: number },
  hash: Hex,
  signature: Hex,
): Promise<string | null> {
  const { recoverAddress } = await import('viem/utils')
  const stored = address.toLowerCase()
  const byKey = await recoverAddress({ hash, signature }).catch(() => null)
  if (byKey?.toLowerCase() === stored) return hasLowS(signature) ? stored : null
  const signed = await chainOf(deps, chainId).isSignedBy!(stored, hash, signature).catch(error => {
    deps.log.warn({ err: error }, 'no node answers for a contract wallet')
    throw new Refusal('busy')
  })
  return signed ? `eip155:${chainId}:${stored}` : null
}
