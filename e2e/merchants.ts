import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { until } from '@coffer/local/testing/until.ts'
import { Coffer, paymentStatus } from '@coffer/sdk'

/** Merchants made by calls, for tests that are not about signing in. */

export const password = 'Correct1Horse'

export interface Merchant {
  email: string
  mchid: string
  /** The session's token. */
  token: string
}

/** A merchant with an application. */
export interface Shop extends Merchant {
  webhookSecret: string
  secretKey: string
  coffer: Coffer
}

/** An address that no other test uses, also when tests run again in the same sandbox. */
export const newEmail = (name: string): string => `${name.toLowerCase()}-${randomBytes(4).toString('hex')}@example.com`

/** Calls a route of the server, as a merchant's browser when given a token. Throws unless the answer's code is 200. */
export async function call<T>(url: string, path: string, body?: object, token = ''): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...(body && { 'content-type': 'application/json' }), ...(token && { 'x-token': token }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { code: number; data: T }
  assert.equal(answer.code, 200, `${path}: ${JSON.stringify(answer)}`)
  return answer.data
}

/** Returns the latest code sent to an email address. */
export const codeSentTo = (url: string, email: string): Promise<string> =>
  until(`a code is sent to ${email}`, async () => {
    const { list } = await call<{ list: { code: string }[] }>(url, `/sandbox/inbox?to=${encodeURIComponent(email)}`)
    return list.find(letter => letter.code)?.code ?? ''
  })

/** Approves the application for merchant permission that came from an email address, as the operator. */
async function approve(url: string, email: string): Promise<string> {
  const { list } = await call<{ list: { mchid: string; email: string }[] }>(url, '/sandbox/merchants')
  const mchid = list.find(each => each.email === email)?.mchid
  assert.ok(mchid, `${email} is not listed for review`)
  await call(url, '/sandbox/merchants', { mchid, decision: 'approve' })
  return mchid
}

/** Registers an account, which has no permission yet. */
export async function newAccount(url: string, email: string): Promise<string> {
  await call(url, '/api/v1/public/email/send-verification-code', { email, type: 2 })
  const encoded = Buffer.from(password).toString('base64')
  const form = { email, code: await codeSentTo(url, email), password: encoded, confirm_password: encoded }
  return (await call<{ token: string }>(url, '/api/v1/public/register', form)).token
}

/** Registers a merchant with permission. */
export async function newMerchant(url: string, name: string): Promise<Merchant> {
  const email = newEmail(name)
  const token = await newAccount(url, email)
  await applyFor(url, token, `${name} Ltd`)
  return { email, token, mchid: await approve(url, email) }
}

/** Applies for merchant permission. */
export async function applyFor(url: string, token: string, name: string): Promise<void> {
  const about = {
    name,
    time_zone: 'UTC',
    phone: '',
    area_code: '',
    website: '',
    address: { street: 'Lindenstraße 12', city: 'Berlin', country: 'Germany' },
    socials: { telegram: '', twitter: '', facebook: '' },
  }
  await call(url, '/api/v1/user/opening', about, token)
}

/** Registers a merchant with permission and an application, both of that name. */
export async function newShop(url: string, name: string, notify_url = '', settings = {}): Promise<Shop> {
  const merchant = await newMerchant(url, name)
  const { token, email } = merchant
  await call(url, '/api/v1/public/email/send-verification-code', { type: 11 }, token)
  const proof = { method: 'email', code: await codeSentTo(url, email) }
  const { secret_key: secretKey, webhook_secret: webhookSecret } = await call<Record<string, string>>(
    url,
    '/api/v1/user/secret-key',
    { ...settings, name, notify_url, proof },
    token,
  )
  assert.ok(secretKey && webhookSecret)
  return { ...merchant, webhookSecret, secretKey, coffer: new Coffer({ baseUrl: url, secretKey }) }
}

/** Pays from the sandbox's wallet: the given amount, or the amount due. */
export const pay = (url: string, tradeNo: string, amount?: string): Promise<{ txid: string }> =>
  call(url, '/sandbox/pay', { trade_no: tradeNo, ...(amount && { amount }) })

/** Sends USDT on Ethereum from the sandbox's wallet to an address. */
export const send = (url: string, address: string, amount: string): Promise<{ txid: string }> =>
  call(url, '/sandbox/pay', { address, amount })

/** Takes a payment in USDT on Ethereum, of the amount due or of what is `sent`, and waits until it is credited. */
export async function takePayment(
  url: string,
  { coffer }: Shop,
  order: { out_trade_no: string; amount: string; sent?: string },
): Promise<string> {
  const { sent, ...requested } = order
  const { trade_no } = await coffer.createOrder({ ...requested, currency: 'USDT', chain: 'eth', token: 'USDT' })
  await pay(url, trade_no, sent)
  await until(
    `${order.out_trade_no} is paid`,
    async () => (await coffer.getOrder(trade_no)).status === paymentStatus.paid,
  )
  return trade_no
}
