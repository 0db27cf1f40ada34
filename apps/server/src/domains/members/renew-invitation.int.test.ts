import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withDeps } from '../../testing/deps.ts'
import { invitationIn, joinByInvitation, memberProof, newEmail } from '../../testing/invitations.ts'
import { visitor as from, testMerchant } from '../../testing/merchants.ts'
import { readInvitation } from './accept-invitation.ts'
import { cancelInvitation, inviteMember, renewInvitation } from './invitations.ts'
import { readPeople } from './list-members.ts'

const deps = await withDeps({ after })
const day = 86_400
const ended = { reason: 'invitation_ended' }

test('one owner sends again what two agreed on, told to both, until it ends or one of them cancels it', async () => {
  const owner = await testMerchant(deps)
  const second = await joinByInvitation(deps, owner, 'owner')
  const owners = [owner, second]
  deps.pass(day)
  const email = newEmail()
  const ask = async (by: (typeof owners)[number]) => {
    const proof = await memberProof(deps, by.session)
    return inviteMember(deps, { session: by.session, email, role: 'owner', proof, from })
  }
  const renew = async () => {
    const [{ id } = { id: 'none' }] = (await readPeople(deps, owner.session)).invitations
    const proof = await memberProof(deps, owner.session)
    await deps.delivered()
    const told = deps.mails.length
    await renewInvitation(deps, { session: owner.session, id, proof, from })
    await deps.delivered()
    return deps.mails.slice(told).flatMap(each => (each.subject.includes(email) ? [each.to] : []))
  }
  await ask(owners[0]!)
  assert.deepEqual(await ask(owners[1]!), { waits: false })
  deps.pass(6 * day)
  assert.deepEqual((await renew()).sort(), [owner.email, second.email].sort())
  const shown = await readInvitation(deps, { invitation: invitationIn(deps, email), from })
  assert.equal(shown.role, 'owner')
  const [{ id } = { id: '' }] = (await readPeople(deps, owner.session)).invitations
  await cancelInvitation(deps, { session: second.session, id, from })
  await assert.rejects(renew(), ended)
  await assert.rejects(readInvitation(deps, { invitation: invitationIn(deps, email), from }), ended)
  assert.deepEqual(await ask(owners[0]!), { waits: true }, 'it takes both again')
  await ask(owners[1]!)
  deps.pass(7 * day)
  await assert.rejects(renew(), ended)
  assert.deepEqual(await ask(owners[0]!), { waits: true }, 'also once it has ended')
})
