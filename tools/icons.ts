/**
 * `node tools/icons.ts`: draws the app's icons from the favicon. A maskable icon fills its square, with the mark in the
 * safe middle.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser } from '@coffer/local/testing/browser.ts'

const web = join(import.meta.dirname, '..', 'apps', 'web', 'src')
const mark = readFileSync(join(web, 'ui', 'favicon.svg'), 'utf8')
const looks = { any: mark, maskable: mark.replace('rx="8"', '') }

const browser = await launchBrowser()
for (const [purpose, svg] of Object.entries(looks))
  for (const size of [192, 512]) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${svg}`)
    writeFileSync(join(web, 'app', `${purpose}-${size}.png`), await page.screenshot({ omitBackground: true }))
    await page.close()
  }
await browser.close()
