import assert from 'node:assert/strict'
import type { ListedEvent } from '@coffer/contract/events.ts'
import { openDeps } from '@coffer/server/cli/open.ts'
import { merchantByEmail } from '@coffer/server/domains/merchants/store.ts'
import { publishAnnouncement } from '@coffer/server/domains/notifications/announce.ts'
import { insertEvents } from '@coffer/server/kit/outbox.ts'
import type { Merchant } from './merchants.ts'
import type { Sandbox } from './sandbox.ts'

type Data = Pick<Sandbox, 'data'>

/** How many payments and gas expenses the news report. */
const payments = 23
export const expenses = 12

/** Inserts data that the server writes over time: announcements, payments and sweep costs. */
export async function writeNews(sandbox: Data, { email, mchid }: Merchant): Promise<void> {
  const { deps, close } = openDeps({ PATH: process.env.PATH, COFFER_DATA: sandbox.data })
  try {
    const merchant = await merchantByEmail(deps.pool, email)
    assert.ok(merchant)
    const now = deps.clock()
    for (const title of ['Maintenance on Sunday', `A new chain with ${'many '.repeat(14)}tokens`])
      await publishAnnouncement(deps, {
        texts: { title_en: title, content_en: 'Details', title_zh: `公告：${title}`, content_zh: '详情' },
        mchids: [mchid],
        ends_at: now + 86_400,
        operator: 'test',
      })
    const news = (name: ListedEvent, age: number, params: Record<string, string>) =>
      ({ merchant_id: merchant.id, name, params, created_at: now - age }) as const
    // Older than the announcements and the account's own notifications, so that those come first.
    await insertEvents(deps.pool, [
      news('fund_aggregation', 600, { amount: '0.002', token: 'ETH', chain: 'Ethereum' }),
      news('account_login', 601, { ip: '203.0.113.7', device: 'Firefox on Linux', address: 'private' }),
      ...Array.from({ length: payments }, (_, n) =>
        news('payment_late', 700 + n, { out_trade_no: `p-${n}`, amount: '3', token: 'USDT', chain: 'Ethereum' }),
      ),
    ])
    for (let n = 0; n < expenses; n++)
      await deps.pool.query(
        `insert into gas_expenses (merchant_id, id, chain_id, asset_id, amount, txid, created_at)
         select $1, $2, chain_id, id, 2000000000000000, $3, $4 from assets where id = 'eth:ETH'`,
        [merchant.id, `e-${n}`, `0x${'e'.repeat(64)}`, now - n],
      )
  } finally {
    await close()
  }
}

/** Received payments of a merchant. */
export async function writePayments(sandbox: Data, { email }: Merchant, count: number): Promise<void> {
  const { deps, close } = openDeps({ PATH: process.env.PATH, COFFER_DATA: sandbox.data })
  try {
    const { id: merchant_id } = (await merchantByEmail(deps.pool, email))!
    const params = { amount: '3', token: 'USDT', chain: 'Ethereum' }
    const rows = Array.from({ length: count }, (_, n) => ({
      merchant_id,
      name: 'payment_paid' as const,
      params: { ...params, out_trade_no: `p-${n}` },
      created_at: deps.clock() - n,
    }))
    await insertEvents(deps.pool, rows)
  } finally {
    await close()
  }
}
