// second-server: rights of roles, and what concurrent calls of a function wait for
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { availableAccount, groupPostings, houseAccount, makePosting, reverseGroup } from '@coffer/core'
import { suiteScope } from '@coffer/local/testing/scope.ts'
import { until } from '@coffer/local/testing/until.ts'
import type pg from 'pg'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { testDatabase } from '../../testing/deps.ts'
import { type LedgerEntry, postEntries, readBalances, readPostingGroup } from './store.ts'

const scope = suiteScope()

let pool: pg.Pool
let owner: pg.Pool
let count = 0

before(async () => {
  const database = await testDatabase(scope)
  pool = database.pool
  owner = database.owner
  await owner.query(`
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals)
      values ('eth:USDT', 'eth', 'USDT', '0x1', 6), ('eth:USDC', 'eth', 'USDC', '0x2', 6)`)
})

/** Creates a merchant. */
async function merchant(): Promise<string> {
  const id = `merchant-${++count}`
  await owner.query('insert into merchants (id, mchid, created_at) values ($1, $1, 0)', [id])
  return id
}

const deposit = (id: string, amount: bigint, source = `deposit:${++count}`): LedgerEntry => ({
  group: groupPostings(source, [
    makePosting('payment', houseAccount('chain', 'eth:USDT'), availableAccount(id, 'eth:USDT'), amount),
  ]),
  memo: { txid: '0xabc' },
})
const spend = (id: string, amount: bigint, source = `spend:${++count}`): LedgerEntry => ({
  group: groupPostings(source, [
    makePosting('withdrawal', availableAccount(id, 'eth:USDT'), houseAccount('chain', 'eth:USDT'), amount),
  ]),
})
const usdt = async (id: string) => (await readBalances(pool, id)).find(each => each.asset_id === 'eth:USDT')!
const balance = async (id: string) => BigInt((await usdt(id)).available)
const code = (code: string) => (error: { code?: string }) => error.code === code

test('each posting stores the balances after it, also in a batch', async () => {
  const id = await merchant()
  const mine = availableAccount(id, 'eth:USDT')
  const fees = houseAccount('fees', 'eth:USDT')
  await postEntries(pool, [deposit(id, 1000n)], 1)
  const entry: LedgerEntry = {
    group: groupPostings(`many:${id}`, [
      makePosting('payment', houseAccount('chain', 'eth:USDT'), mine, 500n),
      makePosting('fee', mine, fees, 20n),
      makePosting('adjustment', mine, { ...mine, part: 'held' } as never, 80n),
    ]),
  }
  await postEntries(pool, [entry, spend(id, 100n), deposit(id, 1n)], 2)
  const { rows } = await owner.query(
    'select kind, debit_after, credit_after from ledger_postings where merchant_id = $1 order by created_at, id',
    [id],
  )
  assert.deepEqual(
    rows.map(row => [row.kind, row.debit_after, row.credit_after]),
    [
      ['payment', null, '1000'],
      ['payment', null, '1500'],
      ['fee', '1480', null],
      ['adjustment', '1400', '80'],
      ['withdrawal', '1300', null],
      ['payment', null, '1301'],
    ],
  )
  const { available: left, held } = await usdt(id)
  assert.deepEqual([left, held], [1301n, 80n])
})

test('a replay returns the first group and changes nothing', async () => {
  const id = await merchant()
  const entry = deposit(id, 1000n)
  const [first] = await postEntries(pool, [entry], 1)
  const [again] = await postEntries(pool, [entry], 2)
  assert.deepEqual([first!.fresh, again!.fresh, again!.group_id], [true, false, first!.group_id])
  assert.equal(await balance(id), 1000n)
})

test('a source posted with other postings is refused', async () => {
  const id = await merchant()
  await postEntries(pool, [deposit(id, 1000n, `same:${id}`)], 1)
  await assert.rejects(postEntries(pool, [deposit(id, 1001n, `same:${id}`)], 1), code('CF001'))
  await assert.rejects(postEntries(pool, [spend(id, 1000n, `same:${id}`)], 1), code('CF001'))
  assert.equal(await balance(id), 1000n)
})

