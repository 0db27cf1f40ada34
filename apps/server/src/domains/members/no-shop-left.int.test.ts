import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { withDeps } from '../../testing/deps.ts'
import { invite, joinByInvitation, memberProof } from '../../testing/invitations.ts'
import { visitor as from, mailedProof, testMerchant } from '../../testing/merchants.ts'
import { closeAccount } from '../onboarding/close-account.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { removeMember } from './change-member.ts'

const deps = await withDeps({ after })

test('two shops that end somebody’s part at the same moment leave no account without a shop', async () => {
  for (let round = 0; round < 6; round++) {
    const closing = await testMerchant(deps)
    const other = await testMerchant(deps)
    const member = await joinByInvitation(deps, closing, 'viewer')
    const { personId } = member.session
    const { invitation } = await invite(deps, other, 'viewer', member.email)
    await acceptInvitation(deps, { session: member.session, invitation, from })
    const removal = await memberProof(deps, other.session)
    const proof = await mailedProof(deps, closing.id, emailCodePurpose.closeAccount)
    const ended = await Promise.allSettled([
      closeAccount(deps, { merchantId: closing.id, proof, from: { ...from, session: closing.session } }),
      removeMember(deps, { session: other.session, id: personId, proof: removal, from }),
    ])
    assert.deepEqual(
      ended.map(each => each.status),
      ['fulfilled', 'fulfilled'],
    )
    const { rows } = await deps.owner.query('select deleted_at is not null as gone from persons where id = $1', [
      personId,
    ])
    assert.deepEqual(rows, [{ gone: true }], `round ${round}`)
  }
})
