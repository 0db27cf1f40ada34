import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { newMerchant, newShop, pay, takePayment } from './merchants.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

/** More than the connections that a browser opens to a server over HTTP/1.1, which is six. */
const tabCount = 8

/** Counts the event streams that the open tabs of a browser have. */
function streamsOf(context: BrowserContext): () => number {
  const streams = new Map<Request, Page>()
  context.on('request', request => {
    if (/\/events(\?|$)/.test(request.url())) streams.set(request, request.frame().page())
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    context.on(end as 'requestfinished', request => streams.delete(request))
  return () => [...streams.values()].filter(page => !page.isClosed()).length
}

const others = (first: Page) =>
  Promise.all(Array.from({ length: tabCount - 1 }, () => first.context().newPage())).then(pages => [first, ...pages])

test('eight tabs all load and all see a payment, also after the one with the stream was closed', async t => {
  const shop = await newShop(url, 'Tabs')
  const first = await newPage(t, { as: shop, own: true })
  const streams = streamsOf(first.context())
  const tabs = await others(first)
  for (const tab of tabs) {
    await tab.goto(`${url}/record`)
    await tab.getByRole('heading', { name: 'Collection records', level: 1 }).waitFor()
  }
  const shows = (tab: Page, order: string) => tab.getByRole('cell', { name: order }).first().waitFor()
  await takePayment(url, shop, { out_trade_no: 'tabs-1', amount: '10' })
  await Promise.all(tabs.map(tab => shows(tab, 'tabs-1')))
  assert.equal(streams(), 1)
  await first.close()
  await takePayment(url, shop, { out_trade_no: 'tabs-2', amount: '10' })
  await Promise.all(tabs.slice(1).map(tab => shows(tab, 'tabs-2')))
  await until('another tab has the stream', () => streams() === 1)
})

test('eight checkouts all load and all see that they are paid', async t => {
  const { coffer } = await newShop(url, 'Checkouts')
  const first = await newPage(t, { own: true })
  const streams = streamsOf(first.context())
  const orders = []
  for (const [index, tab] of (await others(first)).entries()) {
    const order = { out_trade_no: `c-${index}`, amount: '10', currency: 'USDT', chain: 'eth', token: 'USDT' } as const
    const { trade_no, pay_url } = await coffer.createOrder(order)
    await tab.goto(pay_url)
    await tab.getByRole('img', { name: /QR code/ }).waitFor()
    orders.push({ trade_no, tab })
  }
  assert.ok(streams() <= 1)
  for (const { trade_no } of orders) await pay(url, trade_no)
  await Promise.all(orders.map(({ tab }) => tab.getByRole('heading', { name: 'Payment received' }).waitFor()))
})

test('a tab whose browser has signed in to another account shows that account', async t => {
  const one = await newMerchant(url, 'One')
  const other = await newMerchant(url, 'Other')
  const page = await newPage(t, { as: one })
  await page.goto(`${url}/accountInfo`)
  await page.getByText(one.mchid).first().waitFor()
  const second = await page.context().newPage()
  await second.goto(`${url}/sandbox/page.css`)
  await second.evaluate(token => localStorage.setItem('token', token), other.token)
  await page.getByText(other.mchid).first().waitFor()
  assert.equal(await page.getByText(one.mchid).count(), 0)
})
