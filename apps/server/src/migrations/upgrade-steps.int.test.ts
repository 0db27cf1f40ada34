import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFixedAddresses, takeFreeAddress } from '../domains/addresses/store.ts'
import { checkAudit } from '../domains/audit/check-audit.ts'
import { listCallbacks } from '../domains/callbacks/store.ts'
import { listFundFlow } from '../domains/fund-flow/store.ts'
import { pagePayments } from '../domains/payments/records/payment-list.ts'
import { listRecharges } from '../domains/recharges/store.ts'
import { foldStatistics } from '../domains/statistics/fold-statistics.ts'
import { foldLists } from '../kit/counted-list.ts'
import { wholeShop } from '../kit/visible-to.ts'
import { assertFiguresAgree } from '../testing/invariants.ts'
import { withReleasedDatabase } from '../testing/released-database.ts'
import { migrate } from './migrate.ts'

test('addresses leased before native coin and tokens were separated are not leased again', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into deposit_addresses (chain_kind, address, key_index, merchant_id, purpose, free_at, created_at)
    values ('evm', '0xa', 0, 'm', 'lease', 1, 0), ('evm', '0xb', 1, 'm', 'fixed', null, 0)`)
  await migrate(url)
  const take = (leasedFor: 'native' | 'token') => takeFreeAddress(pool, 'm', 'evm', 2, leasedFor)
  assert.deepEqual([await take('native'), await take('token')], [undefined, undefined])
  await pool.query("update deposit_addresses set leased_for = 'token' where address = '0xa'")
  assert.deepEqual([await take('native'), (await take('token'))?.address], [undefined, '0xa'])
})

test('keeps the verification codes of an earlier version, each with a challenge of its own', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`insert into verification_codes (channel, target, purpose, code_hash, created_at, expires_at)
    values ('email', 'a', 1, '1', 5, 605), ('email', 'a', 2, '2', 6, 606)`)
  await migrate(url)
  const { rows } = await pool.query('select purpose, asker, challenge_hash from verification_codes order by purpose')
  assert.deepEqual(Object.fromEntries(rows.map(({ purpose, asker }) => [purpose, asker])), { 1: '', 2: '' })
  assert.notDeepEqual(rows[0].challenge_hash, rows[1].challenge_hash)
})

test('a group of postings of an older database is still reversed at most once, and other groups reverse nothing', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  const add = (id: string, reverses: string | null) =>
    pool.query(
      `insert into ledger_groups (id, source, body_hash, reverses, memo, created_at) values ($1, $1, '', $2, '{}', 0)`,
      [id, reverses],
    )
  await add('credit', null)
  await add('other', null)
  await add('reversal', 'credit')
  await migrate(url)
  await add('third', null)
  await assert.rejects(add('again', 'credit'), { code: '23505', constraint: 'ledger_groups_reverses_key' })
  await assert.rejects(add('of nothing', 'none'), { code: '23503' })
})

test('fixed addresses of an older database stay, are counted, and remain one for each chain', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}'), ('bsc', 'evm', '{}');
    insert into deposit_addresses (chain_kind, address, key_index, merchant_id, purpose, created_at)
      values ('evm', '0x1', 0, 'm', 'fixed', 1);
    insert into fixed_addresses (merchant_id, chain_id, id, address, created_at)
      values ('m', 'eth', 'a', '0x1', 1), ('m', 'bsc', 'b', '0x1', 2)`)
  await migrate(url)
  const { total, rows } = await listFixedAddresses(pool, 'm', {}, { limit: 10, offset: 0 })
  assert.deepEqual(
    [total, rows.map(row => [row.id, row.reference, row.appid])],
    [
      2,
      [
        ['b', '', ''],
        ['a', '', ''],
      ],
    ],
  )
  const again = `insert into fixed_addresses (merchant_id, chain_id, id, address, created_at) values ('m', 'eth', 'c', '0x1', 3)`
  await assert.rejects(pool.query(again), { code: '23505' })
})

