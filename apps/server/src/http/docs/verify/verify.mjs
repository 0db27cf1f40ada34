import { createHmac, timingSafeEqual } from 'node:crypto'

// Throws if the signature is invalid or older than five minutes. `body` is the raw text.
export function verify(secret, headers, body) {
  const id = headers['webhook-id'] ?? ''
  const time = headers['webhook-timestamp'] ?? ''
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) throw new Error('timestamp outside the tolerance')
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest()
  const given = (headers['webhook-signature'] ?? '').split(' ')
  const matches = given.some(each => {
    const signature = Buffer.from(each.replace(/^v1,/, ''), 'base64')
    return each.startsWith('v1,') && signature.length === expected.length && timingSafeEqual(signature, expected)
  })
  if (!matches) throw new Error('invalid signature')
  return JSON.parse(body)
}
