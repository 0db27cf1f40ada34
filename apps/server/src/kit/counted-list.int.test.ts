import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { callbackEvents, callbackStatus } from '@coffer/contract'
import fc from 'fast-check'
import { countAddressBookEntries, listEntries } from '../domains/address-book/store.ts'
import { listCallbacks } from '../domains/callbacks/store.ts'
import { findMerchants } from '../domains/merchants/store.ts'
import { listAnyWorkOrders, listWorkOrders } from '../domains/work-orders/store.ts'
import { testStart, withDeps } from '../testing/deps.ts'
import { testApplication, testMerchant } from '../testing/merchants.ts'
import { foldLists } from './counted-list.ts'
import type { Page } from './list.ts'

const deps = await withDeps({ after })
const { owner, pool } = deps
const statuses = Object.values(callbackStatus)
const events = callbackEvents.slice(0, 3)

interface Row {
  id: string
  status: number
  appid: string
  event: string
  created_at: number
}

/** Times within two minutes, two hours, two days or three months, so that slots of every size have neighbours. */
const moment = fc
  .tuple(fc.constantFrom(120, 7_200, 172_800, 7_776_000), fc.nat(1_000_000))
  .map(([span, part]) => testStart - Math.floor((span * part) / 1_000_000))
const oneOf = fc.nat(1_000)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('add' as const), at: moment, which: oneOf, n: fc.nat(8) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('change' as const), which: oneOf }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('delete' as const), which: oneOf }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('fold' as const) }) },
)
const filters = fc.record({
  app: fc.option(fc.nat(1), { nil: undefined }),
  status: fc.option(fc.constantFrom(...statuses), { nil: undefined }),
  event: fc.option(fc.constantFrom(...events), { nil: undefined }),
  start_time: fc.option(moment, { nil: undefined }),
  end_time: fc.option(moment, { nil: undefined }),
  limit: fc.constantFrom(1, 3, 10, 100),
})

test('concatenated pages equal the full list and the total equals its length after any sequence of changes', async () => {
  let made = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.array(filters, { minLength: 3, maxLength: 6 }),
      async (steps, requested) => {
        const { id } = await testMerchant(deps)
        const apps = [(await testApplication(deps, id)).appid, (await testApplication(deps, id)).appid]
        let rows: Row[] = []
        for (const each of steps) {
          if (each.type === 'fold') while (await foldLists(deps));
          else if (each.type === 'add') {
            const added = Array.from({ length: each.n }, (_, n) => ({
              id: `c${String(++made).padStart(7, '0')}`,
              status: statuses[(each.which + n) % 4]!,
              appid: apps[each.which % 2]!,
              event: events[each.which % 3]!,
              created_at: each.at - (n % 3),
            }))
            rows.push(...added)
            await owner.query(
              `insert into callbacks (merchant_id, id, appid, event, seq, url, body, status, created_at)
               select $1, id, appid, event, 0, '', '', status, created_at from json_to_recordset($2)
                 as r (id text, appid text, event text, status int, created_at bigint)`,
              [id, JSON.stringify(added)],
            )
          } else if (rows.length > 0) {
            const chosen = rows[each.which % rows.length]!
            if (each.type === 'delete') {
              rows = rows.filter(row => row !== chosen)
              await owner.query('delete from callbacks where merchant_id = $1 and id = $2', [id, chosen.id])
            } else {
              chosen.status = (chosen.status % 4) + 1
              await pool.query(
                'update callbacks set status = $3, tries = tries + 1 where merchant_id = $1 and id = $2',
                [id, chosen.id, chosen.status],
              )
            }
          }
        }
        for (const { app, limit, status, event, start_time = 0, end_time = 1e10 } of requested) {
          const appid = app === undefined ? undefined : apps[app]!
          const expected = rows
            .filter(row => (status ?? row.status) === row.status && (appid ?? row.appid) === row.appid)
            .filter(row => (event ?? row.event) === row.event)
            .filter(row => row.created_at >= start_time && row.created_at <= end_time)
            .sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
          const found: string[] = []
          for (let offset = 0; offset <= expected.length; offset += limit) {
            const filter = { status, appid, event, start_time, end_time }
            const page = await listCallbacks(pool, id, filter, { offset, limit })
            assert.equal(page.total, expected.length)
            found.push(...page.rows.map(row => row.id))
          }
          assert.deepEqual(
            found,
            expected.map(row => row.id),
          )
        }
      },
    ),
    { numRuns: 30 },
  )
})

