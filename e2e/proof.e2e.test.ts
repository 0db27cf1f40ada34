import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { until } from '@coffer/local/testing/until.ts'
import { newShop, takePayment } from './merchants.ts'
import { assertAccessible } from './steps.ts'
import { withWorld } from './world.ts'

const { url, sandbox, newPage } = await withWorld({ after })
const shop = await newShop(url, 'Prover')
await takePayment(url, shop, { out_trade_no: 'p-1', amount: '40' })
const cli = new URL('../apps/server/src/cli/main.ts', import.meta.url).pathname
const { stdout } = await promisify(execFile)(process.execPath, [cli, 'proof', 'make', '--yes'], {
  env: { ...process.env, COFFER_DATA: sandbox.data },
})
const id = /proof (\S+) and/.exec(stdout)?.[1] ?? assert.fail(stdout)
const file = () => fetch(`${url}/proof/${id}.json`)
await until('the proof is published', async () => (await file()).status === 200)
const folder = mkdtempSync(join(tmpdir(), 'coffer-proof-'))
after(() => rmSync(folder, { recursive: true }))

test('anybody reads what is owed and held, without signing in', async t => {
  const page = await newPage(t)
  await page.goto(`${url}/proof?id=${id}`)
  await page.getByRole('heading', { name: 'Proof of liabilities and reserves' }).waitFor()
  await page.getByText(`Proof ${id}`).waitFor()
  await page.getByText('Owed to merchants').first().waitFor()
  await page.getByText('more than is owed').first().waitFor()
  // A network by its name, with the id that was signed.
  await page.getByRole('heading', { name: /^USDT · Ethereum \(eth\)$/ }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: '简体中文' }).click()
  await page.getByText('应付商户').first().waitFor()
  await page.goto(`${url}/proof?id=2020-01-01`)
  await page.getByText('此处尚未发布过证明').waitFor()
})

test('a shop verifies its balance on its page, and both files without a network', async t => {
  const page = await newPage(t, { as: shop })
  await page.goto(`${url}/property`)
  await page.getByRole('button', { name: 'Verify my balances' }).click()
  const dialog = page.getByRole('dialog', { name: 'My balances in the published proof' })
  await dialog.getByText('these balances are part of the sum').waitFor()
  await dialog.getByText(/^3\d\.\d+ USDT$/).waitFor()
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download my part' }).click()
  const own = join(folder, 'own.json')
  await (await saved).saveAs(own)
  const checker = join(folder, 'check.html')
  const answer = await fetch(`${url}/proof/check.html`)
  assert.match(String(answer.headers.get('content-disposition')), /^attachment/)
  writeFileSync(checker, await answer.text())
  const published = join(folder, 'published.json')
  writeFileSync(published, await (await file()).text())
  const lie = join(folder, 'lie.json')
  writeFileSync(lie, readFileSync(own, 'utf8').replace(/"amount": "(\d+)"/, '"amount": "9$1"'))

  const offline = await newPage(t)
  await offline.context().setOffline(true)
  const requests: string[] = []
  offline.on('request', each => requests.push(each.url()))
  await offline.goto(pathToFileURL(checker).href)
  const verify = async (part: string, number = '') => {
    await offline.getByLabel('Published file', { exact: true }).setInputFiles(published)
    await offline.getByLabel('Your part').setInputFiles(part)
    await offline.getByLabel('Your merchant number').fill(number)
    await offline.getByRole('button', { name: 'Verify', exact: true }).click()
  }
  await verify(own)
  await offline.getByText('these balances are part of the sum').waitFor()
  await verify(lie)
  await offline.getByText('A part of your balance is not in the published sum.').waitFor()
  await verify(own, 'M1')
  await offline.getByText('This part is of another merchant.').waitFor()
  assert.deepEqual(
    requests.filter(each => !each.startsWith('file:')),
    [],
  )
})
