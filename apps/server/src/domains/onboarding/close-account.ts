import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { deleteApplications } from '../applications/store.ts'
import { deletePasskeys } from '../identity/passkeys/store.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { endSessions, revokeTickets, unlinkIdentities } from '../identity/store.ts'
import { hasHoldings } from '../ledger/store.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mustBeActive } from '../merchants/active-merchant.ts'
import { mailEvent } from '../merchants/mails.ts'
import { changeMerchant, lockMerchantAlone } from '../merchants/store.ts'

const blocks = ['balance', 'deposits', 'payments'] as const

/** Names what stands in the way of closing an account. */
export async function closingBlockedBy(c: Queryable, merchantId: string): Promise<(typeof blocks)[number][]> {
  const holdings = (await hasHoldings(c, merchantId))!
  return blocks.filter(each => holdings[each])
}

/**
 * Closes the account: ends sessions, revokes keys, and frees the mailbox and the third-party sign-in for a new account.
 * Records stay. Refused while the account has a balance or payments in progress.
 */
export async function closeAccount(
  deps: Deps,
  input: { merchantId: string; proof: Proof; from: Visitor },
): Promise<void> {
  const { merchantId } = input
  const consume = await checkProof(deps, { merchantId, proof: input.proof, action: 'close-account' })
  const merchant = await tx(deps.pool, async (c, uow) => {
    const locked = mustBeActive(await lockMerchantAlone(c, merchantId))
    if ((await closingBlockedBy(c, merchantId)).length > 0) throw new Refusal('account_not_empty')
    await consume(c)
    recordEvent(deps, uow, { merchantId, type: 'closed', from: input.from })
    await deleteApplications(c, merchantId, deps.clock())
    await revokeTickets(c, merchantId)
    await unlinkIdentities(c, merchantId)
    await deletePasskeys(c, merchantId)
    await endSessions(c, merchantId, null)
    await changeMerchant(c, merchantId, {
      deleted_at: deps.clock(),
      password_hash: null,
      authenticator_secret: null,
    })
    return locked
  })
  mailEvent(deps, merchant, 'closed')
}
