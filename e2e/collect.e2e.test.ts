import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import { call, newShop, pay } from './merchants.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

const link = {
  currency: 'USDT',
  amount: '3',
  min_amount: '',
  max_amount: '',
  once: true,
  expire_time: 0,
}

for (const [device, path, options] of [
  ['desktop', '/collect', {}],
  ['phone', '/m/collect?view=links', phone],
] as const)
  test(`a ${device} lists links that are made, paid and ended elsewhere, without a reload`, async t => {
    const shop = await newShop(url, 'Seller')
    const page = await newPage(t, { as: shop, ...options })
    let loads = 0
    page.on('load', () => loads++)
    const listening = page.waitForResponse('**/api/v1/user/events*')
    await page.goto(`${url}${path}`)
    await page.getByText('No payment links yet').waitFor()
    await listening
    const rowOf = (title: string, state: string) =>
      page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: title }).filter({ hasText: state }).first()
    const make = (title: string) =>
      call<{ id: string; url: string }>(url, '/api/v1/payment-link', { ...link, title }, shop.token)
    const tea = await make('Green tea 100 g')
    await rowOf('Green tea 100 g', 'Active').waitFor()

    const token = new URL(tea.url).pathname.split('/').at(-1)
    const { trade_no } = await call<{ trade_no: string }>(url, `/api/v1/public/payment-link/${token}`, { amount: '3' })
    await call(url, `/api/v1/checkout/${trade_no}/choose`, { asset_id: 'eth:USDT' })
    await pay(url, trade_no)
    await rowOf('Green tea 100 g', 'Used').waitFor()

    const mug = await make('Mug')
    await rowOf('Mug', 'Active').waitFor()
    await call(url, '/api/v1/payment-link/disable', { id: mug.id }, shop.token)
    await rowOf('Mug', 'Disabled').waitFor()
    assert.equal(loads, 1)
  })

test('a reload opens no dialog, neither that of a new link nor that of one that was made', async t => {
  const shop = await newShop(url, 'Seller')
  const page = await newPage(t, { as: shop })
  await page.goto(`${url}/collect?view=new`)
  const form = page.getByRole('dialog', { name: 'New payment link' })
  await form.getByLabel('Title').fill('Mug')
  await form.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('dialog', { name: 'Payment link', exact: true }).waitFor()
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'Mug' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.goto(`${url}/collect?view=new`)
  await form.waitFor()
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'Mug' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
})
