import { randomBytes } from 'node:crypto'
import { parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { rpc } from '@coffer/local/anvil-state.ts'
import { until } from '@coffer/local/testing/until.ts'
import { Coffer } from '@coffer/sdk'
import type { Engine } from './engine.ts'
import { nodePort } from './operator-files.ts'
import type { Outside } from './outside.ts'

export const serverUrl = 'http://127.0.0.1:8080'
const node = `http://127.0.0.1:${nodePort}`
/** What a proxy would add. */
const proxied = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }
const email = 'shop@example.com'
const password = Buffer.from('Correct1Horse').toString('base64')
const purposes = { register: 2, application: 11 }

/** Calls the back-office, as its pages do. */
async function call<T>(method: string, path: string, token = '', body?: unknown): Promise<T> {
  const response = await fetch(`${serverUrl}/api/v1/${path}`, {
    method,
    headers: {
      ...proxied,
      'content-type': 'application/json',
      'idempotency-key': randomBytes(16).toString('hex'),
      ...(token && { 'x-token': token }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
  return JSON.parse(text).data
}

/** Registers a merchant by mail, lets an operator approve it by the command line, and opens a shop. */
export async function openShop({ compose }: Engine, { codeOf }: Outside): Promise<Coffer> {
  const sent = await call<{ challenge: string }>('POST', 'public/email/send-verification-code', '', {
    email,
    type: purposes.register,
  })
  const code = await until('the code has come', () => codeOf(email))
  const registered = await call<{ token: string }>('POST', 'public/register', '', {
    email,
    code,
    challenge: sent.challenge,
    password,
    confirm_password: password,
  })
  await call('POST', 'user/opening', registered.token, {
    name: 'Shop',
    time_zone: 'Europe/Berlin',
    website: 'https://shop.example',
    phone: '',
    area_code: '',
    address: { street: 'Lane 1', city: 'Berlin', country: 'Germany' },
    socials: { telegram: '', twitter: '', facebook: '' },
  })
  const { mchid } = await call<{ mchid: string }>('GET', 'user/info', registered.token)
  await compose('exec', '-T', 'server', 'coffer', 'merchant', 'approve', mchid, '--yes')
  const { token } = await call<{ token: string }>('POST', 'public/login', '', { email, password })
  await call('POST', 'public/email/send-verification-code', token, { type: purposes.application })
  const next = await until(
    'the next code has come',
    () => codeOf(email),
    each => each !== code,
  )
  const { secret_key } = await call<{ secret_key: string }>('POST', 'user/secret-key', token, {
    name: 'Shop',
    proof: { method: 'email', code: next },
    payouts_allowed: true,
    ip_whitelist_enabled: true,
    ip_whitelist: [proxied['x-forwarded-for']],
  })
  const send: typeof fetch = (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...proxied } })
  return new Coffer({ baseUrl: serverUrl, secretKey: secret_key, fetch: send })
}

/** Makes an order, pays it on the chain, and waits until it is credited. */
export async function sell(coffer: Coffer, number: string): Promise<void> {
  const order = { out_trade_no: number, amount: '100', currency: 'USDT', chain: 'local', token: 'ETH' }
  const { trade_no, address, amount } = await until('an order is taken', () => coffer.createOrder(order))
  await transfer(address, amount)
  await until('it is credited', async () => (await coffer.getOrder(trade_no)).status === 2)
}

/** Withdraws to a new address, and waits until it has arrived on the chain. Returns what arrived. */
export async function payOut(coffer: Coffer, number: string): Promise<bigint> {
  const address = `0x${randomBytes(20).toString('hex')}`
  await coffer.createWithdrawal({ out_no: number, chain: 'local', token: 'ETH', amount: '0.01', address })
  const balance = async () => BigInt(String(await rpc(node, 'eth_getBalance', [address, 'latest'])))
  return until('it has arrived', balance)
}

/** Sends native coin of the chain's first account; the amount is a decimal number. */
export async function transfer(to: string, amount: string): Promise<void> {
  const value = `0x${parseDecimal(amount, 18)!.toString(16)}`
  const [from] = (await rpc(node, 'eth_accounts')) as string[]
  await rpc(node, 'eth_sendTransaction', [{ from, to, value }])
}
