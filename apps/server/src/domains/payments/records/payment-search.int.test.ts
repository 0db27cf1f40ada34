import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testMerchant } from '../../../testing/merchants.ts'
import { moneyWorld, rowsOf } from '../../../testing/money.ts'
import { searchPayments } from './payment-search.ts'

const world = await moneyWorld({ after })
const { deps, merchant } = world
const find = async (text: string, by = merchant.id) =>
  (await searchPayments(deps.pool, by, text)).map(each => each.out_trade_no)

test('finds payments by the beginning of either number, of an address and of a transaction hash', async () => {
  const numbers = ['A-1', 'A-10', 'A-100%', 'B_1', 'A 1']
  for (const out_trade_no of numbers) {
    deps.pass(1)
    await world.pay({ out_trade_no })
  }
  deps.pass(1)
  const paid = await world.pay({ out_trade_no: '订单 7' })
  await world.eth.add([{ to: paid.address, amount: 10_000_000n }])
  const [deposit] = await rowsOf(deps.owner, 'select txid from deposits')
  assert.deepEqual(await find('A-1'), ['A-1', 'A-100%', 'A-10'], 'an exact number first, then the newest')
  assert.deepEqual(await find('a-10'), ['A-100%', 'A-10'])
  assert.deepEqual(await find('A-100%'), ['A-100%'])
  assert.deepEqual([await find('%'), await find('_'), await find('A-1_')], [[], [], []])
  assert.deepEqual(await find('订'), ['订单 7'])
  assert.deepEqual(await find(paid.trade_no), ['订单 7'])
  assert.ok((await find(paid.trade_no.slice(0, 8))).includes('订单 7'))
  assert.deepEqual(await find(paid.trade_no.slice(0, 31)), ['订单 7'])
  for (const text of [paid.address, paid.address.toUpperCase().replace('0X', '0x'), paid.address.slice(0, 14)])
    assert.deepEqual(await find(text), ['订单 7'], text)
  for (const text of [deposit.txid, deposit.txid.slice(0, 20)]) assert.deepEqual(await find(text), ['订单 7'], text)
  assert.deepEqual(await find('0x1'), [], 'too few digits for a hash')
  await world.pay({ out_trade_no: 'priced', currency: 'EUR', amount: '94.9' })
  for (const text of ['94.90', '94,90 EUR']) assert.deepEqual(await find(text), ['priced'], text)
  const stranger = await testMerchant(deps)
  for (const text of ['A-1', paid.trade_no, paid.address, deposit.txid])
    assert.deepEqual(await find(text, stranger.id), [], text)
})

test('reads a bounded number of rows by an index, whatever it is asked', async () => {
  const c = await deps.owner.connect()
  try {
    await c.query('begin')
    await c.query('set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan')
    const plan = async (sql: string, values: string) => {
      await c.query(`prepare bounded as ${sql}`)
      const { rows } = await c.query(`explain execute bounded (${values})`)
      await c.query('deallocate bounded')
      return rows.map(row => row['QUERY PLAN']).join('\n')
    }
    const text = await plan(
      `select trade_no from payment_terms where merchant_id = $1 and term >= $2 and term < $3`,
      `'m', 'w:a', 'w:b'`,
    )
    assert.match(text, /Index Cond: .*term >= .*term </)
    const address = await plan(
      `select trade_no from address_leases where chain_kind = any($1) and address between $2 and $3`,
      `array['evm'], '0x1', '0x2'`,
    )
    assert.match(address, /Index Cond: .*address >= /)
    await c.query('rollback')
  } finally {
    c.release()
  }
})