test('a source posted concurrently counts once', async () => {
  const id = await merchant()
  const entry = deposit(id, 1000n)
  const posted = await Promise.all(Array.from({ length: 8 }, () => postEntries(pool, [entry], 1)))
  assert.equal(posted.filter(([each]) => each!.fresh).length, 1)
  assert.equal(await balance(id), 1000n)
})

test('concurrent postings never make a balance negative', async () => {
  const id = await merchant()
  await postEntries(pool, [deposit(id, 1000n)], 1)
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => postEntries(pool, [spend(id, 300n)], 2)))
  const refused = results.filter(each => each.status === 'rejected').map(each => each.reason)
  assert.equal(refused.length, 7)
  assert.ok(refused.every(each => each instanceof Refusal && each.reason === 'insufficient_balance'))
  assert.equal(await balance(id), 100n)
})

test('nor do the postings of one batch in between', async () => {
  const id = await merchant()
  await assert.rejects(postEntries(pool, [spend(id, 5n), deposit(id, 10n)], 1), { reason: 'insufficient_balance' })
  assert.equal(await balance(id), 0n)
})

test('a rolled back posting leaves no trace', async () => {
  const id = await merchant()
  const entry = deposit(id, 1000n)
  const crash = tx(pool, async c => {
    await postEntries(c, [entry], 1)
    throw new Error('crash')
  })
  await assert.rejects(crash, /crash/)
  assert.equal(await balance(id), 0n)
  const [posted] = await postEntries(pool, [entry], 2)
  assert.equal(posted!.fresh, true)
})

test('a group is reversed once, with mirrored postings', async () => {
  const id = await merchant()
  const entry = deposit(id, 1000n)
  await postEntries(pool, [entry], 1)
  const back = reverseGroup((await readPostingGroup(pool, entry.group.source))!)
  assert.deepEqual(back, reverseGroup(entry.group))
  const crooked = { ...back, source: `crooked:${id}`, postings: spend(id, 900n).group.postings }
  await assert.rejects(postEntries(pool, [{ group: crooked }], 2), code('CF002'))
  await postEntries(pool, [{ group: back }], 2)
  assert.equal(await balance(id), 0n)
  const [again] = await postEntries(pool, [{ group: back }], 3)
  assert.equal(again!.fresh, false)
  await postEntries(pool, [deposit(id, 1000n)], 3)
  await assert.rejects(postEntries(pool, [{ group: { ...back, source: `second:${id}` } }], 4), code('23505'))
  await assert.rejects(
    postEntries(pool, [{ group: { ...back, source: `none:${id}`, reverses: 'deposit:none' } }], 4),
    code('CF001'),
  )
  assert.equal(await balance(id), 1000n)
})

test('a spent credit cannot be reversed', async () => {
  const id = await merchant()
  const entry = deposit(id, 1000n)
  await postEntries(pool, [entry, spend(id, 1n)], 1)
  await assert.rejects(postEntries(pool, [{ group: reverseGroup(entry.group) }], 2), { reason: 'insufficient_balance' })
})

const attacks: [what: string, sql: string][] = [
  ['change a balance', `update ledger_accounts set balance = 5 where merchant_id = $1`],
  [
    'create an account with a balance',
    `insert into ledger_accounts values ($1 || '/held/eth:USDC', $1, 'held', 'eth:USDC', 9)`,
  ],
  ['delete an account', 'delete from ledger_accounts where merchant_id = $1'],
  ['change a posting', 'update ledger_postings set amount = 1 where merchant_id = $1'],
  ['delete a posting', 'delete from ledger_postings where merchant_id = $1'],
  ['insert a posting by hand', 'insert into ledger_postings select * from ledger_postings where merchant_id = $1'],
  ['rename a group', `update ledger_groups set source = $1`],
  ['delete a group', `delete from ledger_groups where id <> $1`],
  ['insert a group by hand', `insert into ledger_groups values ($1, $1, 'x', null, '{}', 0)`],
  ['empty the ledger', `truncate ledger_postings, ledger_groups -- $1`],
  ['drop a constraint', 'alter table ledger_accounts drop constraint ledger_accounts_not_negative -- $1'],
  ['replace the function', 'drop function ledger_post (jsonb, jsonb) -- $1'],
]
for (const [what, sql] of attacks) {
  test(`the role of the server cannot ${what}`, async () => {
    const id = await merchant()
    await postEntries(pool, [deposit(id, 1000n)], 1)
    const values = sql.includes('-- $1') ? [] : [id]
    await assert.rejects(pool.query(sql.replace('-- $1', ''), values), code('42501'))
    assert.equal(await balance(id), 1000n)
  })
}

