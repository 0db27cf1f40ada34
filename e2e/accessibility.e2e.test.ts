import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import type { Page } from 'playwright-core'
import { builtScreens } from '../tools/checks/routes.ts'
import { newShop, takePayment } from './merchants.ts'
import { faults } from './steps.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

const [first = '/', ...others] = [...builtScreens(join(import.meta.dirname, '..')), '/nowhere']

/** Dialogs and menus to open over a page. */
const inFront: { path: string; open(page: Page): Promise<unknown> }[] = [
  { path: '/', open: page => page.getByRole('button', { name: /^(Notifications|通知)/ }).click() },
  { path: '/', open: page => page.getByRole('button', { name: /^(Search|搜索)/ }).click() },
  { path: '/', open: page => page.getByRole('button', { name: /^(Date range|时间范围)/ }).click() },
  { path: '/', open: page => page.getByRole('button', { name: /^(Account menu|账号菜单)/ }).click() },
  { path: '/', open: page => page.getByRole('button', { name: /^(Language|语言)/ }).click() },
  { path: '/record', open: page => page.getByRole('button', { name: /a-1$/ }).click() },
  { path: '/appManage', open: page => page.getByRole('button', { name: /^(Create application|创建应用)/ }).click() },
  {
    path: '/appManage',
    open: async page => {
      await page.getByRole('button', { name: /^More actions for|的更多操作$/ }).click()
      await page.getByRole('menuitem', { name: /^(Renew secret key|更新密钥)/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { path: '/accountInfo', open: page => page.getByRole('button', { name: /^(Close account|注销账号)/ }).click() },
  { path: '/accountInfo', open: page => page.getByRole('button', { name: /^(Bind|绑定): (Phone|手机号)/ }).click() },
  {
    path: '/accountInfo',
    open: async page => {
      await page.getByRole('button', { name: /^(Edit|编辑)$/ }).click()
      await page.getByRole('button', { name: /^(More|更多)$/ }).click()
      await page.getByRole('listbox').waitFor()
    },
  },
]

/** Waits until a page shows its contents. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

/**
 * Changes to another page without loading it anew, with which most of the time would go. Some lead on, even back to
 * where one was.
 */
async function change(page: Page, path: string): Promise<void> {
  if (new URL(page.url()).pathname === path) return
  await page.evaluate(`
    document.querySelector('h1').dataset.before = ''
    history.pushState({}, '', ${JSON.stringify(path)})`)
  await until(`${path} is shown or leads on`, () =>
    page.evaluate(`!document.querySelector('h1[data-before]') || location.pathname !== ${JSON.stringify(path)}`),
  )
  await settle(page)
}

// A theme changes colors alone and a language texts alone: each page is looked at once in each.
for (const [language, colorScheme] of [
  ['en', 'light'],
  ['zh-CN', 'dark'],
] as const)
  test(`has no serious axe findings on any page (${language}, ${colorScheme})`, async t => {
    const shop = await newShop(url, 'Reader')
    const tradeNo = await takePayment(url, shop, { out_trade_no: 'a-1', amount: '5' })
    const page = await newPage(t, { as: shop, locale: language, reducedMotion: 'reduce' })
    const found: string[] = []
    const look = async (what: string) => {
      found.push(...(await faults(page)).map(fault => `${what}: ${fault}`))
    }
    await page.emulateMedia({ colorScheme })
    await page.goto(`${url}${first}`)
    await settle(page)
    await look(first)
    for (const path of others) {
      await change(page, path)
      await look(path)
    }
    for (const path of ['/sandbox', `/pay/${tradeNo}`]) {
      await page.goto(`${url}${path}`)
      await settle(page)
      await look(path)
    }
    for (const { path, open } of inFront) {
      await page.goto(`${url}${path}`)
      await open(page)
      await page.locator('[role=dialog], [role=menu]').first().waitFor()
      await page.getByRole('dialog').locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      await look(String(open))
    }
    const login = await newPage(t, { locale: language })
    await login.goto(`${url}/login`)
    await login.getByRole('heading').first().waitFor()
    found.push(...(await faults(login)).map(fault => `/login: ${fault}`))
    assert.deepEqual(found, [])
  })
