import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newAccount, newEmail, password } from './merchants.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

/** Enters wrong passwords until the account's share of this network is used up. */
async function guess(email: string) {
  const body = JSON.stringify({ email, password: Buffer.from('Wrong1Horse').toString('base64') })
  const headers = { 'content-type': 'application/json' }
  for (let i = 0; i < 11; i++) {
    const { code } = (await (await fetch(`${url}/api/v1/public/login`, { method: 'POST', headers, body })).json()) as {
      code: number
    }
    if (i === 10) assert.equal(code, 10230)
  }
}

for (const workers of [true, false])
  test(`an owner signs in while strangers guess, ${workers ? 'unnoticed by a worker' : 'without workers'}`, async t => {
    const email = newEmail(`guessed-${workers}`)
    await newAccount(url, email)
    await guess(email)
    const page = await newPage(t)
    if (!workers) await page.addInitScript(() => Object.assign(globalThis, { Worker: undefined }))
    const paid: (string | undefined)[] = []
    let started = 0
    page.on('worker', () => started++)
    page.on('request', each => {
      if (each.url().endsWith('/public/login')) paid.push(each.headers()['x-work'])
    })
    await page.goto(`${url}/login`)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForURL(each => !each.pathname.endsWith('/login'))
    assert.deepEqual(
      paid.map(each => each !== undefined),
      [false, true],
    )
    assert.equal(started, workers ? 1 : 0)
  })
