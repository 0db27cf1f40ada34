/**
 * `npm run newcomer`: walks from the sign-up to the first paid test order, in a browser against a new sandbox, and
 * prints what it takes a newcomer: clicks, fields, words in view, and seconds.
 *
 * The words of a page are those drawn in its `main`, without navigation, each page and each dialog once. Fields are
 * reached with Tab. Seconds are estimates but for the waits, which are measured: see `speeds`.
 */
import { launchBrowser, phone, withContext } from '@coffer/local/testing/browser.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { newEmail, password } from '../e2e/merchants.ts'
import { withSandbox } from '../e2e/sandbox.ts'

/**
 * Words a minute: silent reading of English non-fiction (Brysbaert 2019, doi 10.1016/j.jml.2019.104047). Seconds a
 * click, with pointing and deciding, and a key, by the keystroke-level model (Card, Moran and Newell 1980, doi
 * 10.1145/358886.358895).
 */
const speeds = { wordsPerMinute: 238, click: 1.35 + 1.1 + 0.2, key: 0.28 }

/** What a page takes. `waited` is in seconds. */
interface Taken {
  page: string
  words: number
  clicks: number
  fields: number
  keys: number
  waited: number
}

const nothing = { words: 0, clicks: 0, fields: 0, keys: 0, waited: 0 }
const secondsOf = ({ words, clicks, keys, waited }: Taken) =>
  (words / speeds.wordsPerMinute) * 60 + clicks * speeds.click + keys * speeds.key + waited

/** The text that is drawn, above the fold and below: not that for screen readers, which is a pixel large. */
const textInView = (part: Locator): Promise<string> =>
  part.evaluate(root => {
    const { defaultView: window } = root.ownerDocument
    const texts = root.ownerDocument.createTreeWalker(root, window!.NodeFilter.SHOW_TEXT)
    let text = ''
    while (texts.nextNode()) {
      const parent = texts.currentNode.parentElement!
      const { width, height } = parent.getBoundingClientRect()
      if (!parent.checkVisibility() || width <= 1 || height <= 1) continue
      // Parts of a number are elements of a line.
      text += `${texts.currentNode.nodeValue}${window!.getComputedStyle(parent).display === 'inline' ? '' : ' '}`
    }
    return text
  })

const wordsOf = (text: string) => text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0

/** Visits pages one after the other, and counts what each takes. */
class Visit {
  readonly pages: Taken[] = []

  /** Waits for a part of a page, and counts its words as those of a new page. */
  async read(name: string, shown: Locator, part: Locator): Promise<void> {
    const started = performance.now()
    await shown.waitFor()
    const waited = (performance.now() - started) / 1_000
    await part.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    this.pages.push({ ...nothing, page: name, words: wordsOf(await textInView(part)), waited })
  }

  async click(button: Locator): Promise<void> {
    await button.click()
    this.pages.at(-1)!.clicks++
  }

  async type(field: Locator, text: string): Promise<void> {
    await field.fill(text)
    const taken = this.pages.at(-1)!
    taken.fields++
    // With the key that leaves the field.
    taken.keys += text.length + 1
  }

  /** Waits for what the page that is read shows next. */
  async wait(shown: Locator): Promise<void> {
    const started = performance.now()
    await shown.waitFor()
    this.pages.at(-1)!.waited += (performance.now() - started) / 1_000
  }
}

/** From the sign-in page to the page on which money can be requested. */
async function signUp(visit: Visit, page: Page, url: string, first: { heading: string; action: string }) {
  const main = page.getByRole('main')
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto(`${url}/login`)
  await visit.read('Sign in', link('Create account'), main)
  await visit.click(link('Create account'))
  await visit.read('Create account', page.getByRole('heading', { name: 'Create account' }), main)
  await visit.type(page.getByLabel('Email'), newEmail('newcomer'))
  await visit.click(button('Send code'))
  await visit.wait(page.getByRole('link', { name: 'Filled in from the sandbox inbox' }))
  await visit.type(page.getByLabel('Password', { exact: true }), password)
  await visit.type(page.getByLabel('Confirm password'), password)
  await visit.click(button('Create account'))
  await visit.read(first.heading, link(first.action), main)
  await visit.click(link(first.action))
  await visit.read('Merchant details', page.getByLabel('Merchant name'), main)
  await visit.type(page.getByLabel('Merchant name'), 'Seller Ltd')
  await visit.click(button('Submit for review'))
  await visit.read('Review status', button('Approve'), main)
  await visit.click(button('Approve'))
  await visit.wait(page.getByText('Merchant permission is open.').first())
  await visit.click(main.getByRole('link', { name: 'Collect', exact: true }))
}

