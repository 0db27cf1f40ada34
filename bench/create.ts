import { makeApp } from '@coffer/server/serve.ts'
import { makeTestDeps, testDatabase } from '@coffer/server/testing/deps.ts'
import { testApplication, testMerchant } from '@coffer/server/testing/merchants.ts'
import fastify from 'fastify'
import { type Figure, median, scope } from './figure.ts'

const orders = 1_500
const concurrency = 16
const rounds = 3

/** Payments created per second over HTTP, compared with inserting the same rows by plain pg behind a bare Fastify. */
export async function create(): Promise<Figure[]> {
  const here = scope()
  try {
    const { pool, owner } = await testDatabase(here)
    const deps = makeTestDeps({ pool, config: { mode: 'sandbox' } })
    const merchant = await testMerchant(deps)
    // Several keys, because each has its own rate limit.
    const applications = await Promise.all(Array.from({ length: 10 }, () => testApplication(deps, merchant.id)))
    const keys = applications.map(each => each.key)
    const appid = applications[0]!.appid
    const app = await makeApp(deps)
    const bare = fastify()
    bare.post('/', async request => {
      const { out_trade_no: number } = request.body as { out_trade_no: string }
      const c = await owner.connect()
      try {
        await c.query('begin')
        const tradeNo = number.padStart(32, '9')
        await c.query({
          name: 'bare-payment',
          text: `insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount,
            tolerance_permille, mixed_payment, payment_mode, created_at, expire_at)
            values ($1, $2, $3, $4, '', 1, 10000000, 0, true, 1, 1748858400, 1748860200)`,
          values: [merchant.id, tradeNo, appid, number],
        })
        await c.query({
          name: 'bare-history',
          text: `insert into payment_history (merchant_id, trade_no, seq, status, exception, event, created_at)
            values ($1, $2, 1, 1, 'none', 'created', 1748858400)`,
          values: [merchant.id, tradeNo],
        })
        await c.query('commit')
        return { trade_no: tradeNo }
      } finally {
        c.release()
      }
    })
    const [ours, theirs] = await Promise.all([
      app.listen({ host: '127.0.0.1', port: 0 }),
      bare.listen({ host: '127.0.0.1', port: 0 }),
    ])
    here.after(async () => void (await Promise.all([app.close(), bare.close()])))
    const rates: [number, number][] = []
    for (let round = 0; round < rounds; round++)
      rates.push([await rate(`${ours}/api/v1/pay/orders`, `o${round}`, keys), await rate(theirs, `b${round}`, keys)])
    const [mine, peer] = [median(rates.map(([a]) => a)), median(rates.map(([, b]) => b))]
    const ratio = median(rates.map(([a, b]) => a / b))
    return [
      {
        what: 'payments created',
        value: `${mine.toFixed(0)} /s`,
        comparison: `${ratio.toFixed(2)} of plain pg behind Fastify (${peer.toFixed(0)} /s)`,
      },
    ]
  } finally {
    await here.end()
  }
}

async function rate(url: string, prefix: string, keys: string[]): Promise<number> {
  let next = 0
  const started = performance.now()
  const worker = async () => {
    for (let n = next++; n < orders; n = next++) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys[n % keys.length]}`, 'content-type': 'application/json' },
        body: JSON.stringify({ out_trade_no: `${prefix}-${n}`, amount: '10', currency: 'USDT' }),
      })
      if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return (orders / (performance.now() - started)) * 1000
}
