import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { call, newMerchant } from './merchants.ts'
import { withWorld } from './world.ts'

const { url, newPage, sandbox } = await withWorld({ after })

test('a withdrawal that the original paid is completed by its transaction only', async t => {
  const { mchid } = await newMerchant(url, 'Restored')
  const id = `W-${mchid}`
  const txid = `0x${'ab'.repeat(32)}`
  const database = new pg.Client({ host: join(sandbox.data, 'pg'), database: 'coffer', user: 'coffer' })
  await database.connect()
  t.after(async () => {
    await database.query('delete from withdrawals where id = $1', [id])
    await database.query('delete from operator_approvals where subject = $1', [`withdrawal ${id} 0 ${txid}`])
    await database.end()
  })
  await database.query(
    `insert into withdrawals (merchant_id, id, asset_id, chain_id, to_address, amount, fee, gas, receives, usdt_value, rate, status, origin, reason, created_at, updated_at)
     select m.id, $2, a.id, a.chain_id, '0x00000000000000000000000000000000000000bb', 100000000, 0, 0, 100000000, 0, '{}', 7, 'page',
       'the database was restored', 1, 1
     from merchants m cross join (select * from assets where contract is not null and enabled order by id limit 1) a where m.mchid = $1`,
    [mchid, id],
  )
  await database.query(
    `insert into operator_approvals (subject, person_id, who, created_at) values ($1, '', 'root', 2)`,
    [`withdrawal ${id} 0 ${txid}`],
  )
  const page = await newPage(t)
  const entry = await call<{ url: string }>(url, '/sandbox/console')
  await page.goto(entry.url)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.goto(`${new URL(entry.url).origin}/withdrawals/${id}`)
  await page.getByRole('button', { name: 'Already paid' }).click()
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.getByLabel('Transaction hash').inputValue(), txid, 'that which another operator named')
  await dialog.getByRole('button', { name: 'Already paid' }).click()
  await dialog.getByText('it must be in a block of').waitFor()
})
