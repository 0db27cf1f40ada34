import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilBlocked } from '@coffer/local/testing/until.ts'
import pg from 'pg'
import { appRoleConnectionOptions } from '../../migrations/app-role.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { eth, moneyWorld } from '../../testing/money.ts'
import { haltChain } from '../deposits/halt-chain.ts'
import { resumeChain } from '../deposits/resume-chain.ts'
import { expirePayments } from './expire-payments.ts'

test('an in-time deposit seen during expiry keeps the payment open', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const inTime = world.deps.clock() + 1800
  world.deps.pass(1801)
  await world.eth.add()
  // Queries through this pool take their snapshot, then wait for the advisory lock at each payment.
  await world.owner.query(`
    alter table payments enable row level security;
    create policy held on payments using (
      case when current_setting('coffer.held', true) = 'on' then pg_advisory_xact_lock_shared(7) is not null else true end)`)
  const held = new pg.Pool({
    connectionString: world.deps.url,
    options: `${appRoleConnectionOptions} -c coffer.held=on`,
  })
  const holder = await world.owner.connect()
  let expired: Promise<number> | undefined
  try {
    await holder.query('select pg_advisory_lock(7)')
    expired = expirePayments({ ...world.deps, pool: held })
    await untilBlocked(world.owner)
    await world.bsc.add([{ to: order.address, amount: 10n ** 19n }], inTime)
  } finally {
    await holder.query('select pg_advisory_unlock(7)')
    holder.release()
    await expired
    await held.end()
  }
  await world.bsc.confirm()
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.exception], ['paid', 'none'])
  assert.equal(await expirePayments(world.deps), 0)
  await assertBooksAgree(world.owner)
})

test('a partial payment restored after its deadline stays open until its chain is read through the deadline', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const part = { to: order.address, amount: 4_000_000n, txid: '0x1' }
  await world.eth.add([part])
  await world.eth.confirm()
  const began = world.deps.clock()
  const { number, hash } = world.eth.reorg(3).ancestor
  await haltChain(world.deps, { chainId: eth.id, ancestor: { number, hash } })
  world.deps.pass(7_200)
  await resumeChain(world.deps, { chainId: eth.id })
  await world.eth.add([part], began + 60)
  assert.equal(await expirePayments(world.deps), 0)
  await world.eth.add([{ to: order.address, amount: 6_000_000n }], began + 120)
  await world.eth.confirm()
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.exception], ['paid', 'none'])
  assert.deepEqual(
    (await world.callbacks(order.trade_no)).map(each => each.slice(8)),
    ['seen', 'partial', 'error', 'partial', 'seen', 'paid'],
  )
  await assertBooksAgree(world.owner)
})
