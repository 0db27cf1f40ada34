import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { isTaken } from '../../kit/taken.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mustBeActive } from '../merchants/active-merchant.ts'
import { mailEvent } from '../merchants/mails.ts'
import { changeMerchant, lockMerchant, merchantByEmail } from '../merchants/store.ts'
import { checkCode } from './check-code.ts'
import { checkProof, type Proof } from './check-proof.ts'
import { endSessions } from './sessions.ts'
import { dropTickets } from './tickets.ts'

/**
 * Changes the email address. Requires a code sent to the new address and a proof. Because the mailbox is a factor, ends all
 * other sessions and holds withdrawals for a while. Notifies the old address.
 */
export async function changeMailbox(
  deps: Deps,
  input: {
    session: { merchantId: string; tokenHash: Buffer }
    email: string
    code: string
    proof?: Proof | undefined
    from: Visitor
  },
): Promise<void> {
  const { merchantId, tokenHash } = input.session
  const spendCode = await checkCode(deps, {
    channel: 'email',
    target: input.email,
    purpose: emailCodePurpose.updateMailboxNew,
    owner: merchantId,
    code: input.code,
  })
  const spendProof = await checkProof(deps, { merchantId, proof: input.proof, action: 'mailbox' })
  const before = await tx(deps.pool, async (c, uow) => {
    const locked = mustBeActive(await lockMerchant(c, merchantId))
    await spendCode(c)
    await spendProof(c)
    if (await merchantByEmail(c, input.email)) throw new Refusal('mailbox_exists', { field: 'email' })
    await changeMerchant(c, merchantId, { email: input.email, factor_changed_at: deps.clock() })
    await dropTickets(c, merchantId)
    await endSessions(c, merchantId, tokenHash)
    recordEvent(deps, uow, { merchantId, type: 'mailbox_changed', from: input.from })
    return locked
  }).catch(error => {
    throw isTaken(error, 'merchants_email') ? new Refusal('mailbox_exists', { field: 'email' }) : error
  })
  mailEvent(deps, before, 'mailbox_changed')
}