test('recharges of an older database are found by token and by state', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals)
      values ('eth:USDT', 'eth', 'USDT', '0x1', 6), ('eth:ETH', 'eth', 'ETH', null, 18);
    insert into deposits (merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
      from_address, to_address, amount, kind, state, seen_at)
    values ('m', 'a', 'eth', 'a', 'eth:USDT', 0, 1, '1', 1, 0, 'x', 'y', 1, 'recharge', 'credited', 1),
      ('m', 'b', 'eth', 'b', 'eth:ETH', 0, 1, '1', 1, 0, 'x', 'y', 1, 'recharge', 'seen', 2),
      ('m', 'c', 'eth', 'c', 'eth:ETH', 0, 1, '1', 1, 0, 'x', 'y', 1, 'payment', 'seen', 3)`)
  await migrate(url)
  const filters = [{}, { token_id: 'eth:ETH' }, { state: 'seen' }, { token_id: 'eth:ETH', state: 'credited' }]
  const pages = filters.map(filter => listRecharges(pool, 'm', filter, { offset: 0, limit: 10 }))
  assert.deepEqual(
    (await Promise.all(pages)).map(each => [each.total, each.rows.map(row => row.id)]),
    [
      [2, ['b', 'a']],
      [1, ['b']],
      [1, ['b']],
      [0, []],
    ],
  )
})

test('nobody has the lease of a chain after the upgrade', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`insert into chains (id, kind, definition) values ('eth', 'evm', '{}')`)
  await migrate(url)
  const { rows } = await pool.query('select fence, leased_until, leased_by from chains')
  assert.deepEqual(rows, [{ fence: 0, leased_until: 0, leased_by: null }])
})

test('the fund flow of an older database has every posting of a merchant, also those of held balances', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  const post = (place: number, debit: string, credit: string) =>
    pool.query('select from ledger_post($1, $2)', [
      JSON.stringify([{ id: `g${place}`, source: `s:${place}`, memo: {}, created_at: 1_000 + place }]),
      JSON.stringify([
        {
          id: `p${place}`,
          group_id: `g${place}`,
          place: 0,
          kind: 'withdrawal',
          asset_id: 'eth:USDT',
          amount: 10,
          debit_merchant: debit === 'chain' ? null : 'm',
          debit_part: debit,
          credit_merchant: ['chain', 'fees'].includes(credit) ? null : 'm',
          credit_part: credit,
        },
      ]),
    ])
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals) values ('eth:USDT', 'eth', 'USDT', '0x1', 6)`)
  await post(1, 'chain', 'available')
  await post(2, 'available', 'held')
  await post(3, 'held', 'chain')
  await migrate(url)
  await post(4, 'chain', 'available')
  await post(5, 'available', 'fees')
  const check = async () => {
    for (const [filter, expected] of [
      [{}, [5, 4, 3, 2, 1]],
      [{ account: 'held' }, [3, 2]],
      [{ direction: 'in' }, [4, 1]],
    ] as const) {
      const { rows, total } = await listFundFlow(pool, 'm', filter, { offset: 0, limit: 10 })
      assert.deepEqual([rows.map(row => row.source), total], [expected.map(place => `s:${place}`), expected.length])
    }
  }
  await check()
  while (await foldLists({ pool }));
  await check()
})

test('lists keep their pages and totals when their counts get minutes, folded or not', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into applications (merchant_id, appid, name, status, key_hash, key_masked, webhook_secret, created_at)
      values ('m', 'app', 'Shop', 1, '', '', '', 0);
    insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, tolerance_permille,
      mixed_payment, created_at, expire_at)
      select 'm', 't' || lpad(n::text, 4, '0'), 'app', n, '', 1 + n % 2, 0, 0, true, 720000 + n * 10, 0 from generate_series(0, 999) n;
    insert into callbacks (merchant_id, id, appid, event, seq, url, body, status, created_at)
      select 'm', 'c' || lpad(n::text, 4, '0'), 'app', 'x', 0, '', '', 2, 720000 + n * 10 from generate_series(0, 999) n;
    -- Half folded, by hours; the rest in the inbox, of which each row has many payments of an hour.
    insert into payment_counts select 'm', span, 720000 - 720000 % span, 'app', 180, 180, 0, 0, 0, 0, 0, 0
      from unnest(array[3600, 86400, 2592000]) span;
    insert into statistics_changes (merchant_id, at, appid, payment_created_at, status_to, moved, created_num)
      select 'm', 723600, 'app', min(created_at), status, count(*), 1 from payments where created_at >= 723600
      group by status, created_at / 3600`)
  await migrate(url)
  const check = async () => {
    await assertFiguresAgree(pool as never)
    for (const offset of [0, 370, 980]) {
      const page = { offset, limit: 20 }
      const expected = Array.from({ length: 20 }, (_, n) => String(999 - offset - n).padStart(4, '0'))
      const payments = await pagePayments(pool, wholeShop('m'), {}, page)
      assert.deepEqual([payments.total, payments.rows.map(row => row.trade_no.slice(1))], [1_000, expected])
      const callbacks = await listCallbacks(pool, 'm', {}, page)
      assert.deepEqual([callbacks.total, callbacks.rows.map(row => row.id.slice(1))], [1_000, expected])
    }
  }
  await check()
  while (await foldStatistics({ pool } as never));
  while (await foldLists({ pool }));
  await check()
  await pool.query(`update callbacks set status = 4 where id = 'c0500'`)
  assert.equal((await listCallbacks(pool, 'm', { status: 4 }, { offset: 0, limit: 5 })).total, 1)
  const { rows } = await pool.query('select distinct slot::int from list_changes')
  assert.deepEqual(rows, [{ slot: 720_000 + 5_000 - (5_000 % 60) }])
})

test('applications of an older database receive no events that they do not know', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into applications (merchant_id, appid, name, status, key_hash, key_masked, webhook_secret, created_at)
    values ('m', 'a', 'a', 1, 'a', 'a', '', 0)`)
  await migrate(url)
  const { rows } = await pool.query('select callbacks_muted as muted, payouts_allowed from applications')
  assert.deepEqual(
    rows.map(each => [each.muted.length, each.muted[0], each.payouts_allowed]),
    [[14, 'withdrawal.created', false]],
  )
  await assert.rejects(pool.query('update applications set payouts_allowed = true'), /applications_payouts_from/)
})

