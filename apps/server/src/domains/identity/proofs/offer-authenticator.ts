import { generateSecret, generateURI } from 'otplib'
import type { Deps } from '../../../deps.ts'
import type { SealPlace } from '../../../kit/seal.ts'

/** How long (s) an offered secret can be bound. */
const offerSeconds = 900

/**
 * Returns a new secret to scan, and an offer: the same with the end of its life, sealed for its holder. Nothing is
 * stored, because GET must not change anything; the call that binds it sends the offer back.
 */
export function offerAuthenticatorSecret(
  { seal, clock }: Deps,
  place: SealPlace,
  { issuer, label }: Record<'issuer' | 'label', string>,
) {
  const secret = generateSecret()
  const offer = seal.seal(`${clock() + offerSeconds} ${secret}`, place)
  return { secret, uri: generateURI({ issuer, label, secret }), offer }
}

/** Returns the secret of an offer; undefined for one that expired or belongs to another holder. */
export function openOfferedSecret({ seal, clock }: Deps, place: SealPlace, offer: string): string | undefined {
  try {
    const [until, secret] = seal.open(offer, place).split(' ')
    return clock() < Number(until) ? secret : undefined
  } catch {
    return undefined
  }
}
