/** `npm run picture`: takes the picture of README.md from a running sandbox that `npm run demo` has filled. */
import { statSync } from 'node:fs'
import { launchBrowser } from '@coffer/local/testing/browser.ts'
import { demoLogin } from '@coffer/server/sandbox/demo/shop.ts'

const url = `http://localhost:${process.env.COFFER_PORT ?? 8080}`
const file = new URL('../docs/images/dashboard.png', import.meta.url).pathname

/** Signs in as the merchant of the demo. */
async function signIn(): Promise<string> {
  const { email, password } = demoLogin
  const response = await fetch(`${url}/api/v1/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: Buffer.from(password).toString('base64') }),
  })
  const { data } = (await response.json()) as { data?: { token?: string } }
  if (!data?.token) throw new Error(`${url} has no demo: run "npm run demo" on an empty sandbox, then "npm start"`)
  return data.token
}

const token = await signIn()
const browser = await launchBrowser()
try {
  const viewport = { width: 1440, height: 900 }
  const page = await browser.newPage({ viewport, locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' })
  await page.addInitScript(given => localStorage.setItem('token', given), token)
  await page.goto(url)
  await page.getByRole('heading', { name: 'Latest payments' }).waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.screenshot({ path: file })
  console.log(`${file}: ${Math.ceil(statSync(file).size / 1_000)} kB`)
} finally {
  await browser.close()
}