test('keeps deposits whose position in the receipt is not known', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  const deposit = (id: string, asset: string, ordinal: number) =>
    `('m', '${id}', 'eth', '0xaa', '${asset}', ${ordinal}, 1, '0xb', 1, 0, '', '', 5, 'recharge', 'credited', 1)`
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals)
      values ('eth:USDT', 'eth', 'USDT', '0x1', 6), ('eth:ETH', 'eth', 'ETH', null, 18);
    insert into deposits (merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
      from_address, to_address, amount, kind, state, seen_at)
    values ${[deposit('a', 'eth:USDT', 0), deposit('b', 'eth:USDT', 2), deposit('c', 'eth:ETH', 3)].join()}`)
  await migrate(url)
  const { rows } = await pool.query('select id, ordinal, replaced from deposits order by id')
  assert.deepEqual(
    rows.map(each => [each.id, each.ordinal, each.replaced]),
    [
      ['a', -1, false],
      ['b', -3, false],
      ['c', 3, false],
    ],
  )
})

test('an older database gets one pair of keys, and devices of its merchants', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0)`)
  await migrate(url)
  const keys = (name: string) => pool.query('insert into push_keys values ($1, $2, 0)', [name, 'sealed'])
  await keys('first')
  await assert.rejects(keys('second'), { code: '23505' })
  await assert.rejects(pool.query('set role coffer_app; delete from push_keys'), { code: '42501' })
  const device = (id: string, merchant: string) =>
    pool.query(
      `insert into push_devices (id, person_id, merchant_id, session_id, endpoint, p256dh, auth, language, device, created_at, seen_at)
       values ($1, $2, $2, 's', 'https://push.example', 'p', 'a', 'en', 'Phone', 0, 0)`,
      [id, merchant],
    )
  await device('d', 'm')
  await assert.rejects(device('e', 'nobody'), { code: '23503' })
})

test('payments made before are found by number and words, and keep their data', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`insert into merchants (id, mchid, email, created_at) values ('m', '1', 'm@example.com', 0)`)
  await pool.query(
    `insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, tolerance_permille,
       mixed_payment, subject, attach, created_at, expire_at)
     values ('m', '1', 'a', 'A-1', '', 1, 1, 0, true, 'Red, red pen', 'x=1', 5, 6), ('m', '2', 'a', 'B-2', '', 1, 1, 0, true, '', '', 7, 8)`,
  )
  await migrate(url)
  const { rows } = await pool.query('select trade_no, term, created_at::int from payment_terms order by trade_no, term')
  assert.deepEqual(
    rows.map(row => [row.trade_no, row.term, row.created_at]),
    [
      ['1', 'p:0.000001', 5],
      ['1', 'w:1', 5],
      ['1', 'w:a-1', 5],
      ['1', 'w:pen', 5],
      ['1', 'w:red', 5],
      ['1', 'w:x', 5],
      ['2', 'p:0.000001', 7],
      ['2', 'w:b-2', 7],
    ],
  )
  const marked = await pool.query(
    `update payments set exception = 'marked_paid' where trade_no = '1' returning metadata, cancel_url, auto_redirect`,
  )
  assert.deepEqual(marked.rows, [{ metadata: {}, cancel_url: '', auto_redirect: false }])
  await assert.rejects(pool.query(`update payments set exception = 'marked_other'`), { code: '23514' })
})

