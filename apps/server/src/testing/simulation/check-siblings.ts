import assert from 'node:assert/strict'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { rowsOf } from '../money.ts'
import type { World } from './world.ts'

/** Deposits of siblings of tokens, with what gives each back. */
const decided = `select d.id, d.chain_id, d.state, d.amount, d.fee, d.asset_id, d.from_address, d.credited_at, d.returned, w.id as withdrawal, w.amount as taken,
    w.fee as kept, w.gas, w.receives, w.to_address, w.asset_id as paid_in, w.merchant_id <> d.merchant_id as is_others, w.created_at, w.status,
    (select count(*) from ledger_groups g where g.source = 'deposit:' || d.id)::int as credits
  from deposits d join assets a on a.id = d.asset_id and a.sibling_of is not null
  left join withdrawals w on w.returns = d.id where d.state in ('credited', 'undone') order by d.id`

/**
 * Asserts, at any time, that each deposit of a sibling that was credited or given back was decided so by an operator,
 * in one way, and that what is given back goes whole to its sender, less the gas of the payout.
 */
export async function assertDecidedOnce({ owner, decisions, listed }: World): Promise<void> {
  const rows = await rowsOf(owner, decided)
  for (const [id, of] of Map.groupBy(rows, each => each.id)) {
    const [row, ...more] = of
    assert.deepEqual(more, [], `${id} is given back more than once`)
    const requests = decisions.filter(each => each.id === id)
    const ways = new Set(requests.filter(each => each.isDone).map(each => each.how))
    assert(ways.size < 2, `${id} is credited and given back`)
    // As a listed token it was credited like others.
    if (!listed.has(row.chain_id)) assert(requests.length > 0, `${id} of a sibling is credited without a decision`)
    if (ways.size === 1)
      assert.equal(row.withdrawal !== null, ways.has('return'), `${id} is not what was decided: ${[...ways]}`)
    assert.equal(row.returned, row.withdrawal !== null, `${id} says whether it is given back`)
    if (row.withdrawal === null) continue
    const { amount, asset_id, from_address, credited_at } = row
    assert(!row.is_others, `${id} is taken from another merchant`)
    assert.deepEqual(
      [row.taken, row.kept, row.fee, row.paid_in, row.to_address, row.created_at],
      [amount, '0', '0', asset_id, from_address, credited_at],
      `${id} is given back as it came`,
    )
    assert.equal(BigInt(row.receives) + BigInt(row.gas), BigInt(amount), `${id} is given back whole`)
  }
}

/**
 * Asserts of a settled world that operators were notified of siblings as long as some waited, and merchants told of no
 * credit that is none.
 */
export async function assertSiblings({ owner }: World): Promise<void> {
  const open = await rowsOf(owner, `select detail from incidents where kind = 'other_token' and resolved_at is null`)
  assert.deepEqual(open, [], 'no incident is open once all siblings are decided')
  const told = await rowsOf(
    owner,
    `select c.event, w.returns from callbacks c join withdrawals w on w.returns is not null and c.event in ('deposit.credited', 'deposit.reversed')
       and position(w.returns in c.body) > 0`,
  )
  assert.deepEqual(told, [], 'no application is told that what was given back was credited')
  const twice = await rowsOf(
    owner,
    `select g.source from ledger_groups g join withdrawals w on g.source = 'deposit:' || w.returns
       join ledger_postings p on p.group_id = g.id where p.kind = 'fee'`,
  )
  assert.deepEqual(twice, [], 'nothing is charged for what is given back')
  const waiting = await rowsOf(
    owner,
    `select id from withdrawals where returns is not null and status = ${withdrawalStatus.audit_rejected}`,
  )
  assert.deepEqual(waiting, [], 'no return waits for a merchant')
}