/** On a desktop the first order is made by a payment link. */
async function onDesktop(visit: Visit, page: Page, url: string): Promise<void> {
  await signUp(visit, page, url, { heading: 'Dashboard', action: 'Open permission' })
  const form = page.getByRole('dialog', { name: 'New payment link' })
  await visit.read('New payment link', form, form)
  await visit.type(form.getByLabel('Title'), 'Bread')
  await visit.type(form.getByLabel(/^Amount/), '4')
  await visit.click(form.getByRole('button', { name: 'Create link' }))
  const created = page.getByRole('dialog', { name: 'Payment link' })
  const link = created.getByRole('link', { name: /\/l\// })
  await visit.read('Payment link', link, created)
  const opened = page.context().waitForEvent('page')
  await visit.click(link)
  const checkout = await opened
  const pays = checkout.getByRole('button', { name: 'Pay from the test wallet' })
  await visit.read('Checkout', pays, checkout.getByRole('main'))
  await visit.click(pays)
  await visit.read('Paid', checkout.getByRole('heading', { name: 'Payment received' }), checkout.getByRole('main'))
}

/** On a phone it is taken at the counter. */
async function onPhone(visit: Visit, page: Page, url: string): Promise<void> {
  await signUp(visit, page, url, { heading: 'Merchant permission', action: 'Open merchant permission' })
  const collect = page.getByRole('button', { name: /^Collect / })
  const main = page.getByRole('main')
  await visit.read('Collect', page.getByRole('button', { name: '4', exact: true }), main)
  await visit.click(page.getByRole('button', { name: '4', exact: true }))
  await visit.click(collect)
  const pays = page.getByRole('button', { name: 'Pay from the test wallet' })
  await visit.read('Order', pays, main)
  await visit.click(pays)
  await visit.read('Paid', page.getByText('Paid', { exact: true }), main)
}

function print(title: string, pages: readonly Taken[]): void {
  const total = pages.reduce(
    (sum, each) => ({
      page: 'Total',
      words: sum.words + each.words,
      clicks: sum.clicks + each.clicks,
      fields: sum.fields + each.fields,
      keys: sum.keys + each.keys,
      waited: sum.waited + each.waited,
    }),
    { page: 'Total', ...nothing },
  )
  const cells = [...pages, total].map(each => [
    each.page,
    ...[each.words, each.clicks, each.fields, each.keys].map(String),
    ...[each.waited, secondsOf(each)].map(seconds => seconds.toFixed(1)),
  ])
  console.log(`\n${title}`)
  for (const row of [['Page', 'words', 'clicks', 'fields', 'keys', 'waits, s', 'in all, s'], ...cells])
    console.log(row.map((cell, index) => (index === 0 ? cell.padEnd(22) : cell.padStart(11))).join(''))
}

async function main(scope: Scope): Promise<void> {
  const browser = await launchBrowser()
  scope.after(() => browser.close())
  const { url } = await withSandbox(scope)
  const walks: [string, BrowserContextOptions, typeof onDesktop][] = [
    ['Desktop, 1440 x 900', { viewport: { width: 1440, height: 900 } }, onDesktop],
    ['Phone, 390 x 844', phone, onPhone],
  ]
  for (const [title, options, walk] of walks) {
    const context = await withContext(scope, browser, options)
    const visit = new Visit()
    await walk(visit, await context.newPage(), url)
    print(title, visit.pages)
  }
  const { wordsPerMinute, click, key } = speeds
  console.log(
    `\nEach page is read once at ${wordsPerMinute} words a minute; a click takes ${click.toFixed(2)} s, a key ${key} s.`,
  )
}

const ends: (() => unknown)[] = []
try {
  await main({ after: end => void ends.push(end) })
} finally {
  for (const end of ends.reverse()) await end()
}
