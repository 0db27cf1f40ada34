import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { builtScreens } from '../tools/checks/routes.ts'
import { newShop, takePayment } from './merchants.ts'
import { faults } from './steps.ts'
import { change, settle } from './walk.ts'
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

const front = '[role=dialog], [role=menu]'

/**
 * A theme changes colors alone and a language texts alone: each page is looked at once in each, the second time by its
 * colors.
 */
for (const [language, colorScheme, rules] of [
  ['en', 'light', undefined],
  ['zh-CN', 'dark', ['color-contrast']],
] as const)
  test(`has no serious axe findings on any page (${language}, ${colorScheme})`, async t => {
    const shop = await newShop(url, 'Reader')
    const tradeNo = await takePayment(url, shop, { out_trade_no: 'a-1', amount: '5' })
    const page = await newPage(t, { as: shop, locale: language, colorScheme })
    const found: string[] = []
    const look = async (what: string, within?: string) => {
      found.push(...(await faults(page, { rules, within })).map(fault => `${what}: ${fault}`))
    }
    await page.goto(`${url}${first}`)
    await settle(page)
    await look(first)
    for (const path of others) {
      await change(page, path)
      await look(path)
    }
    for (const { path, open } of inFront) {
      // Some ask before they close.
      if ((await page.locator(front).count()) > 0) await page.goto(`${url}${path}`)
      else await change(page, path)
      await open(page)
      await page.locator(front).first().waitFor()
      await page.getByRole('dialog').locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      // What lies behind was looked at, and is inert.
      await look(String(open), front)
      await page.keyboard.press('Escape')
    }
    for (const path of ['/sandbox', `/pay/${tradeNo}`]) {
      await page.goto(`${url}${path}`)
      await settle(page)
      await look(path)
    }
    const login = await newPage(t, { locale: language, colorScheme })
    await login.goto(`${url}/login`)
    await login.getByRole('heading').first().waitFor()
    found.push(...(await faults(login, { rules })).map(fault => `/login: ${fault}`))
    assert.deepEqual(found, [])
  })
