import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withDeps } from '../../testing/deps.ts'
import { joinByInvitation, memberProof } from '../../testing/invitations.ts'
import { visitor as from, testApplication, testMerchant } from '../../testing/merchants.ts'
import { changeMemberRole, leaveShop, removeMember } from './change-member.ts'

const deps = await withDeps({ after })

test('owners are told which keys that still work somebody knows who left, is removed or has another role', async () => {
  const owner = await testMerchant(deps)
  const { session } = owner
  await testApplication(deps, owner.id, { name: 'Own' })
  const hire = async (name: string) => {
    const member = await joinByInvitation(deps, owner, 'developer')
    await testApplication(deps, owner.id, { name, secret_by: member.session.personId })
    return { ...member, id: member.session.personId }
  }
  const told = async (email: string) => {
    await deps.delivered()
    return deps.mails.findLast(each => each.to === owner.email && each.text.includes(email))!.text.split('\n\n')[1]
  }
  const removed = await hire('Till')
  await removeMember(deps, { session, id: removed.id, proof: await memberProof(deps, session), from })
  assert.match((await told(removed.email))!, /made the secret keys of these applications, which still work: Till\./)
  const left = await hire('Web')
  await leaveShop(deps, { session: left.session, proof: await memberProof(deps, left.session), from })
  assert.match((await told(left.email))!, /still work: Web\./)
  const lowered = await hire('Desk')
  const lower = { session, id: lowered.id, role: 'viewer' as const, from }
  await changeMemberRole(deps, { ...lower, proof: await memberProof(deps, session) })
  assert.match((await told(lowered.email))!, /still work: Desk\./)
  const other = await joinByInvitation(deps, owner, 'finance')
  await removeMember(deps, { session, id: other.session.personId, proof: await memberProof(deps, session), from })
  assert.doesNotMatch((await told(other.email))!, /still work/)
})
