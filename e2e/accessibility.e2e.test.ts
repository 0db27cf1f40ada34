import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { launchBrowser, withContext } from '@coffer/local/testing/browser.ts'
import type { Browser, Page } from 'playwright-core'
import { builtScreens } from '../tools/checks/routes.ts'
import { withSandbox } from './sandbox.ts'
import { createApplication, faults, openPermission, pay, register } from './steps.ts'

let browser: Browser
before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

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

test('has no serious axe findings on any page, in both themes and languages', async t => {
  const sandbox = await withSandbox(t)
  const { url } = sandbox
  const context = await withContext(t, browser, { viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await register(page, url, 'reader@example.com')
  await openPermission(page, url, 'Reader Ltd')
  const { secretKey } = await createApplication(page, url, { name: 'Reader', notifyUrl: '' })
  const response = await fetch(`${url}/api/v1/pay/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ out_trade_no: 'a-1', amount: '5', chain: 'eth', token: 'USDT' }),
  })
  const { data: order } = (await response.json()) as { data: { trade_no: string; pay_url: string } }
  await pay(url, order.trade_no)

  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const)
    for (const language of ['en', 'zh-CN']) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(next => localStorage.setItem('language', next), language)
      for (const path of [...pages, '/sandbox', order.pay_url.replace(url, '')]) {
        await page.goto(`${url}${path}`)
        await page.getByRole('heading').first().waitFor()
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        found.push(...(await faults(page)).map(fault => `${path} ${colorScheme} ${language}: ${fault}`))
      }
      for (const { path, open } of inFront) {
        await page.goto(`${url}${path}`)
        await open(page)
        await page.locator('[role=dialog], [role=menu]').first().waitFor()
        await page.getByRole('dialog').locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        found.push(...(await faults(page)).map(fault => `${open} ${colorScheme} ${language}: ${fault}`))
      }
    }
  const login = await (await withContext(t, browser)).newPage()
  await login.goto(`${url}/login`)
  await login.getByRole('heading').first().waitFor()
  found.push(...(await faults(login)).map(fault => `/login: ${fault}`))
  assert.deepEqual(found, [])
})
