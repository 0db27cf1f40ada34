import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, type TestContext, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import { Coffer, verifyWebhook } from '@coffer/sdk'
import ExcelJS from 'exceljs'
import { runCommand } from '../packages/sdk/src/commands.ts'
import { newEmail, newShop, pay } from './merchants.ts'
import { paidCallbacks, withReceiver } from './receiver.ts'
import { createApplication, openPermission, register } from './steps.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

/** Pays an order on a phone, and waits until the checkout says so. */
async function payOnPhone(t: TestContext, order: { pay_url: string; trade_no: string }): Promise<void> {
  const checkout = await newPage(t, phone)
  await checkout.goto(order.pay_url)
  await checkout.getByRole('radio', { name: /USDT.*Ethereum/ }).click()
  await checkout.getByRole('button', { name: 'Continue' }).click()
  await checkout.getByRole('img', { name: /QR code/ }).waitFor()
  await pay(url, order.trade_no)
  await checkout
    .getByText(/\d of 6 confirmations/)
    .first()
    .waitFor()
  await checkout.getByRole('heading', { name: 'Payment received' }).waitFor()
}

test('takes a merchant from registration to money on the dashboard', async t => {
  const page = await newPage(t)
  await register(page, url, newEmail('bakery'))
  await openPermission(page, url, 'Bakery Ltd')
  const receiver = await withReceiver(t)
  const secrets = await createApplication(page, url, { name: 'Bakery', notifyUrl: receiver.url })
  const coffer = new Coffer({ baseUrl: url, secretKey: secrets.secretKey })

  const order = await coffer.createOrder({ out_trade_no: 'bread-1', amount: '12.5', currency: 'USDT' })
  assert.equal(order.status, 1)

  await page.goto(`${url}/`)
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()

  await payOnPhone(t, order)

  // The merchant sees it without a reload: 12.5 minus the fee of 0.4 %.
  await page.getByText('12.45', { exact: false }).first().waitFor()

  await page.goto(`${url}/record?out_trade_no=bread-1`)
  await page
    .getByRole('cell', { name: /bread-1/ })
    .first()
    .waitFor()
  await page.getByRole('cell', { name: 'Account paid' }).first().waitFor()

  // The notification opens the payment.
  await page.getByRole('button', { name: /^Notifications, \d+ unread/ }).click()
  await page.getByRole('tab', { name: 'Money moved' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Payment received' }).getByRole('button').click()
  const details = page.getByRole('dialog', { name: 'Payment' })
  await details.getByText(order.trade_no).waitFor()
  await details.getByRole('button', { name: 'Close' }).click()

  const [paid] = await paidCallbacks(receiver.received, secrets.webhookSecret, order.trade_no)
  assert.equal(paid?.order.out_trade_no, 'bread-1')
  assert.equal(paid?.order.paid_amount, '12.5')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const download = await downloading
  assert.match(download.suggestedFilename(), /^PaymentRecord\d+\.xlsx$/)
  const book = new ExcelJS.Workbook()
  await book.xlsx.load((await readFile(await download.path())) as never)
  assert.match(JSON.stringify(book.worksheets[0]?.getRow(2).values), /bread-1/)

  await page.goto(`${url}/appManage`)
  await page.getByRole('button', { name: 'More actions for Bakery' }).click()
  await page.getByRole('menuitem', { name: 'Test the endpoint' }).click()
  const test = page.getByRole('dialog', { name: 'Test the endpoint' })
  assert.equal(await test.getByLabel('Endpoint').inputValue(), receiver.url)
  await test.getByLabel('Endpoint').fill('http://10.0.0.1/coffer')
  await test.getByRole('button', { name: 'Start the test' }).click()
  await test.getByText('This URL points to an address that is not allowed').waitFor()

  // The same order number returns the same payment; with another amount it is refused.
  const again = await coffer.createOrder({ out_trade_no: 'bread-1', amount: '12.5', currency: 'USDT' })
  assert.equal(again.trade_no, order.trade_no)
  await assert.rejects(
    coffer.createOrder({ out_trade_no: 'bread-1', amount: '13', currency: 'USDT' }),
    /already used for a different order/,
  )
})

/**
 * A shop's server with callbacks and a status URL. Without a secret it believes every callback, as often as it comes.
 */
async function shopServer(scope: { after: (close: () => void) => void }, secret?: string): Promise<string> {
  const orders = new Map<string, { paid: boolean; delivered: number }>()
  const seen = new Set<string>()
  const receive = async (request: IncomingMessage) => {
    const body = await text(request)
    const { id, type, data } = secret
      ? verifyWebhook({ secret, headers: request.headers as Record<string, string>, body })
      : { id: crypto.randomUUID(), ...JSON.parse(body) }
    const order = orders.get(data.out_trade_no) ?? { paid: false, delivered: 0 }
    orders.set(data.out_trade_no, order)
    if (type === 'payment.paid' && !seen.has(id)) Object.assign(order, { paid: true, delivered: order.delivered + 1 })
    if (type === 'payment.error' && secret) order.paid = false
    seen.add(id)
  }
  const server = createServer(async (request, response) => {
    const number = new URL(request.url ?? '', 'http://shop').searchParams.get('order')
    if (number !== null) return void response.end(JSON.stringify(orders.get(number) ?? { paid: false, delivered: 0 }))
    await receive(request).then(
      () => response.end(),
      () => response.writeHead(400).end(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  scope.after(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('coffer scenarios finds what an endpoint does not handle', async t => {
  const { secretKey, webhookSecret } = await newShop(url, 'Tester')
  const run = async (endpoint: string) => {
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    const args = ['scenarios', '--endpoint', endpoint, '--status-url', `${endpoint}?order={out_trade_no}`]
    const code = await runCommand(
      [...args, '--only', 'parts,reversed,twice,disorder,lost,forged', '--key', secretKey],
      {
        env: { COFFER_URL: url },
        signal: AbortSignal.timeout(120_000),
        print,
        complain: print,
        pauseMs: 300,
      },
    )
    return {
      code,
      lines,
      verdicts: lines.slice(2, -1).map(line => /(handled|failed)(?: +(.*))?$/.exec(line)?.slice(1)),
    }
  }
  const [careful, careless] = await Promise.all([shopServer(t, webhookSecret).then(run), shopServer(t).then(run)])
  assert.deepEqual([careful.code, careful.lines.at(-1)], [0, 'all 6 scenarios are handled'], careful.lines.join('\n'))
  assert.equal(careless.code, 1)
  const twice = 'the order was delivered more than once'
  const forged = 'the endpoint accepted a forged callback'
  const reason = 'the order is delivered and must not be'
  assert.deepEqual(
    careless.verdicts,
    [
      ['handled', undefined],
      ['failed', reason],
      ['failed', twice],
      ['handled', undefined],
      ['failed', twice],
      ['failed', forged],
    ],
    careless.lines.join('\n'),
  )
})
