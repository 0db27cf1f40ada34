import type { ConsoleMessage, Page, Request } from 'playwright-core'

/** How much (characters) of a page's tree is printed. */
const most = 6_000

/** A test, of which `passed` is known once it has ended; a file has none. */
export interface Tested {
  passed?: boolean
}

/**
 * Notes what a page says, loses and leaves. The function that is returned prints it, with what the page shows, if the
 * test has failed: what one sees of a failure elsewhere is this.
 */
export function logOf(page: Page): (test: Tested) => Promise<void> {
  const began = Date.now()
  const lines: string[] = []
  const note = (what: string) => lines.push(`${Date.now() - began} ms: ${what}`)
  page.on('console', (message: ConsoleMessage) => note(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => note(`threw ${error.stack ?? error.message}`))
  page.on('requestfailed', (request: Request) => note(`${request.failure()?.errorText}: ${request.url()}`))
  page.on('framenavigated', frame => note(`went to ${frame.url()}`))
  return async test => {
    if (test.passed !== false || page.isClosed()) return
    note('the test failed')
    const shown = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String)
    console.error(['A page of the test that failed:', ...lines, shown.slice(0, most)].join('\n'))
  }
}