const asOwner: [what: string, sql: string, refused: string][] = [
  ['a negative balance', `update ledger_accounts set balance = -1 where merchant_id = $1`, '23514'],
  ['a null balance', `update ledger_accounts set balance = null where merchant_id = $1`, '23514'],
  [
    'a balance of a house account',
    `update ledger_accounts set balance = 1 where merchant_id is null and $1 <> ''`,
    '23514',
  ],
  ['a fraction', `update ledger_accounts set balance = 1.5 where merchant_id = $1`, '23514'],
  ['NaN', `update ledger_accounts set balance = 'NaN' where merchant_id = $1`, '23514'],
  ['infinity', `update ledger_accounts set balance = 'Infinity' where merchant_id = $1`, '23514'],
  ['more than 78 digits', `update ledger_accounts set balance = 1e78 where merchant_id = $1`, '23514'],
  ['an account under another name', `insert into ledger_accounts values ('x', $1, 'held', 'eth:USDC', 0)`, '23514'],
  [
    'an account of an unknown part',
    `insert into ledger_accounts values ($1 || '/fees/eth:USDC', $1, 'fees', 'eth:USDC', 0)`,
    '23514',
  ],
  [
    'a posting between two assets',
    `insert into ledger_postings select merchant_id, id || 'x', group_id, 99, kind, 'eth:USDC', debit_account,
       credit_account, amount, null, 1, 1 from ledger_postings where merchant_id = $1`,
    '23514',
  ],
  [
    'a posting into the same part of another asset',
    `insert into ledger_postings select merchant_id, id || 'x', group_id, 99, kind, asset_id, debit_account,
       merchant_id || '/available/eth:USDC', amount, null, 1, 1 from ledger_postings where merchant_id = $1`,
    '23514',
  ],
  [
    'a posting of zero',
    `insert into ledger_postings select merchant_id, id || 'x', group_id, 99, kind, asset_id, debit_account,
       credit_account, 0, null, 1, 1 from ledger_postings where merchant_id = $1`,
    '23514',
  ],
  [
    'a posting to itself',
    `insert into ledger_postings select merchant_id, id || 'x', group_id, 99, kind, asset_id, credit_account,
       credit_account, 1, null, 1, 1 from ledger_postings where merchant_id = $1`,
    '23514',
  ],
  [
    'a posting of another merchant',
    `insert into ledger_postings select 'other', id || 'x', group_id, 99, kind, asset_id, debit_account,
       credit_account, 1, null, 1, 1 from ledger_postings where merchant_id = $1`,
    '23514',
  ],
]
for (const [what, sql, refused] of asOwner) {
  test(`even the owner of the database cannot write ${what}`, async () => {
    const id = await merchant()
    await postEntries(pool, [deposit(id, 1000n)], 1)
    await assert.rejects(owner.query(sql, [id]), code(refused))
  })
}

