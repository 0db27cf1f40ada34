import { paymentStatus } from '@coffer/contract'
import { launchBrowser } from '@coffer/local/testing/browser.ts'
import { withSandbox } from '../e2e/sandbox.ts'
import { createApplication, openPermission, pay, register } from '../e2e/steps.ts'
import { type Figure, median, scope } from './figure.ts'

const payments = 21

/** Time from the block with the last confirmation to the payment's status "paid", observed over HTTP. */
export async function latency(): Promise<Figure[]> {
  const here = scope()
  const browser = await launchBrowser()
  here.after(() => browser.close())
  try {
    const { url } = await withSandbox(here, { COFFER_SANDBOX_MINE: 'manual' })
    const page = await browser.newPage()
    await register(page, url, 'timer@example.com')
    await openPermission(page, url, 'Timer Ltd')
    const { secretKey } = await createApplication(page, url, { name: 'Timer', notifyUrl: '' })
    const times: number[] = []
    for (let n = 0; n < payments; n++) times.push(await once(url, secretKey, n))
    return [
      {
        what: 'last confirmation to paid, median',
        value: `${median(times).toFixed(0)} ms`,
        comparison: `at most 100 ms; slowest of ${payments}: ${Math.max(...times).toFixed(0)} ms`,
      },
    ]
  } finally {
    await here.end()
  }
}

async function once(url: string, key: string, n: number): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ out_trade_no: `t-${n}`, amount: '5', chain: 'eth', token: 'USDT' })
  const response = await fetch(`${url}/api/v1/pay/orders`, { method: 'POST', headers, body })
  const { data } = (await response.json()) as { data: { trade_no: string } }
  const status = async () => {
    const answer = await (await fetch(`${url}/api/v1/pay/orders/${data.trade_no}`, { headers })).json()
    return (answer as { data: { status: number } }).data.status
  }
  await pay(url, data.trade_no)
  await mine(url, 4)
  await new Promise(resolve => setTimeout(resolve, 700))
  await mine(url, 1)
  const started = performance.now()
  while ((await status()) !== paymentStatus.paid) await new Promise(resolve => setTimeout(resolve, 5))
  return performance.now() - started
}

const mine = (url: string, blocks: number) =>
  fetch(`${url}/sandbox/mine`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ blocks, chain: 'eth' }),
  })
