import assert from 'node:assert/strict'
import { until } from '@coffer/local/testing/until.ts'
import type { Page } from 'playwright-core'
import type { withReceiver } from './receiver.ts'
import { assertAccessible } from './steps.ts'

/** What a merchant with a passkey and the application "Passkeys" does with connected shops. */

export type Receiver = Awaited<ReturnType<typeof withReceiver>>

/** Connects a shop, tests it, renews its key and disconnects it, each but the test confirmed by the passkey. */
export async function connectShop(page: Page, url: string, { url: at, received }: Receiver) {
  await page.goto(`${url}/appManage`)
  await page.getByRole('button', { name: 'More actions for Passkeys' }).click()
  await page.getByRole('menuitem', { name: 'Connected shops' }).click()
  const drawer = page.getByRole('dialog', { name: 'Connected shops' })
  await drawer.getByText('No shop connected').waitFor()
  await drawer.getByRole('button', { name: 'Connect a shop' }).click()
  const connect = page.getByRole('dialog', { name: 'Connect a shop' })
  await connect.getByRole('radio', { name: 'GMPay' }).check()
  await connect.getByText('Your device asks for your fingerprint').waitFor()
  await connect.getByRole('button', { name: 'Connect a shop' }).click()
  const values = page.getByRole('dialog', { name: 'Enter these values in the shop' })
  const key = values.getByText(/^[0-9a-f]{32}$/).first()
  const first = await key.textContent()
  const picture = values.getByRole('figure').filter({ hasText: 'Dujiao-Next' })
  const id = await picture.getByText(/^\d{9,10}$/).textContent()
  for (const value of [url, first!]) await picture.getByText(value, { exact: true }).waitFor()
  await assertAccessible(page)
  await values.getByRole('button', { name: 'I have copied them' }).click()

  const shop = drawer.getByRole('listitem', { name: `GMPay ${id}` })
  await shop.getByText('Key not used yet').waitFor()
  await shop.getByText('Where the values go').click()
  await shop.getByRole('figure').getByText(id!, { exact: true }).waitFor()
  await shop.getByRole('button', { name: 'Test the connection' }).click()
  const order = page.getByRole('dialog', { name: 'Test the connection' })
  await order.getByLabel('Notify URL of the shop').fill(at)
  await order.getByRole('button', { name: 'Test the connection' }).click()
  await until('the callback of the test', () => received.some(({ body }) => /"order_id":"test-.*"status":2/.test(body)))
  await order.getByText('HTTP 200').waitFor()
  await assertAccessible(page)
  await order.getByRole('button', { name: 'Close' }).last().click()
  await shop.getByRole('button', { name: 'Renew key' }).click()
  const renew = page.getByRole('dialog', { name: 'Renew the key of this shop?' })
  assert.ok(await renew.getByRole('radio', { name: 'For 24 hours' }).isChecked())
  await renew.getByText('Your device asks for your fingerprint').waitFor()
  await assertAccessible(page)
  await renew.getByRole('button', { name: 'Renew key' }).click()
  assert.notEqual(await key.textContent(), first)
  await values.getByRole('button', { name: 'I have copied them' }).click()
  await shop.getByText('Old key valid until').waitFor()

  await shop.getByRole('button', { name: 'Disconnect' }).click()
  const end = page.getByRole('dialog', { name: 'Disconnect this shop?' })
  await end.getByText('Your device asks for your fingerprint').waitFor()
  await end.getByRole('button', { name: 'Disconnect' }).click()
  await drawer.getByText('No shop connected').waitFor()
}

/** A shop asks for a key by BTCPay's page, and receives it by a form once the passkey has agreed. */
export async function sendKeyToShop(page: Page, url: string, back: string) {
  const permissions = ['canviewinvoices', 'cancreateinvoice', 'canuselightningnode'].map(each => `btcpay.store.${each}`)
  const query = new URLSearchParams({ applicationName: 'Woo', redirect: back })
  for (const each of permissions) query.append('permissions', each)
  await page.goto(`${url}/api-keys/authorize?${query}`)
  await page.getByRole('heading', { name: '“Woo” requests a key' }).waitFor()
  await page.getByText('not granted: btcpay.store.canuselightningnode').waitFor()
  await page.getByRole('button', { name: 'Connect this shop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect this shop' })
  await dialog.getByText('Your device asks for your fingerprint').waitFor()
  await dialog.getByRole('button', { name: 'Connect this shop' }).click()
  await page.waitForURL(back)
  await page.goto(`${url}/appManage`)
}
