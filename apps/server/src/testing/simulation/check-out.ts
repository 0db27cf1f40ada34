import assert from 'node:assert/strict'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { rowsOf } from '../money.ts'
import { coinMoved, tokenBalance } from './sim-own.ts'
import { hotWallets, sweeperWallet, treasury } from './sim-signer.ts'
import { assertNoCoinMissing } from './steps-out.ts'
import type { Place, World } from './world.ts'

const { accomplished, audit_rejected, canceled, abnormal } = withdrawalStatus

/** Reads withdrawals and refunds with what the chain has paid of each: every one has a receiver of its own. */
async function paidRows(world: World) {
  const rows = await rowsOf(
    world.owner,
    `select 'withdrawal ' || id as name, chain_id, asset_id, to_address, receives, status from withdrawals
     union all select 'refund ' || id, chain_id, asset_id, to_address, receives, status from refunds`,
  )
  return rows.map(row => {
    const { chain } = world.place(row.chain_id)
    const { contract } = world.assets(world.place(row.chain_id)).find(each => each.id === row.asset_id)!
    const to = row.to_address
    const paid = contract ? tokenBalance(contract, to, chain.blocks) : coinMoved(to, chain.blocks)
    return { ...row, receives: BigInt(row.receives), paid }
  })
}

/** Asserts that nothing is paid twice or in part, at any time. */
export async function assertPaidOnce(world: World): Promise<void> {
  for (const { name, paid, receives } of await paidRows(world))
    assert(paid === 0n || paid === receives, `${name} of ${receives} is paid ${paid}`)
}

/**
 * Asserts that each withdrawal and refund that came to an end is paid exactly if it says so, and that our own money
 * agrees to the unit.
 */
export async function assertOut(world: World): Promise<void> {
  for (const { name, paid, receives, status } of await paidRows(world)) {
    assert([accomplished, audit_rejected, canceled, abnormal].includes(status), `${name} came to no end: ${status}`)
    assert.equal(paid, status === accomplished ? receives : 0n, `${name} has status ${status}`)
  }
  const over = await rowsOf(world.owner, 'select * from payment_refunds where refunded > credited')
  assert.deepEqual(over, [], 'no more is refunded than was credited')
  await assertReserved(world)
  for (const place of world.places) await assertGas(world, place)
  for (const { definition } of world.places) await assertNoCoinMissing(world, definition.id)
}

/**
 * Asserts for each withdrawal and refund that what the ledger reserved is what it settled, fee, gas and what it
 * released, as its row says.
 */
async function assertReserved({ owner }: World): Promise<void> {
  const rows = await rowsOf(
    owner,
    `select o.*, coalesce(sum(p.amount) filter (where g.source = o.source || ':reserve'), 0) as reserved,
       coalesce(sum(p.amount) filter (where g.source like o.source || ':settle%' and p.kind in ('withdrawal', 'refund')), 0) as settled_by,
       coalesce(sum(p.amount) filter (where g.source like o.source || ':settle%' and p.kind in ('fee', 'gas')), 0) as cost_by,
       coalesce(sum(p.amount) filter (where g.source = o.source || ':release'), 0) as released_by
     from (
       select 'withdrawal:' || id as source, amount as requested, settled, fee + gas as cost, released, status from withdrawals
       union all select 'refund:' || id, total, settled, gas, released, status from refunds
     ) o
     left join ledger_groups g on (g.source in (o.source || ':reserve', o.source || ':release') or g.source ~ ('^' || o.source || ':settle(:|$)'))
       and not exists (select from ledger_groups r where r.reverses = g.id)
     left join ledger_postings p on p.group_id = g.id
     group by o.source, o.requested, o.settled, o.cost, o.released, o.status order by o.source`,
  )
  for (const {
    source,
    status,
    requested,
    reserved,
    settled,
    settled_by,
    cost,
    cost_by,
    released,
    released_by,
  } of rows) {
    if (status === abnormal) continue
    const paid = status === accomplished
    assert.deepEqual([settled_by, cost_by, released_by], [settled, paid ? cost : '0', released], source)
    const parts = [settled, paid ? cost : '0', released].map(BigInt)
    assert.deepEqual([reserved, String(parts.reduce((sum, each) => sum + each, 0n))], [requested, requested], source)
  }
}

/** Asserts that of native coin our wallets gave what the ledger paid for payouts and gas, not a unit more. */
async function assertGas({ owner }: World, { chain, definition: { id, native } }: Place): Promise<void> {
  const ours = await rowsOf(owner, 'select address from deposit_addresses')
  const moved = [...Object.values(hotWallets), sweeperWallet, treasury, ...ours.map(row => row.address)].reduce(
    (sum, each) => sum + coinMoved(each, chain.blocks),
    0n,
  )
  const [row] = await rowsOf(
    owner,
    `select coalesce((select sum(case when debit_account = 'house/gas/' || $1 then amount else -amount end)
         from ledger_postings where kind = 'gas' and 'house/gas/' || $1 in (debit_account, credit_account)), 0)
       + coalesce((select sum(receives) from withdrawals where asset_id = $1 and status = ${accomplished}), 0)
       + coalesce((select sum(receives) from refunds where asset_id = $1 and status = ${accomplished}), 0) as sum`,
    [`${id}:${native.symbol}`],
  )
  assert.equal(-moved, BigInt(row.sum), `${id}: our wallets gave what the ledger says`)
}

/** Returns what left the balances of merchants in an asset, less what the operator lent. */
export async function takenFrom({ owner, lent }: World, asset: string): Promise<bigint> {
  const [row] = await rowsOf(
    owner,
    `select coalesce((select sum(amount) from withdrawals where asset_id = $1 and status = ${accomplished}), 0)
       + coalesce((select sum(total) from refunds where asset_id = $1 and status = ${accomplished}), 0) as sum`,
    [asset],
  )
  const [reserved] = await rowsOf(
    owner,
    `select coalesce(sum(balance), 0)::text as sum from ledger_accounts where asset_id = $1 and part = 'held'`,
    [asset],
  )
  const [should] = await rowsOf(
    owner,
    `select coalesce(sum(total), 0)::text as sum from refunds where asset_id = $1 and status = ${abnormal}`,
    [asset],
  )
  assert.equal(reserved.sum, should.sum, `${asset}: reserved is only what waits for a person`)
  return BigInt(row.sum) - (lent.get(asset) ?? 0n)
}
