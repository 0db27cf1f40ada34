// second-server: in which order the plan of an update locks rows
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { availableAccount, groupPostings, houseAccount, makePosting } from '@coffer/core'
import type pg from 'pg'
import { locksFirst } from '../../testing/lock-order.ts'
import { moneyWorld, rowsOf } from '../../testing/money.ts'
import { postEntries } from './store.ts'

/**
 * Posts to two accounts while the one with the lower id is locked. Returns whether the other one is locked meanwhile.
 */
async function locksHigherFirst(owner: pg.Pool, merchantId: string): Promise<boolean> {
  const [low, high] = ['eth:USDC', 'eth:USDT'].map(asset => `${merchantId}/available/${asset}`)
  const one = (asset: string) =>
    makePosting('payment', houseAccount('chain', asset), availableAccount(merchantId, asset), 1n)
  const account = (id: string) => `select from ledger_accounts where id = '${id}'`
  const source = crypto.randomUUID()
  return locksFirst(owner, {
    held: account(low!),
    other: account(high!),
    work: c =>
      postEntries(
        c,
        ['eth:USDT', 'eth:USDC'].map(asset => ({ group: groupPostings(`${source}:${asset}`, [one(asset)]) })),
        1,
      ),
  })
}

test('accounts are locked in the order of their ids, whatever is posted first', async t => {
  const { owner, merchant } = await moneyWorld(t)
  for (const asset of ['eth:USDT', 'eth:USDC'])
    await postEntries(
      owner,
      [
        {
          group: groupPostings(asset, [
            makePosting('payment', houseAccount('chain', asset), availableAccount(merchant.id, asset), 5n),
          ]),
        },
      ],
      1,
    )
  assert.equal(await locksHigherFirst(owner, merchant.id), false)

  // Without the order two transactions would wait for each other, and this test notices.
  const definition = `select pg_get_functiondef('ledger_post(jsonb, jsonb)'::regprocedure) as text`
  const [{ text }] = await rowsOf(owner, definition)
  const ordered = ' order by a.id for no key update'
  assert(text.includes(ordered))
  await owner.query(text.replace(ordered, ' for no key update'))
  assert.equal(await locksHigherFirst(owner, merchant.id), true)
})
