import { Webhook } from 'standardwebhooks'
import type { Seal, SealPlace } from './seal.ts'

interface Signed {
  /** The same at every attempt: receivers recognise a repetition by it. */
  id: string
  body: string
  /**
   * Sealed, with '' for none. While a secret is being replaced, both sign: the header holds the signatures with a space
   * between them.
   */
  secrets: readonly string[]
  /** Where they are sealed. */
  place: SealPlace
}

/** Returns the headers of a JSON body signed as Standard Webhooks describes. */
export function webhookHeaders(
  { seal, clock }: { seal: Seal; clock: () => number },
  { id, body, secrets, place }: Signed,
): Record<string, string> {
  const now = clock()
  const signatures = secrets
    .filter(sealed => sealed !== '')
    .map(sealed => new Webhook(seal.open(sealed, place)).sign(id, new Date(now * 1_000), body))
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(now),
    'webhook-signature': signatures.join(' '),
  }
}