test('moves the identity of a third-party sign-in to its own table', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`insert into merchants (id, mchid, email, google_sub, created_at)
    values ('a', 'a', 'a', 'sub-a', 5), ('b', 'b', 'b', null, 6)`)
  await migrate(url)
  const { rows } = await pool.query('select provider, subject, person_id, created_at::int from identities')
  assert.deepEqual(rows, [{ provider: 'google', subject: 'sub-a', person_id: 'a', created_at: 5 }])
})

test('recomputes the value of credited USDT exactly, so that sums agree with balances', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  const amount = 12345678901234567890n
  const fee = (amount * 4n) / 1000n
  const volume = 12_345_678n
  const rounded = 12_345_678n - (12_345_678n * fee) / amount
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into chains (id, kind, definition) values ('bsc', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals) values
      ('bsc:USDT', 'bsc', 'USDT', '0x1', 18), ('bsc:BNB', 'bsc', 'BNB', null, 18);
    insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, token_rates,
      tolerance_permille, mixed_payment, created_at, expire_at, events)
      values ('m', 't', 'app', 'o', 'x', 2, 10000000, '{}', 0, true, 0, 1, 1);
    insert into deposits (merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
      from_address, to_address, amount, usdt_amount, fee, trade_no, kind, state, seen_at, credited_at) values
      ('m', 'a', 'bsc', '1', 'bsc:USDT', 0, 1, 'x', 1, 0, 'x', 'x', ${amount}, ${volume}, ${fee}, 't', 'payment', 'credited', 1, 1000),
      ('m', 'b', 'bsc', '2', 'bsc:BNB', 0, 1, 'x', 1, 0, 'x', 'x', 5, 7000000, 0, 't', 'payment', 'credited', 1, 1000);
    insert into statistics (merchant_id, span, slot, appid, asset_id, created_num, paid_num, volume_usdt, income_usdt,
      refund_usdt, withdrawn_usdt, volume) select 'm', span, 0, 'app', 'bsc:USDT', 0, 1, ${volume}, ${rounded}, 0, 0, ${amount}
      from unnest(array['quarter', 'day', 'all']) span`)
  await migrate(url)
  const { rows } = await pool.query(`select sum(volume_usdt) as volume, sum(income_usdt) as income from (
    select volume_usdt, income_usdt from statistics where span = 'all'
    union all select volume_usdt, income_usdt from statistics_changes) s`)
  assert.deepEqual(rows, [{ volume: String(amount), income: String(amount - fee) }])
  const deposits = await pool.query('select usdt_amount from deposits order by id')
  assert.deepEqual(deposits.rows, [{ usdt_amount: String(amount) }, { usdt_amount: `7${'0'.repeat(18)}` }])
})

test('chains the entries of the account log', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('a', 'a', 'a', 5), ('b', 'b', 'b', 6);
    insert into account_log (merchant_id, id, type, ip, device, address, created_at) values
      ('a', '2', 'login', '203.0.113.7', 'Firefox, 手机', 'unknown', 8), ('a', '1', 'registered', '', '', '', 7),
      ('b', '3', 'logout', '', '', '', 9)`)
  await migrate(url)
  const { rows } = await pool.query(
    'select merchant_id, seq::int, type, device, created_at::int from audit_log order by 1, 2',
  )
  assert.deepEqual(rows.map(Object.values), [
    ['a', 1, 'registered', '', 7],
    ['a', 2, 'login', 'Firefox, 手机', 8],
    ['b', 1, 'logout', '', 9],
  ])
  assert.deepEqual(await checkAudit({ pool }), { entries: 3, faults: [] })
})

test('counts the rows of lists that exist already, and what is written later', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into callbacks (merchant_id, id, appid, event, seq, url, body, status, created_at)
      select 'm', n, 'app', 'payment.paid', 0, '', '', 1 + n % 2, 86400 * n from generate_series(1, 40) n`)
  await migrate(url)
  const counts = async () =>
    (
      await pool.query(`
        select span, a as status, sum(n)::int as n from list_counts where list = 'callbacks' group by 1, 2
        union all select 0, a, sum(n) from list_changes where list = 'callbacks' group by a having sum(n) <> 0 order by 1, 2`)
    ).rows.map(({ span, status, n }) => `${span} ${status} ${n}`)
  const before = [60, 3600, 86400, 2592000].flatMap(span => [`${span} 1 20`, `${span} 2 20`])
  assert.deepEqual(await counts(), before)
  await pool.query('update callbacks set status = 2 where id in ($1, $2)', ['2', '4'])
  assert.deepEqual(await counts(), ['0 1 -2', '0 2 2', ...before])
})
