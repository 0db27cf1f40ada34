import assert from 'node:assert/strict'
import { pageWithDeposits } from '@coffer/server/domains/payments/records/payment-list.ts'
import { priceTerm } from '@coffer/server/domains/payments/records/payment-search.ts'
import pg from 'pg'
import { wholeShop } from '../apps/server/src/kit/visible-to.ts'
import type { Records } from './data.ts'
import { type Figure, median } from './figure.ts'

const limitMs = 100
const rounds = 15
const warmUp = 5
const page = { offset: 0, limit: 20 }

/**
 * The first page of payments that a text finds, with the total: a rare and a common word, two words, a price, and the
 * beginning of an order number. The peer is a plain query for one page of the payments whose title contains the text,
 * after a count of all of them.
 */
export async function search(records: Records): Promise<Figure[]> {
  const { deps, busy, payments } = records
  const { out_trade_no } = await addTitles(records)
  const texts = ['item7', 'order', 'order item7', '12.34', out_trade_no.slice(0, 3)]
  const figures: Figure[] = []
  let worst = 0
  for (const text of texts) {
    const ours: number[] = []
    const peers: number[] = []
    let found = { total: 0, truncated: false }
    for (let round = -warmUp; round < rounds; round++) {
      const started = performance.now()
      found = await pageWithDeposits(deps, wholeShop(busy.id), { text }, page)
      const took = performance.now() - started
      const plain = await plainly(records, text)
      if (round < 0) continue
      ours.push(took)
      peers.push(plain)
    }
    assert(found.total > 0, `${text} finds payments`)
    worst = Math.max(worst, median(ours))
    figures.push({
      what: `search for "${text}"`,
      value: `${median(ours).toFixed(1)} ms`,
      comparison: `${(median(ours) / median(peers)).toFixed(2)} of a plain query (${median(peers).toFixed(0)} ms); finds ${found.total.toLocaleString('en')}${found.truncated ? ', the newest' : ''}`,
    })
  }
  figures.push({
    what: `the slowest search, ${payments.toLocaleString('en')} payments`,
    value: `${worst.toFixed(1)} ms`,
    comparison: `at most ${limitMs} ms`,
    holds: worst <= limitMs,
  })
  return figures
}

/**
 * Names the payments of the busy merchant, each with the word "order" and one of a thousand, and writes their terms.
 */
async function addTitles({ url, busy }: Records): Promise<{ out_trade_no: string }> {
  const owner = new pg.Client(url)
  await owner.connect()
  try {
    const found = await owner.query('select 1 from payment_terms where merchant_id = $1 limit 1', [busy.id])
    if (found.rowCount === 0) {
      const title = `'Order item' || created_at % 1000`
      await owner.query(`update payments set subject = ${title} where merchant_id = $1`, [busy.id])
      await owner.query(
        `insert into payment_terms (merchant_id, term, created_at, trade_no)
         select merchant_id, unnest(array['w:' || lower(out_trade_no), 'w:order', 'w:item' || created_at % 1000]
           || case when created_at % 9 = 0 then array[$2] else '{}' end), created_at, trade_no
         from payments where merchant_id = $1`,
        [busy.id, priceTerm('12.34')],
      )
      await owner.query('vacuum analyze payments, payment_terms')
    }
    const newest = 'select out_trade_no from payments where merchant_id = $1 order by created_at desc limit 1'
    return (await owner.query(newest, [busy.id])).rows[0]
  } finally {
    await owner.end()
  }
}

/** Milliseconds of a plain query for what contains a text. */
async function plainly({ deps, busy }: Records, text: string): Promise<number> {
  const started = performance.now()
  const where = 'merchant_id = $1 and (subject ilike $2 or out_trade_no ilike $2)'
  const values = [busy.id, `%${text}%`]
  await deps.pool.query(`select count(*) from payments where ${where}`, values)
  await deps.pool.query(
    `select * from payments where ${where} order by created_at desc, trade_no desc limit 20`,
    values,
  )
  return performance.now() - started
}
