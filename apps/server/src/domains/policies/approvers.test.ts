import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Approver } from '@coffer/core'
import fc from 'fast-check'
import { newPersonSeconds, sameMailbox } from '../../kit/same-person.ts'
import { type ApprovingMember, chooseDeciders } from './approvers.ts'

const now = 1_000_000
const owner = 'ann@shop.example'
const member = (
  id: string,
  role: ApprovingMember['role'],
  email = `${id}@shop.example`,
  since = 1,
): ApprovingMember => ({
  id,
  role,
  email,
  since,
})
const ann = member('ann', 'owner', owner)
const bob = member('bob', 'owner')
const fay = member('fay', 'finance')
const finn = member('finn', 'finance')
const newcomer = member('new', 'finance', 'new@shop.example', now - newPersonSeconds + 1)

/** Who decides, in short: the operator, the address of a link, or the ids of members. */
function decide(approver: Approver | null, asker: ApprovingMember, members: readonly ApprovingMember[]): string {
  const deciders = chooseDeciders(approver, { members, asker: { id: asker.id, emails: [asker.email] }, owner, now })
  if (deciders.by === 'members') return deciders.members.map(({ id }) => id).join(' ')
  return deciders.by === 'link' ? deciders.email : 'operator'
}

const cases: [
  what: string,
  approver: Approver | null,
  asker: ApprovingMember,
  members: ApprovingMember[],
  is: string,
][] = [
  ['no rule asks any more', null, fay, [ann, fay], 'operator'],
  ['the rule names the operator', '', fay, [ann, fay], 'operator'],
  ['owners approve', 'role:owner', fay, [ann, bob, fay], 'ann bob'],
  ['an owner asks', 'role:owner', ann, [ann, bob, fay], 'bob'],
  ['the only owner asks', 'role:owner', ann, [ann, fay], 'operator'],
  ['finance approves', 'role:finance', ann, [ann, fay, finn], 'fay finn'],
  ['one of finance asks', 'role:finance', fay, [ann, fay, finn], 'finn'],
  ['all of finance asks: owners', 'role:finance', fay, [ann, bob, fay], 'ann bob'],
  ['nobody is in finance: other owners', 'role:finance', ann, [ann, bob], 'bob'],
  ['nobody is in finance, and the owner asks', 'role:finance', ann, [ann], 'operator'],
  ['a person approves', 'person:finn', ann, [ann, fay, finn], 'finn'],
  ['the person asks: owners', 'person:fay', fay, [ann, fay, finn], 'ann'],
  ['the person left: owners', 'person:gone', fay, [ann, bob, fay], 'ann bob'],
  ['the person left, and the only owner asks', 'person:gone', ann, [ann, fay], 'operator'],
  ['who is new is nobody’s second person', 'role:finance', ann, [ann, fay, newcomer], 'fay'],
  ['only who is new is in finance: owners', 'role:finance', bob, [ann, bob, newcomer], 'ann'],
  ['the person is new, and the owner asks', 'person:new', ann, [ann, newcomer], 'operator'],
  ['a day later', 'role:finance', ann, [ann, { ...newcomer, since: now - newPersonSeconds }], 'new'],
  [
    'another account with the mailbox of the asker',
    'role:owner',
    fay,
    [member('two', 'owner', 'fay+2@shop.example'), bob, fay],
    'bob',
  ],
  ['only such an account', 'role:owner', fay, [member('two', 'owner', 'FAY+2@shop.example'), fay], 'operator'],
  ['a link', 'out@audit.example', fay, [ann, fay], 'out@audit.example'],
  ['a link to the mailbox of the asker', 'fay+x@shop.example', fay, [ann, fay], 'operator'],
  ['a link to the mailbox of the shop', owner, fay, [ann, fay], 'operator'],
]

for (const [what, approver, asker, members, is] of cases)
  test(`who decides: ${what}`, () => assert.equal(decide(approver, asker, members), is))

test('whatever the policy and the members, there is somebody, and it is not who asks', () => {
  const names = fc.constantFrom('ann', 'bob', 'fay', 'finn')
  const email = fc.tuple(names, fc.constantFrom('', '+1', '+2')).map(([name, alias]) => `${name}${alias}@shop.example`)
  const someone = fc.record({
    id: fc.uuid(),
    role: fc.constantFrom('owner' as const, 'finance' as const),
    email,
    since: fc.constantFrom(1, now - newPersonSeconds, now - 1, now),
  })
  const setting = fc
    .record({ members: fc.array(someone, { minLength: 1, maxLength: 6 }), at: fc.nat(), named: fc.nat(), link: email })
    .chain(({ members, at, named, link }) =>
      fc.record({
        members: fc.constant(members),
        asker: fc.constant(members[at % members.length]!),
        approver: fc.constantFrom<Approver>(
          'role:owner',
          'role:finance',
          'person:gone',
          `person:${members[named % members.length]!.id}`,
          link as Approver,
        ),
      }),
    )
  fc.assert(
    fc.property(setting, ({ members, asker, approver }) => {
      const given = { members, asker: { id: asker.id, emails: [asker.email] }, owner, now }
      const deciders = chooseDeciders(approver, given)
      if (deciders.by === 'link') assert.ok(!sameMailbox(deciders.email, asker.email))
      if (deciders.by !== 'members') return
      assert.ok(deciders.members.length > 0)
      for (const { id, email, since } of deciders.members) {
        assert.notEqual(id, asker.id)
        assert.ok(!sameMailbox(email, asker.email))
        assert.ok(since + newPersonSeconds <= now)
      }
    }),
  )
})
