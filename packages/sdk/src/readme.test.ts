import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { routes } from '@coffer/contract'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

/** What the README reads of an order. */
const order = { out_trade_no: 'A-1001', status: 1, usdt_amount: '19.9', pay_url: 'https://pay.example/pay/1' }

/** Puts an example of the README where its import of the package works as it does for a reader. */
async function example(t: { after: (fn: () => Promise<void>) => void }, name: string): Promise<string> {
  const [, code] = new RegExp(`\`\`\`ts file=${name}\\n([\\s\\S]*?)\`\`\``).exec(readme) ?? []
  assert.ok(code, `the README has no ${name}`)
  const folder = await mkdtemp(join(import.meta.dirname, '..', '.readme-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, name), code)
  return join(folder, name)
}

test('the README’s order matches the contract', async t => {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method === 'POST') routes['POST /api/v1/pay/orders'].body.parse(JSON.parse(body))
    assert.equal(request.headers.authorization, 'Bearer sk_test_0123456789abcdefghij')
    const { out_trade_no, status, usdt_amount, pay_url } = routes['POST /api/v1/pay/orders'].data.shape
    const data = z.object({ out_trade_no, status, usdt_amount, pay_url }).parse(order)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ code: 200, data }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  const { port } = server.address() as AddressInfo
  const env = { ...process.env, COFFER_URL: `http://127.0.0.1:${port}`, COFFER_KEY: 'sk_test_0123456789abcdefghij' }
  const { stdout } = await promisify(execFile)(process.execPath, [await example(t, 'create-order.ts')], { env })
  assert.equal(stdout, 'send your customer to https://pay.example/pay/1\nstatus 1, 19.9 USDT\n')
})

test('the README’s receiver delivers once, and rejects a wrong signature', async t => {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), COFFER_WEBHOOK_SECRET: secret }
  const child = spawn(process.execPath, [await example(t, 'receive.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => void child.kill())
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  await once(child.stdout, 'data')
  const body = JSON.stringify({ type: 'payment.paid', timestamp: '2026-11-21T00:00:00Z', data: order })
  const now = new Date()
  const headers = { 'webhook-id': 'cb-1', 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)) }
  const send = async (signature: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body,
      headers: { ...headers, 'webhook-signature': signature },
    })
    return response.status
  }
  const signature = new Webhook(secret).sign('cb-1', now, body)
  assert.deepEqual([await send(signature), await send(signature), await send('v1,AAAA')], [204, 204, 400])
  child.kill()
  await once(child, 'close')
  assert.equal(output, 'listening\norder A-1001 is paid: deliver it\n')
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>(resolve => void server.close(() => resolve()))
  return port
}
