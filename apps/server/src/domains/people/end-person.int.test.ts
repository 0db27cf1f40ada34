import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withDeps } from '../../testing/deps.ts'
import { joinByInvitation, memberProof } from '../../testing/invitations.ts'
import { testAuthenticator, testMerchant, visitor } from '../../testing/merchants.ts'
import { testOperator } from '../../testing/operators.ts'
import { checkAudit } from '../audit/check-audit.ts'
import { removeMember } from '../members/change-member.ts'
import { closeAccount } from '../onboarding/close-account.ts'
import { removeOperator } from '../operators/change-operator.ts'
import { renewOperatorInvitation } from '../operators/invitations.ts'
import { rememberDevice } from './devices.ts'
import { insertPasskey } from './passkeys.ts'

const deps = await withDeps({ after })
const { owner } = deps
const device = { ...visitor, deviceToken: 'laptop' }

/** Gives a person a device and a passkey, beside what the person has. */
async function equip(id: string): Promise<string> {
  await rememberDevice(deps.pool, id, device, deps.clock())
  await insertPasskey(owner, id, `key of ${id}`, 'Key', Buffer.from('key'), 0, [], false, deps.clock(), 'localhost')
  assert.deepEqual(await left(id), { sessions: true, devices: true, passkeys: true, credentials: true, gone: false })
  return id
}

/** What is left of what a person signs in with. */
const left = async (id: string) =>
  (
    await owner.query(
      `select exists (select from sessions where person_id = p.id) as sessions,
         exists (select from known_devices where person_id = p.id) as devices,
         exists (select from passkeys where person_id = p.id) as passkeys,
         p.password_hash is not null and p.authenticator_secret is not null as credentials, p.deleted_at is not null as gone
       from persons p where p.id = $1`,
      [id],
    )
  ).rows[0]

const nothing = { sessions: false, devices: false, passkeys: false, credentials: false }

test('a new link of an operator forgets all that the account signed in with, and a removal ends it', async () => {
  const id = await equip((await testOperator(deps, 'finance')).id)
  const other = await equip((await testOperator(deps, 'owner')).id)
  await testOperator(deps, 'owner')
  await renewOperatorInvitation(deps, { id })
  assert.deepEqual(await left(id), { ...nothing, gone: false })
  await removeOperator(deps, { id: other })
  assert.deepEqual(await left(other), { ...nothing, gone: true })
  assert.deepEqual((await checkAudit(deps)).faults, [])
})

test('so do the removal of a member, and the end of a shop', async () => {
  const shop = await testMerchant(deps)
  const member = (await joinByInvitation(deps, shop, 'viewer')).session.personId
  await testAuthenticator(deps, member)
  await equip(member)
  const proof = await memberProof(deps, shop.session)
  await removeMember(deps, { session: shop.session, id: member, proof, from: visitor })
  assert.deepEqual(await left(member), { ...nothing, gone: true })

  const second = await testMerchant(deps)
  const { code } = await testAuthenticator(deps, second.id)
  await equip(second.id)
  await closeAccount(deps, { merchantId: second.id, proof: { method: 'google', code: code() }, from: visitor })
  assert.deepEqual(await left(second.id), { ...nothing, gone: true })
})