test('pages of work orders, of the address book and of merchants follow their changes', async () => {
  const { id } = await testMerchant(deps)
  await owner.query(
    `insert into chains (id, kind, definition, enabled) select n, 'evm', '{}', true from unnest(array['book', 'other']) n on conflict do nothing`,
  )
  await owner.query(
    `insert into work_orders (merchant_id, number, type, theme, status, created_at, updated_at)
     select $1, $1 || n, case n % 3 when 0 then 'billing' else 'other' end, '', 1 + n % 2, 0, ${testStart} - n * n from generate_series(1, 400) n`,
    [id],
  )
  await owner.query(
    `insert into address_book (merchant_id, id, chain_id, address, label, created_at, updated_at)
     select $1, 'e' || n, case n % 3 when 0 then 'book' else 'other' end, 'a' || n, '', ${testStart} - n * n, 0 from generate_series(1, 400) n`,
    [id],
  )
  await foldLists(deps)
  await owner.query(
    `update work_orders set updated_at = ${testStart} + 9, status = 2 where merchant_id = $1 and number like '%7'`,
    [id],
  )
  await owner.query(`update address_book set deleted_at = 1 where merchant_id = $1 and id like '%7'`, [id])
  const check = async (sql: string, read: (page: Page) => Promise<{ rows: object[]; total: number }>) => {
    const { rows } = await owner.query({ text: sql, values: [id], rowMode: 'array' })
    const all = rows.flat()
    for (const offset of [0, 3, 90, all.length - 4, all.length]) {
      const page = await read({ offset, limit: 10 })
      const found = page.rows.map(row => ('number' in row ? row.number : 'id' in row && row.id))
      assert.deepEqual([found, page.total], [all.slice(offset, offset + 10), all.length], `${sql} ${offset}`)
    }
  }
  const orders = 'select number from work_orders where merchant_id = $1'
  const newest = 'order by updated_at desc, number desc'
  await check(`${orders} ${newest}`, page => listWorkOrders(pool, id, {}, page))
  await check(`${orders} and status = 2 and type = 'billing' ${newest}`, page =>
    listWorkOrders(pool, id, { status: 2, type: 'billing' }, page),
  )
  const entries = 'select id from address_book where merchant_id = $1 and deleted_at is null'
  await check(`${entries} order by created_at desc, id desc`, page => listEntries(pool, id, {}, page))
  await check(`${entries} and chain_id = 'book' order by created_at desc, id desc`, page =>
    listEntries(pool, id, { currency_id: 'book' }, page),
  )
  assert.equal(await countAddressBookEntries(pool, id), 360)

  const any = "select number from work_orders where $1 <> ''"
  const waiting = `order by status <> 1, case when status = 1 then updated_at end, case when status <> 1 then updated_at end desc, number desc`
  await check(`${any} ${waiting}`, page => listAnyWorkOrders(pool, {}, page))
  await check(`${any} and status = 1 ${waiting}`, page => listAnyWorkOrders(pool, { status: 1 }, page))
  await check(`${any} and status = 2 and type = 'billing' ${waiting}`, page =>
    listAnyWorkOrders(pool, { status: 2, type: 'billing' }, page),
  )
  await owner.query(
    `with shop as (
       insert into merchants (id, mchid, status, deleted_at, created_at)
       select 'm' || n, 'm' || n, 1 + n % 2, case when n % 7 = 0 then 1 end, n from generate_series(1, 200) n returning id)
     insert into persons (id, realm, email, created_at) select id, 'shop', id, 0 from shop`,
  )
  await foldLists(deps)
  await owner.query(`update merchants set status = 2 where id like 'm%9'`)
  await owner.query(`update merchants set deleted_at = 1 where id like 'm%3'`)
  const merchants = "select id from merchants where deleted_at is null and $1 <> ''"
  await check(`${merchants} order by created_at desc, id desc`, page => findMerchants(pool, null, {}, page))
  await check(`${merchants} and status = 2 order by created_at desc, id desc`, page =>
    findMerchants(pool, null, { status: 2 }, page),
  )
})
