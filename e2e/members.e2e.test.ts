import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import { call, newEmail, newMerchant, newShop, password } from './merchants.ts'
import { assertAccessible, fillCode } from './steps.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

/** The link of the last invitation mailed to an address. */
const linkTo = (email: string): Promise<string> =>
  until(`an invitation is sent to ${email}`, async () => {
    const path = `/sandbox/inbox?to=${encodeURIComponent(email)}`
    const { list } = await call<{ list: { text: string }[] }>(url, path)
    const found = list.map(({ text }) => /\/login#invitation=[\w-]+/.exec(text)?.[0]).find(Boolean)
    return found ? `${url}${found}` : ''
  })

test('an owner invites a person, changes the role and removes the person, who is signed out at once', async t => {
  const shop = await newShop(url, 'Crew')
  const owner = await newPage(t, { as: shop })
  const email = newEmail('Helper')
  await owner.goto(`${url}/accountInfo`)
  await owner.getByRole('link', { name: 'People' }).click()
  await owner.getByRole('heading', { name: 'You work alone' }).waitFor()
  await assertAccessible(owner)
  await owner.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Email', exact: true }).fill(email)
  await fillCode(dialog, url, shop.email)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await owner.getByText('Invitation sent').waitFor()
  await owner.getByRole('heading', { name: 'Open invitations' }).waitFor()

  const helper = await newPage(t)
  await helper.goto(await linkTo(email))
  await helper.getByRole('heading', { name: /^Join Crew/ }).waitFor()
  await assertAccessible(helper)
  await helper.getByLabel('Password', { exact: true }).fill(password)
  await helper.getByLabel('Confirm password').fill(password)
  await helper.getByRole('button', { name: 'Accept the invitation' }).click()
  await helper.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()

  await owner.reload()
  await owner.getByRole('button', { name: `Remove: ${email}` }).click()
  await fillCode(dialog, url, shop.email)
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await owner.getByText('Removed').waitFor()
  await helper.getByLabel('Email').waitFor()
})

test('a person with an account accepts signed in, and a tab of the shop before reloads', async t => {
  const shop = await newShop(url, 'Host')
  const guest = await newMerchant(url, 'Guest')
  const page = await newPage(t, { as: guest, own: true })
  const owner = await newPage(t, { as: shop })
  await owner.goto(`${url}/user/people`)
  await owner.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Email', exact: true }).fill(guest.email)
  await fillCode(dialog, url, shop.email)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await owner.getByText('Invitation sent').waitFor()

  await page.goto(`${url}/accountInfo`)
  await page.getByText(guest.mchid).first().waitFor()
  const tab = await page.context().newPage()
  await tab.goto(await linkTo(guest.email))
  await tab.getByRole('button', { name: 'Accept the invitation' }).click()
  await tab.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  // The first tab shows the shop that the session is for now.
  await page.getByText(shop.mchid).first().waitFor()
  assert.equal(await page.getByText(guest.mchid).count(), 0)
  await tab.goto(`${url}/accountInfo`)
  await tab.getByRole('button', { name: 'Switch', exact: true }).click()
  await page.getByText(guest.mchid).first().waitFor()
})
