import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launchBrowser, withContext } from '@coffer/local/testing/browser.ts'
import type { Browser } from 'playwright-core'

let browser: Browser
before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

test('renders Chinese text with Chinese glyphs', async t => {
  const context = await withContext(t, browser)
  const page = await context.newPage()
  const picture = async (text: string) => {
    await page.setContent(`<p style="font: 40px sans-serif; margin: 0">${text}</p>`)
    return page.locator('p').screenshot()
  }
  // A character that no font has is always rendered as the same box.
  assert.notDeepEqual(await picture('收款'), await picture('余额'))
})

test('opens each context with its own language', async t => {
  const language = async (locale?: string) => {
    const context = await withContext(t, browser, locale ? { locale } : {})
    return (await context.newPage()).evaluate(() => navigator.language)
  }
  assert.equal(await language(), 'en-US')
  assert.equal(await language('zh-CN'), 'zh-CN')
})
