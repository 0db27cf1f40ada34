import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newShop } from './merchants.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })
const shop = await newShop(url, 'Offline')
await shop.coffer.createOrder({ out_trade_no: 'o-1', amount: '3', currency: 'USDT', chain: 'eth', token: 'USDT' })

test('offline, a list shows no rows of other filters, and says that it failed; a banner says why, and all is read again with the connection', async t => {
  const page = await newPage(t, { as: shop, own: true })
  // What opens the event stream has not reached the page when the connection is lost.
  await page.addInitScript(`
    const send = fetch
    const lost = new Promise(resolve => addEventListener('offline', () => setTimeout(resolve)))
    fetch = async (...call) => {
      const answer = await send(...call)
      if (String(call[0]).includes('/user/events') && navigator.onLine) await lost
      return answer
    }`)
  const opened = page.waitForResponse(/user.events/)
  await page.goto(`${url}/record`)
  await page.getByText('o-1').first().waitFor()
  await opened
  await page.context().setOffline(true)
  await page.getByLabel('Status').selectOption({ label: 'Transaction timeout' })
  await page.getByText('o-1').first().waitFor({ state: 'detached' })
  const banner = page.getByRole('status').filter({ hasText: 'Not connected to the server' })
  await banner.getByRole('button', { name: 'Try again' }).waitFor()
  const again = page.locator('main').getByRole('button', { name: 'Try again' }).first()
  await again.waitFor()
  await page.context().setOffline(false)
  await banner.waitFor({ state: 'detached' })
  await again.waitFor({ state: 'detached' })
  assert.equal(await page.getByText('o-1').count(), 0)
})
