import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newShop, password } from './merchants.ts'
import { assertAccessible, authenticatorCodes, fillCode, leave } from './steps.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

test('names the two codes of a new email by where each was sent', async t => {
  const shop = await newShop(url, 'Mover')
  const page = await newPage(t, { as: shop })
  await page.goto(`${url}/accountInfo`)
  await page.getByRole('button', { name: /Change.*[Ee]mail/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByRole('textbox', { name: 'New email', exact: true }).fill('new.box@shop.example')
  await dialog.getByLabel('Code sent to new.box@shop.example').waitFor()
  await dialog.getByLabel(`Code sent to ${shop.email}`).waitFor()
  await assertAccessible(page)
})

test('requires a bound authenticator at sign-in and for sensitive changes, each code once', async t => {
  const shop = await newShop(url, 'Keeper')
  const { email } = shop
  const page = await newPage(t, { as: shop })

  await page.goto(`${url}/accountInfo`)
  await page.getByRole('button', { name: 'Bind: Authenticator' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const [secret] = /[A-Z2-7]{32}/.exec((await dialog.textContent()) ?? '') ?? []
  assert.ok(secret, 'the secret is not shown')
  await dialog.getByRole('button', { name: 'Bind', exact: true }).click()
  await page.getByRole('alert').getByText('Please enter the authenticator code').waitFor()
  const nextCode = authenticatorCodes(secret)
  const first = await nextCode()
  await dialog.getByLabel('Code from the new authenticator').fill(first)
  await fillCode(dialog, url, email)
  await dialog.getByRole('button', { name: 'Bind', exact: true }).click()
  await page.getByText('Authenticator bound.').waitFor()

  await leave(page, url)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Two-step verification' }).waitFor()
  await assertAccessible(page)
  assert.equal(
    await page.evaluate(() => localStorage.getItem('token')),
    null,
    'the token is stored before verification',
  )

  await page.getByLabel('Authenticator code').fill(first)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('Google code error').first().waitFor()

  await page.getByLabel('Authenticator code').fill(await nextCode())
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()

  await page.goto(`${url}/appManage`)
  const edit = async (label: string, text: string) => {
    await page.getByRole('button', { name: 'Edit Keeper' }).first().click()
    await dialog.getByLabel(label).fill(text)
  }
  const save = () => dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await edit('Remark', 'nothing of money')
  assert.equal(await dialog.getByLabel('Authenticator code').count(), 0)
  await save()
  await page.getByText('Settings saved.').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
  await edit('Tolerance', '5')
  const code = dialog.getByLabel('Authenticator code')
  await save()
  await page.getByText('Please enter the authenticator code').first().waitFor()
  await code.fill(await nextCode())
  await save()
  await dialog.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Edit Keeper' }).first().click()
  assert.equal(await dialog.getByLabel('Tolerance').inputValue(), '5')
})
