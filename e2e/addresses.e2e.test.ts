import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, type TestContext, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import type { Locator, Page } from 'playwright-core'
import { newMerchant, newShop, send, takePayment } from './merchants.ts'
import { assertAccessible, fillCode } from './steps.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })
/** An address of nobody, and one that was made to be mistaken for it. */
const supplier = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const poisoned = `0x8ba${'5'.repeat(33)}ba72`

const chooseFile = (dialog: Locator, name: string, buffer: Buffer) =>
  dialog.getByLabel('Choose file').setInputFiles({ name, buffer, mimeType: 'application/octet-stream' })

/** Chooses files for an import that are refused, or whose encoding must be chosen. */
async function refuseFiles(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  // The same wrong file is refused each time, and chosen anew: browsers say nothing about a file that is chosen
  // already.
  for (const _ of [1, 2]) {
    const sent = page.waitForRequest('**/api/v1/address/import/check')
    await chooseFile(dialog, 'book.csv', Buffer.from(`Network,Address,Label\neth,0x1,Wrong`))
    await sent
    await dialog.getByText('0 of 1 rows can be imported').waitFor()
    assert.equal(await dialog.getByLabel('Choose file').inputValue(), '')
  }
  // A file of Windows does not say its encoding, which the names decide.
  await chooseFile(dialog, 'book.csv', Buffer.from(`Network;Address;Label\r\neth;0x1;M\xfcller\r\n`, 'latin1'))
  await dialog.getByText('Choose the one in which the names look right.').waitFor()
  assert.equal(await dialog.getByText(/can be imported/).count(), 0)
  await dialog.getByRole('radio', { name: 'Müller' }).first().check()
  await dialog.getByText('0 of 1 rows can be imported').waitFor()
  await dialog.getByRole('cell', { name: 'Müller' }).waitFor()
  await assertAccessible(page)
  await chooseFile(dialog, 'book.csv', Buffer.from(`Network,Address,Label\neth,0x1,"One\neth,0x2,Two\n`))
  await dialog.getByText('Line 2: a quotation mark is not closed').waitFor()
}

/** Fills in an address that could be mistaken for one of the book, and leaves the dialog. */
async function refusePoisoned(dialog: Locator): Promise<void> {
  await dialog.getByLabel('Network').selectOption('eth')
  await dialog.getByLabel('Receiving address').fill(poisoned)
  await dialog.locator('mark').first().waitFor()
  assert.equal(await dialog.locator('mark').count(), 2)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
}

/** On a phone, the page of an entry names what can be done with it. */
async function assertNamedOnPhone(t: TestContext, shop: { token: string }): Promise<void> {
  const onPhone = await newPage(t, { as: shop, ...phone })
  await onPhone.goto(`${url}/m/address`)
  await onPhone.getByText('Supplier').first().waitFor()
  await onPhone.getByRole('button', { name: 'Details' }).last().click()
  const entry = onPhone.getByRole('dialog', { name: 'Address book' })
  await entry.getByRole('button', { name: 'Remove' }).waitFor()
  await entry.getByRole('button', { name: 'Edit' }).click()
  await onPhone.getByRole('dialog', { name: 'Edit the entry' }).waitFor()
}

