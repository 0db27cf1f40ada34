import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { phone } from '@coffer/local/testing/browser.ts'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { type Merchant, newAccount, newEmail, newShop, takePayment } from './merchants.ts'
import { fillCode } from './steps.ts'
import { change, settle } from './walk.ts'
import { withWorld } from './world.ts'

const { url, sandbox, newPage } = await withWorld({ after })
const shop = await newShop(url, 'Roles')
await takePayment(url, shop, { out_trade_no: 'by-roles', amount: '3' })

/** Runs a statement as the owner of the tables, who is exempt from the audit entries that members take. */
async function query(sql: string, values: unknown[] = []): Promise<void> {
  const database = new pg.Client({ host: join(sandbox.data, 'pg'), database: 'coffer', user: 'coffer' })
  await database.connect()
  await database.query(sql, values).finally(() => database.end())
}

/** Makes a person a member of the shop, in which the session of that person goes on. */
async function newMember(role: MerchantRole): Promise<Pick<Merchant, 'token'>> {
  const email = newEmail(role)
  const token = await newAccount(url, email)
  const given = [shop.mchid, email, role]
  await query(
    `insert into members (person_id, merchant_id, role, since, created_at)
     select p.id, m.id, $3, m.created_at, m.created_at from persons p, merchants m
     where m.mchid = $1 and p.email = $2 and p.realm = 'shop'`,
    given,
  )
  await query(
    `update sessions set merchant_id = m.id from persons p, merchants m
     where m.mchid = $1 and p.email = $2 and p.realm = 'shop' and sessions.person_id = p.id`,
    given.slice(0, 2),
  )
  return { token }
}

const readers = ['/', '/statistics', '/collect', '/record', '/record/withdrawal', '/record/refund', '/property']
const others = ['/appManage', '/callbackList', '/address', '/billing', '/workOrder', '/accountInfo']
const menus: Record<MerchantRole, string[]> = {
  owner: [...readers, '/withdraw', '/approvals', '/transfer', ...others],
  finance: [...readers, '/withdraw', '/approvals', '/transfer', ...others],
  viewer: [...readers, ...others],
  developer: ['/record', '/appManage', '/callbackList', '/workOrder', '/accountInfo'],
  support: ['/collect', '/record', '/record/refund', '/callbackList', '/workOrder', '/accountInfo'],
  clerk: ['/collect', '/record', '/accountInfo'],
}

/** Notes calls that are refused, once the page knows the role. */
function noteRefusals(page: Page): string[] {
  const refused: string[] = []
  page.on('response', response => {
    if (response.status() === 403) refused.push(new URL(response.url()).pathname)
  })
  return refused
}

for (const role of Object.keys(menus) as MerchantRole[])
  test(`the menu of a member who is ${role} has the pages of the role, none of which is refused anything`, async t => {
    const page = await newPage(t, { as: await newMember(role) })
    await page.goto(`${url}/accountInfo`)
    await settle(page)
    const refused = noteRefusals(page)
    const links = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link')
    const paths = await links.evaluateAll(all => all.map(each => each.getAttribute('href') ?? ''))
    assert.deepEqual(paths, menus[role])
    for (const path of [...paths, '/']) await change(page, path)
    // What stands on the first page when it is opened anew is asked for from the HTML.
    await page.goto(url)
    await settle(page)
    // Who signs in lands on a page of the role.
    assert.equal(new URL(page.url()).pathname, menus[role][0])
    assert.equal(await page.getByRole('heading', { name: 'Not part of your role' }).count(), 0)
    assert.deepEqual(refused, [])
    assert.equal(await page.getByRole('alert').count(), 0)
  })

test('a page that the role does not include says so, and leads on', async t => {
  const page = await newPage(t, { as: await newMember('clerk') })
  await page.goto(`${url}/accountInfo`)
  await settle(page)
  const refused = noteRefusals(page)
  await page.goto(`${url}/withdraw`)
  await page.getByRole('heading', { name: 'Not part of your role' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Collect' }).click()
  await page.getByRole('heading', { name: 'Collect', level: 1 }).waitFor({ state: 'attached' })
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('with')
  await page.getByText('No results').waitFor()
  assert.equal(await page.getByRole('option', { name: 'Withdraw' }).count(), 0)
  assert.deepEqual(refused, [])
})

test('buttons are those of the role, and follow it without a new sign-in', async t => {
  const as = await newMember('viewer')
  const page = await newPage(t, { as })
  await page.goto(`${url}/appManage`)
  await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor()
  await page.getByRole('cell', { name: 'Roles' }).first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Create' }).count(), 0)
  await query(`update members set role = 'developer' where role = 'viewer' and merchant_id =
    (select id from merchants where mchid = '${shop.mchid}')`)
  await page.reload()
  await page.getByRole('button', { name: /Create/ }).waitFor()
})

test('on a phone, the bar and the menu have the pages of the role', async t => {
  const page = await newPage(t, { as: await newMember('clerk'), ...phone })
  await page.goto(`${url}/m/accountInfo`)
  await settle(page)
  const refused = noteRefusals(page)
  const tabs = page.getByRole('navigation').last().getByRole('link')
  await page.getByRole('link', { name: 'Assets' }).waitFor({ state: 'detached' })
  const paths = await tabs.evaluateAll(all => all.map(each => each.getAttribute('href') ?? ''))
  assert.deepEqual(paths, ['/m/record', '/m/collect', '/m/accountInfo'])
  await page.goto(`${url}/m/`)
  await page.waitForURL(`${url}/m/collect`)
  await settle(page)
  for (const path of paths) {
    await page.goto(`${url}${path}`)
    await settle(page)
  }
  assert.deepEqual(refused, [])
})

test('a viewer reads forms that only others save', async t => {
  const page = await newPage(t, { as: await newMember('viewer') })
  const editable = () => page.locator('main form :is(input, select, textarea, button):enabled').count()
  for (const path of ['/property/WithdrawSetting', '/billing']) {
    await page.goto(`${url}${path}`)
    await page.locator('main form').first().waitFor()
    await settle(page)
    assert.equal(await editable(), 0, path)
    assert.notEqual(await page.locator('main form :disabled').count(), 0, path)
  }
  const owned = await newPage(t, { as: shop })
  await owned.goto(`${url}/billing`)
  await owned.getByRole('button', { name: 'Save' }).waitFor()
  assert.equal(await owned.locator('main form fieldset, main form :disabled').count(), 0)
})

test('an owner lets a key manage people, from listed addresses only, and a developer sees no such switch', async t => {
  const developer = await newPage(t, { as: await newMember('developer') })
  const owner = await newPage(t, { as: shop })
  for (const page of [developer, owner]) {
    await page.goto(`${url}/appManage`)
    await page.getByRole('button', { name: 'Edit Roles' }).click()
    await page.getByRole('dialog').getByRole('switch', { name: 'Settings', exact: true }).waitFor()
  }
  const people = (page: Page) => page.getByRole('dialog').getByRole('switch', { name: 'People', exact: true })
  assert.equal(await people(developer).count(), 0)
  const dialog = owner.getByRole('dialog')
  await people(owner).check()
  await fillCode(dialog, url, shop.email)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/^Enable the whitelist and enter at least one address/).waitFor()
  await dialog.getByRole('switch', { name: 'Only these IP addresses' }).check()
  await dialog.getByRole('textbox', { name: 'IP addresses' }).fill('127.0.0.1')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await owner.getByText('Settings saved.').waitFor()
  const answer = await fetch(`${url}/api/v1/pay/members`, { headers: { authorization: `Bearer ${shop.secretKey}` } })
  assert.equal(answer.status, 200)
})
