/**
 * The clients of `create`, in a process of their own. For each message they create `orders` orders over `connections`
 * connections and answer with the orders created per second.
 */
import { Agent, request } from 'node:http'
import type { CreateRun } from './create.ts'

process.on('message', async ({ url, orders, connections, keys, prefix, more }: CreateRun) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const create = (n: number) =>
    new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${keys[n % keys.length]}`, 'content-type': 'application/json' }
      const sent = request(url, { method: 'POST', agent, headers }, response => {
        let body = ''
        response.setEncoding('utf8').on('data', text => {
          body += text
        })
        response.on('end', () => {
          if (response.statusCode === 200) resolve()
          else reject(new Error(`${url}: ${response.statusCode} ${body}`))
        })
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ out_trade_no: `${prefix}-${n}`, amount: '10', currency: 'USDT', ...more }))
    })
  let next = 0
  const worker = async () => {
    for (let n = next++; n < orders; n = next++) await create(n)
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  const perSecond = (orders / (performance.now() - started)) * 1_000
  agent.destroy()
  process.send?.(perSecond)
})