test('keeps an address book, from which a withdrawal picks', async t => {
  const shop = await newShop(url, 'Supplied')
  const page = await newPage(t, { as: shop })
  const prove = async (verb: string) => {
    await fillCode(dialog, url, shop.email)
    await dialog.getByRole('button', { name: verb }).click()
  }

  await page.goto(url)
  await page.getByRole('link', { name: 'Address book' }).click()
  await page.getByText('Your address book is empty').waitFor()
  const add = () => page.getByRole('button', { name: 'Add address' }).first().click()
  const dialog = page.getByRole('dialog')
  await add()
  await dialog.getByLabel('Network').selectOption('eth')
  await dialog.getByLabel('Receiving address').fill('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8')
  await dialog.getByText('The address format does not match the selected chain').waitFor()
  await dialog.getByLabel('Receiving address').fill(supplier.toLowerCase())
  await dialog.getByText('Valid address.').waitFor()
  await dialog.getByLabel('Label').fill('Supplier')
  await prove('Add address')
  const row = page.getByRole('row').filter({ hasText: 'Supplier' })
  await row.getByText('Active').waitFor()

  // What could be mistaken for it is refused, with the difference marked.
  await add()
  await refusePoisoned(dialog)

  // The exported file can be imported: existing entries are reported row by row.
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  const exported = await readFile(await download.path())
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await refuseFiles(page)
  await chooseFile(dialog, 'AddressBook.xlsx', exported)
  await dialog.getByText('0 of 1 rows can be imported').waitFor()
  await dialog.getByText('This address is already in your address book').waitFor()
  const rows = [`eth,${poisoned},Poisoned`, `Ethereum,0x${'7'.repeat(40)},"Sevens, Inc"`]
  await chooseFile(dialog, 'book.csv', Buffer.from(['Network,Address,Label', ...rows].join('\n')))
  await dialog.getByText('1 of 2 rows can be imported').waitFor()
  await dialog.locator('mark').first().waitFor()
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Import 1 address' }).click()
  await dialog.getByRole('button', { name: 'Send code' }).waitFor()
  await assertAccessible(page)
  await prove('Import 1 address')
  await page.getByRole('row').filter({ hasText: 'Sevens, Inc' }).waitFor()

  // A withdrawal picks an entry, and only of its network.
  await takePayment(url, shop, { out_trade_no: 'a-1', amount: '20' })
  await page.goto(`${url}/withdraw?id=${encodeURIComponent('eth:USDT')}`)
  await page.getByRole('button', { name: 'Choose from the address book' }).click()
  await dialog.getByRole('searchbox').fill('suppl')
  await dialog.getByText('Sevens, Inc').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: /^Supplier/ }).click()
  assert.equal(await page.getByLabel('Receiving address').inputValue(), supplier)

  await assertNamedOnPhone(t, shop)

  await page.goto(`${url}/address?text=supplier`)
  await page.getByRole('button', { name: 'Actions for Supplier' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await prove('Remove')
  await row.waitFor({ state: 'detached' })
})

test('a recharge: the chain is opened first, and what arrives is shown while it is confirmed', async t => {
  const page = await newPage(t, { as: await newMerchant(url, 'Recharger') })
  await page.goto(`${url}/property/recharge`)
  await page.getByLabel('Network').selectOption('eth')
  await page.getByText('Please open the USDT chain first').waitFor()
  await page.getByRole('button', { name: 'Open Ethereum' }).click()
  const address = await page
    .getByRole('img', { name: /^QR code of 0x/ })
    .getAttribute('aria-label')
    .then(text => text?.replace('QR code of ', '') ?? '')
  await send(url, address, '12.5')
  const arrived = page.getByRole('row').filter({ hasText: '12.50' })
  await arrived.getByText('Your own').waitFor()
  await arrived.getByText('Credited').waitFor()
})

test('an application gives a customer an address, which is listed with what came', async t => {
  const shop = await newShop(url, 'Giver')
  const { coffer } = shop
  const page = await newPage(t, { as: shop })
  const given = await coffer.createAddress({ reference: 'customer-42', chain: 'eth' })
  assert.deepEqual(await coffer.createAddress({ reference: 'customer-42', chain: 'eth' }), given)
  await send(url, given.address, '3')
  await page.goto(`${url}/property/fixedAddr?text=customer-42`)
  const customer = page.getByRole('row').filter({ hasText: 'customer-42' })
  await customer.getByText('3.00').waitFor()
  await customer.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Edit label' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('Best customer')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await customer.getByText('Best customer').waitFor()
  await customer.getByRole('link', { name: /3.00/ }).click()
  await page.getByRole('row').filter({ hasText: 'Best customer' }).getByText('Credited').waitFor()
  const { list, total } = await coffer.listDeposits({ reference: 'customer-42' })
  assert.deepEqual([total, list[0]?.amount, list[0]?.state], [1, '3', 'credited'])
})
