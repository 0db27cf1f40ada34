import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { suiteScope } from '@coffer/local/testing/scope.ts'
import type pg from 'pg'
import type { OutgoingId, OutgoingItem } from '../../owner.ts'
import { testDatabase } from '../../testing/deps.ts'
import { rowsOf } from '../../testing/money.ts'

let pool: pg.Pool
let owner: pg.Pool
const wallet = '0x00000000000000000000000000000000000000aa'

const scope = suiteScope()

before(async () => {
  const database = await testDatabase(scope)
  pool = database.pool
  owner = database.owner
  await owner.query(`
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}');
    insert into merchants (id, mchid, created_at) values ('m', 'm', 0);
    insert into wallets (chain_id, address, role, next_nonce, created_at) values ('eth', '${wallet}', 'hot', 0, 0)`)
})

const id = (nonce: number): OutgoingId => ({ chain_id: 'eth', from_address: wallet, nonce })

async function insert({ chain_id, from_address, nonce }: OutgoingId, items: OutgoingItem[]): Promise<void> {
  await pool.query(
    `insert into outgoing (chain_id, from_address, nonce, intent, gas, state, created_at, updated_at) values ($1, $2, $3, '{}', 21000, 'assigned', 0, 0)`,
    [chain_id, from_address, nonce],
  )
  for (const [place, item] of items.entries())
    await pool.query(
      `insert into outgoing_items (chain_id, from_address, nonce, place, owner, merchant_id, owner_id, amount)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [chain_id, from_address, nonce, place, item.owner, item.merchant_id, item.id, String(item.amount)],
    )
}

const item = (name: string): OutgoingItem => ({ owner: 'withdrawal', merchant_id: 'm', id: name, amount: 5n })
const refused = (code: string) => (error: { code?: string }) => error.code === code

test('a nonce is taken once, and an item is carried by one transaction that can pay it', async () => {
  await insert(id(0), [item('first')])
  await assert.rejects(insert(id(0), []), refused('23505'))
  await assert.rejects(insert(id(1), [item('first')]), refused('23505'))
  await pool.query('update outgoing_items set live = false where owner_id = $1', ['first'])
  await insert(id(2), [item('first')])
})

const attacks: [what: string, sql: string][] = [
  ['change what a nonce was taken for', `update outgoing set intent = '{"to": "0x1"}'`],
  ['give an intent another nonce', 'update outgoing set nonce = 9'],
  ['free a nonce', 'delete from outgoing'],
  ['change signed bytes', `update outgoing_attempts set raw = '0x'`],
  ['forget signed bytes', 'delete from outgoing_attempts'],
  ['change what is carried', 'update outgoing_items set amount = 9'],
  ['forget what is carried', 'delete from outgoing_items'],
  ['replace a wallet', `update wallets set address = '0x1'`],
  ['empty the tables', 'truncate outgoing_items'],
]
for (const [what, sql] of attacks)
  test(`the role of the server cannot ${what}`, async () => {
    await assert.rejects(pool.query(sql), refused('42501'))
  })

const impossible: [what: string, change: string][] = [
  ['in a block without a block', `state = 'in_block', txid = '0x1'`],
  ['final without an outcome', `state = 'final', txid = '0x1', block_number = 1, block_hash = '0x2'`],
  ['sent with a block', `state = 'sent', txid = '0x1', block_number = 1, block_hash = '0x2'`],
  ['void with an outcome', `state = 'void', outcome = 'success', txid = '0x1', block_number = 1, block_hash = '0x2'`],
]
for (const [what, change] of impossible)
  test(`no transaction is ${what}`, async () => {
    await insert(id(100), []).catch(() => {})
    await assert.rejects(owner.query(`update outgoing set ${change} where nonce = 100`), refused('23514'))
  })

test('a deposit address has the index of its key, and a chain has one hot wallet', async () => {
  const add = (role: string, address: string, index: number | null) =>
    owner.query(
      `insert into wallets (chain_id, address, role, key_index, next_nonce, created_at) values ('eth', $1, $2, $3, 0, 0)`,
      [address, role, index],
    )
  await assert.rejects(add('deposit', '0x1', null), refused('23514'))
  await assert.rejects(add('hot', '0x2', null), refused('23505'))
  await add('deposit', '0x3', 7)
  assert.equal((await rowsOf(pool, `select 1 from wallets where role = 'deposit'`)).length, 1)
})

test('one approval of a token at a time is under way', async () => {
  const approve = (nonce: number, token: string) =>
    pool.query(
      `insert into outgoing (chain_id, from_address, nonce, intent, gas, state, created_at, updated_at)
       values ('eth', $1, $2, $3, 21000, 'assigned', 0, 0)`,
      [wallet, nonce, { kind: 'approve', token, amount: '1' }],
    )
  await approve(50, '0x1')
  await approve(51, '0x2')
  await assert.rejects(approve(52, '0x1'), refused('23505'))
  const block = `txid = '0x1', block_number = 1, block_hash = '0x1'`
  await pool.query(`update outgoing set state = 'final', outcome = 'success', ${block} where nonce = 50`)
  await approve(52, '0x1')
})