const bodies: [what: string, change: Record<string, unknown>, refused: string][] = [
  ['a fraction', { amount: '1.5' }, '23514'],
  ['NaN', { amount: 'NaN' }, '23514'],
  ['infinity', { amount: 'Infinity' }, '23514'],
  ['zero', { amount: '0' }, '23514'],
  ['a negative amount', { amount: '-5' }, '23514'],
  ['an unknown asset', { asset_id: 'eth:NONE' }, '23503'],
  ['an unknown merchant', { credit_merchant: 'nobody' }, '23503'],
  ['an unknown account', { debit_part: 'vault' }, '23514'],
  ['an account to itself', { debit_merchant: 'self', debit_part: 'available' }, '23514'],
]
for (const [what, change, refused] of bodies) {
  test(`ledger_post refuses ${what}`, async () => {
    const id = await merchant()
    const own = { ...change, ...(change.debit_merchant ? { debit_merchant: id } : {}) }
    const groups = [{ id: `g-${id}`, source: `raw:${id}`, created_at: 1 }]
    const postings = [
      {
        id: `p-${id}`,
        group_id: `g-${id}`,
        place: 0,
        kind: 'payment',
        asset_id: 'eth:USDT',
        debit_part: 'chain',
        credit_merchant: id,
        credit_part: 'available',
        amount: '5',
        ...own,
      },
    ]
    const call = pool.query('select * from ledger_post($1, $2)', [JSON.stringify(groups), JSON.stringify(postings)])
    await assert.rejects(call, code(refused))
    assert.equal(await balance(id), 0n)
  })
}

test('ledger_post refuses an empty group and postings between merchants', async () => {
  const a = await merchant()
  const b = await merchant()
  await postEntries(pool, [deposit(a, 10n)], 1)
  const call = (postings: unknown[]) =>
    pool.query('select * from ledger_post($1, $2)', [
      JSON.stringify([{ id: `g-${a}`, source: `raw:${a}`, created_at: 1 }]),
      JSON.stringify(postings),
    ])
  await assert.rejects(call([]), code('23502'))
  const direct = {
    id: 'p',
    group_id: `g-${a}`,
    place: 0,
    kind: 'transfer',
    asset_id: 'eth:USDT',
    debit_merchant: a,
    debit_part: 'available',
    credit_merchant: b,
    credit_part: 'available',
    amount: '5',
  }
  await assert.rejects(call([direct]), code('23514'))
  assert.deepEqual([await balance(a), await balance(b)], [10n, 0n])
})

test('after all tests every balance equals the sum of its postings', async () => {
  const { rows } = await owner.query(`
    select a.id from ledger_accounts a left join lateral (
      select coalesce(sum(case when p.credit_account = a.id then p.amount else -p.amount end), 0) as sum
      from ledger_postings p where a.id in (p.debit_account, p.credit_account)
    ) s on true where a.merchant_id is not null and a.balance <> s.sum`)
  assert.deepEqual(rows, [])
})

test('a thousand groups are posted in one call', async () => {
  const merchants = await Promise.all(Array.from({ length: 10 }, merchant))
  const entries = Array.from({ length: 1000 }, (_, index) => deposit(merchants[index % 10]!, BigInt(index + 1)))
  const posted = await postEntries(pool, entries, 1)
  assert.deepEqual(
    posted.map(each => each.source),
    entries.map(each => each.group.source),
  )
  const sums = await Promise.all(merchants.map(balance))
  assert.equal(
    sums.reduce((a, b) => a + b),
    500_500n,
  )
})

test('entries of one second are in the order of their balances, also of calls that waited for each other', async () => {
  const id = await merchant()
  const waiting = await tx(pool, async c => {
    await postEntries(c, [deposit(id, 1n, `first:${id}`)], 1)
    const third = postEntries(pool, [deposit(id, 1n, `third:${id}`)], 1)
    await until('the other call waits for the account', async () => {
      const { rows } = await owner.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    })
    await postEntries(c, [deposit(id, 1n, `second:${id}`)], 1)
    return { third }
  })
  await waiting.third
  const { rows } = await owner.query(
    `select split_part(g.source, ':', 1) as source, p.credit_after::text from ledger_postings p join ledger_groups g on g.id = p.group_id
     where p.merchant_id = $1 order by p.created_at, p.id`,
    [id],
  )
  assert.deepEqual(
    rows.map(({ source, credit_after }) => `${source} ${credit_after}`),
    ['first 1', 'second 2', 'third 3'],
  )
})
