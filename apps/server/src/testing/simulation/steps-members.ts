import assert from 'node:assert/strict'
import type { Random } from '@coffer/chains/fake/random.ts'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import type { StoredPolicyRule } from '@coffer/contract/policies/routes.ts'
import { decideApprovals } from '../../domains/approvals/decide-approvals.ts'
import { changeMemberRole } from '../../domains/members/change-member.ts'
import { requestWithdrawal } from '../../domains/withdrawals/request-withdrawal.ts'
import { newId } from '../../kit/ids.ts'
import { visitor } from '../merchants.ts'
import { rowsOf } from '../money.ts'
import { oneOf, type Steps } from './steps.ts'
import { newPayee, proofFor, someBalance } from './steps-out.ts'
import { isAnswer } from './steps-server.ts'
import type { World } from './world.ts'

const { auditing, audit_rejected, canceled } = withdrawalStatus

/** What members may let leave within 24 hours without the operator, and what leaves without any approval; in USDT. */
const ofMembers = 40
const ofNobody = 5

/**
 * Lets three people work for the merchant of one seed in four: the owner who opened the shop, another one, and one for
 * the finances. The policy names one of their roles as approver, and the operator above.
 */
export async function hirePeople(world: World, seed: number): Promise<void> {
  if (seed % 4 !== 3) return
  const { owner, merchantId } = world
  const hire = async (role: MerchantRole) => {
    const id = newId()
    const insert = `insert into persons (id, realm, email, created_at) values ($1, 'shop', $1 || '@shop.example', 0)`
    await owner.query(insert, [id])
    await owner.query(
      'insert into members (person_id, merchant_id, role, since, created_at) values ($1, $2, $3, 1, 1)',
      [id, merchantId, role],
    )
    return id
  }
  await owner.query('update members set since = 1 where merchant_id = $1', [merchantId])
  world.people = [merchantId, await hire('owner'), await hire('finance')]
  const limits = (value: number) => ({ above: String(value), above_in_all: String(value) })
  const rules: StoredPolicyRule[] = [
    { kind: 'approval', ...limits(ofNobody), role: seed % 8 === 3 ? 'owner' : 'finance' },
    { kind: 'approval', ...limits(ofMembers) },
  ]
  await owner.query(
    'insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, $2, $3, 0, 0)',
    [merchantId, newId(), JSON.stringify(rules)],
  )
}

const sessionOf = ({ merchantId }: World, personId: string) => ({ merchantId, personId, name: '' })

/** Up to three of the people ask at once for payouts that may need somebody else. */
async function ask(world: World, dice: Random): Promise<void> {
  await world.publishPrices()
  const asked: Parameters<typeof requestWithdrawal>[1][] = []
  for (let n = 1 + dice.below(3); n > 0; n--) {
    const found = await someBalance(world, dice, [1, 2, 3, 5], [world.merchantId])
    if (!found) return
    const personId = oneOf(dice, world.people)
    const address = newPayee(world, found.chainId)
    const proof = await proofFor(world, dice, personId, 'withdrawal')
    asked.push({ ...found, address, proof, from: { ...visitor, session: sessionOf(world, personId) } })
  }
  await allOf(asked.map(each => requestWithdrawal(world.server.deps, each)))
}

/** Waits for works that run at once, which may be refused. */
async function allOf(works: Promise<unknown>[]) {
  const done = await Promise.allSettled(works)
  for (const each of done) if (each.status === 'rejected' && !isAnswer(each.reason)) throw each.reason
  return done
}

/** People decide about what waits, also at once, while the role of one of them changes. */
async function decide(world: World, dice: Random): Promise<void> {
  const { owner, merchantId, people } = world
  const { deps } = world.server
  const rows = await rowsOf(
    owner,
    `select id, coalesce(nullif(requested_by, ''), merchant_id) as asker from withdrawals
     where merchant_id = $1 and status = ${auditing} order by created_at desc, id desc limit 6`,
    [merchantId],
  )
  if (rows.length === 0) return
  const finance = people[2]!
  const roleOf = async () =>
    (
      await rowsOf(owner, 'select role from members where person_id = $1 and merchant_id = $2', [finance, merchantId])
    )[0]!
  const before = (await roleOf()).role as MerchantRole
  const works: { personId: string; ids: string[]; work: () => Promise<unknown> }[] = []
  for (let n = 1 + dice.below(2); n > 0; n--) {
    const personId = oneOf(dice, people)
    const others = rows.filter(each => each.asker !== personId)
    const ids = (dice.chance(0.8) ? others : rows).filter(() => dice.chance(0.6)).map(each => String(each.id))
    const proof = await proofFor(world, dice, personId, 'approval')
    const from = { ...visitor, session: sessionOf(world, personId) }
    const decision = dice.chance(0.85) ? ('approve' as const) : ('reject' as const)
    const work = () => decideApprovals(deps, { merchantId, ids, decision, reason: 'no', proof, from })
    if (ids.length > 0) works.push({ personId, ids, work })
  }
  const changes = dice.chance(0.3)
  const role: MerchantRole = before === 'finance' ? 'viewer' : 'finance'
  const proof = await proofFor(world, dice, merchantId, 'members')
  const change = () => {
    const session = { ...sessionOf(world, merchantId), id: '', role: 'owner' as const, tokenHash: Buffer.alloc(0) }
    return changeMemberRole(deps, { session, id: finance, role, proof: proof as never, from: { ...visitor, session } })
  }
  const done = await allOf([...works.map(each => each.work()), ...(changes ? [change()] : [])])
  for (const [index, { personId, ids }] of works.entries()) {
    if (done[index]!.status === 'rejected') continue
    const own = rows.some(each => ids.includes(each.id) && each.asker === personId)
    assert(!own, 'nobody decides about an own withdrawal')
    assert(personId !== finance || before === 'finance' || changes, 'who only reads decides nothing')
  }
  // Whoever has a new role is nobody's second person for a day: most seeds have none.
  if (dice.chance(0.7)) await owner.query('update members set since = 1 where person_id = $1', [finance])
}

/**
 * Asserts that nobody decided about an own withdrawal, and that of what was requested within 24 hours no more left
 * without the operator than the policy allows, whoever decided when.
 */
export async function assertDecidedByOthers({ owner, merchantId, people }: World): Promise<void> {
  if (people.length === 0) return
  const own = await rowsOf(
    owner,
    `select d.withdrawal_id from withdrawal_decisions d join withdrawals w on w.merchant_id = d.merchant_id and w.id = d.withdrawal_id
     where d.person_id = coalesce(nullif(w.requested_by, ''), w.merchant_id)`,
  )
  assert.deepEqual(own, [], 'nobody decides about an own withdrawal')
  const [most] = await rowsOf(
    owner,
    `with left_without as (
       select usdt_value, created_at from withdrawals
       where merchant_id = $1 and origin <> 'return' and status not in (${auditing}, ${audit_rejected}, ${canceled})
         and approved_by <> 'operator'
       union all
       select div(usdt_value * amount, total), created_at from refunds where merchant_id = $1 and status <> ${canceled}
       union all
       select usdt_value, created_at from internal_transfers where merchant_id = $1 and direction = 'out'
     )
     select coalesce(max(n), 0)::text as value from (
       select sum(usdt_value) over (order by created_at range between 86399 preceding and current row) as n from left_without
     ) sums`,
    [merchantId],
  )
  assert(BigInt(most.value) <= BigInt(ofMembers) * 10n ** 18n, `${most.value} left without the operator`)
}

/** Of seeds with several people. */
export const memberSteps: Steps = {
  'members ask for payouts': [8, ask],
  'members decide': [10, decide],
}
