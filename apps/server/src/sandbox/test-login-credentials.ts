import { createHash } from 'node:crypto'

// Apart from the test shop: `npm start` reads these and stays small.

/** How to sign in as the merchant of the test key. */
export const testLoginCredentials = { email: 'test@coffer.example', password: 'Sandbox1Shop' }

/** The webhook secret of the test key's application, derived from the key so that one setting fixes both. */
export const deriveTestWebhookSecret = (key: string): string =>
  `whsec_${createHash('sha256').update(`webhook ${key}`).digest().subarray(0, 24).toString('base64')}`
