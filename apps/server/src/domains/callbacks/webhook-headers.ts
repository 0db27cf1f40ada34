import { Webhook } from 'standardwebhooks'

interface Signed {
  /** The same at every attempt: receivers recognise a repetition by it. */
  id: string
  body: string
  /** While a secret is being replaced, both sign: the header holds the signatures with a space between them. */
  secrets: readonly string[]
  /** Unix seconds. */
  now: number
}

/** Returns the headers of a JSON body signed as Standard Webhooks describes. */
export const webhookHeaders = ({ id, body, secrets, now }: Signed) => ({
  'content-type': 'application/json',
  'webhook-id': id,
  'webhook-timestamp': String(now),
  'webhook-signature': secrets.map(secret => new Webhook(secret).sign(id, new Date(now * 1_000), body)).join(' '),
})
