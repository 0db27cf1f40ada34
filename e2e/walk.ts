import { until } from '@coffer/local/testing/until.ts'
import type { Page } from 'playwright-core'

/** Waits until a page shows its contents. */
export async function settle(page: Page): Promise<void> {
  // Not by its role: details that open with the page hide it from there, sooner or later.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

/**
 * Changes to another page of a router without loading it anew, which would cost more than all that is looked at there.
 * Some lead on, even back to where one was.
 */
export async function change(page: Page, path: string): Promise<void> {
  if (new URL(page.url()).pathname === path) return
  await page.evaluate(`
    document.querySelector('h1').dataset.before = ''
    history.pushState({}, '', ${JSON.stringify(path)})`)
  await until(`${path} is shown or leads on`, () =>
    page.evaluate(`!document.querySelector('h1[data-before]') || location.pathname !== ${JSON.stringify(path)}`),
  )
  await settle(page)
}
