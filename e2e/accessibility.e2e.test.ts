import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { builtScreens } from '../tools/checks/routes.ts'
import { newShop, takePayment } from './merchants.ts'
import { faults } from './steps.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

const pages = [...builtScreens(join(import.meta.dirname, '..')), '/nowhere']

/** Dialogs and menus to open over a page. */
const inFront: { path: string; open(page: Page): Promise<unknown> }[] = [
  { path: '/', open: page => page.getByRole('button', { name: /^(Notifications|通知)/ }).click() },
  { path: '/', open: page => page.getByRole('button', { name: /^(Search|搜索)/ }).click() },
  { path: '/', open: page => page.getByRole('button', { name: /^(Date range|时间范围)/ }).click() },
  { path: '/', open: page => page.getByRole('button', { name: /^(Account menu|账号菜单)/ }).click() },
  { path: '/', open: page => page.getByRole('button', { name: /^(Language|语言)/ }).click() },
  { path: '/record', open: page => page.getByRole('button', { name: /a-1$/ }).click() },
  { path: '/appManage', open: page => page.getByRole('button', { name: /^(Create application|创建应用)/ }).click() },
]

for (const language of ['en', 'zh-CN'])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`has no serious axe findings on any page (${language}, ${colorScheme})`, async t => {
      const shop = await newShop(url, 'Reader')
      const tradeNo = await takePayment(url, shop, { out_trade_no: 'a-1', amount: '5' })
      const page = await newPage(t, { as: shop, colorScheme })
      await page.evaluate(next => localStorage.setItem('language', next), language)
      const found: string[] = []
      for (const path of [...pages, '/sandbox', `/pay/${tradeNo}`]) {
        await page.goto(`${url}${path}`)
        await page.getByRole('heading').first().waitFor()
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        found.push(...(await faults(page)).map(fault => `${path}: ${fault}`))
      }
      for (const { path, open } of inFront) {
        await page.goto(`${url}${path}`)
        await open(page)
        await page.locator('[role=dialog], [role=menu]').first().waitFor()
        await page.getByRole('dialog').locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        found.push(...(await faults(page)).map(fault => `${open}: ${fault}`))
      }
      const login = await newPage(t, { locale: language, colorScheme })
      await login.goto(`${url}/login`)
      await login.getByRole('heading').first().waitFor()
      found.push(...(await faults(login)).map(fault => `/login: ${fault}`))
      assert.deepEqual(found, [])
    })
