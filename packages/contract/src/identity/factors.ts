import { z } from 'zod'
import { type ProofAction, proofActions, type SecurityGroup, securityChoices, securityGroups } from '../codes.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  emptyObject,
  passkeyAssertion,
  passkeyOptions,
  passkeyRegistration,
  proof,
  requiredLine,
  unixSeconds,
} from '../kit/schemas.ts'

/** A message of the server, signed by a wallet. Contract wallets have long signatures. */
export const signedWalletMessage = {
  message: z.string().min(1).max(2_000),
  signature: z
    .string()
    .max(16_386)
    .regex(/^0x(?:[0-9a-f]{2})+$/i),
}

/** The wallet that is to sign. */
export const walletQuery = z.strictObject({
  address: z.string().regex(/^0x[0-9a-f]{40}$/i),
  chain_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('The network of the wallet (EIP-155)'),
})

export const walletMessage = z.object({
  message: z.string().describe('To be signed with `personal_sign`'),
  expires_in: z.int().describe('Seconds'),
})

/** After a change of password or factor. */
export const newToken = z.object({ token: z.string().describe('Replaces the token of this request, which has ended') })

export const proofAction = z.enum(Object.keys(proofActions) as [ProofAction, ...ProofAction[]])

export const securityGroup = z.enum(Object.keys(securityGroups) as [SecurityGroup, ...SecurityGroup[]])

/** Passkeys, the wallet, recovery codes, and what they confirm. */
export const factorRoutes = defineRoutes({
  'POST /api/v1/user/recovery-codes': {
    who: 'oneself',
    summary:
      'Make ten recovery codes, each of which works once in place of the authenticator at sign-in. Earlier ones end.',
    body: z.strictObject({ proof: proof.optional() }),
    data: z.object({ codes: z.array(z.string()) }),
  },
  'PUT /api/v1/user/security-switch': {
    who: 'oneself',
    summary: 'Choose what confirms a group of actions. To accept more, confirm with a method that is accepted now.',
    body: z.strictObject({
      group: securityGroup,
      method: z.enum(securityChoices).nullable().describe('null: all methods that the merchant has'),
      proof: proof.optional(),
    }),
    data: emptyObject,
  },
  'GET /api/v1/user/wallet/new': {
    who: 'oneself',
    summary: 'Get the message that a wallet signs to be linked (EIP-4361)',
    query: walletQuery,
    data: walletMessage,
  },
  'POST /api/v1/user/wallet': {
    who: 'oneself',
    endsToken: true,
    summary: 'Link a wallet, which then signs in',
    body: z.strictObject({ ...signedWalletMessage, proof: proof.optional() }),
    data: newToken,
  },
  'DELETE /api/v1/user/wallet': {
    who: 'oneself',
    endsToken: true,
    summary: 'Unlink the wallet, and end all other sessions',
    body: z.strictObject({ proof: proof.optional() }),
    data: newToken,
  },
  'GET /api/v1/user/passkey': {
    who: 'oneself',
    summary: 'List passkeys',
    data: z.object({
      available: z.boolean().describe('Whether passkeys work at the address of this server'),
      list: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          synced: z.boolean().describe("Whether its owner's devices share it"),
          created_time: unixSeconds,
          last_used: unixSeconds.describe('0 if it was never used'),
          blocked: z.boolean().describe('Whether a copy of it was noticed; it confirms nothing any more'),
          host: z.string().optional().describe('Where it was made, unless that is here: it works there only'),
        }),
      ),
    }),
  },
  'GET /api/v1/user/passkey/new': {
    who: 'oneself',
    summary: 'Get what a browser needs to make a passkey',
    data: passkeyOptions,
  },
  'POST /api/v1/user/passkey': {
    who: 'oneself',
    endsToken: true,
    summary: 'Add a passkey',
    body: z.strictObject({ name: requiredLine(64), passkey: passkeyRegistration, proof: proof.optional() }),
    data: newToken,
  },
  'PUT /api/v1/user/passkey': {
    who: 'oneself',
    summary: 'Rename a passkey',
    body: z.strictObject({ id: passkeyAssertion.shape.id, name: requiredLine(64) }),
    data: emptyObject,
  },
  'DELETE /api/v1/user/passkey': {
    who: 'oneself',
    endsToken: true,
    summary: 'Remove a passkey, and end all other sessions',
    body: z.strictObject({ id: passkeyAssertion.shape.id, proof: proof.optional() }),
    data: newToken,
  },
  'POST /api/v1/user/passkey/ask': {
    who: 'oneself',
    summary:
      'Get what a browser needs to confirm an action with a passkey. The signature counts for exactly this data.',
    body: z.strictObject({ action: proofAction, data: z.record(z.string().max(32), z.string().max(500)).optional() }),
    data: passkeyOptions,
  },
})
