import type { Deps } from '../../../deps.ts'
import { type Queryable, run, tx } from '../../../kit/db.ts'
import { events } from '../../../kit/outbox.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { AgreementCheck } from '../../../kit/second-person.ts'
import { hashSecret } from '../../../kit/secrets.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { type Account, accountsOfPerson, changeMerchant, lockAccount, lockMerchant } from '../../merchants/store.ts'
import { parseNotMeToken } from '../../notifications/mail-links.ts'
import { endSignIns } from '../../people/end-person.ts'
import { spendChallenge } from '../spend-challenge.ts'
import { revokeTickets } from '../store.ts'
import { requireWorkByIp } from '../work/work.ts'

const ipLimit = { max: 60, seconds: 3_600 }
/** How long (s) before the report an address counts as added by the other person. */
const newAddressSeconds = 3 * 86_400

const forgetNewAddresses = run(
  'not-me-addresses',
  'update address_book set deleted_at = $2 where merchant_id = $1 and deleted_at is null and created_at > $3',
)

const forgetNewReceivers = run(
  'not-me-receivers',
  'delete from transfer_receivers where merchant_id = $1 and created_at > $2',
)

/** Roles that move no money and make no keys: nothing of the shop is held when somebody else acted as one. */
const harmless: readonly string[] = ['clerk', 'viewer']

/**
 * Reports that somebody else signed in as a person: ends all sessions, the caller's too, and forgets the devices. In
 * each shop where the person may move money or make keys, forgets the addresses and receivers of transfers added in the
 * last three days, and holds withdrawals and refunds that were not sent, until the operator lifts the hold.
 */
export async function reportUnauthorizedUse(
  deps: Deps,
  { personId, from, consume }: { personId: string; from: Visitor; consume?: (c: Queryable) => Promise<void> },
): Promise<void> {
  const now = deps.clock()
  await tx(deps.pool, async (c, uow) => {
    const locked = await lockAccounts(c, personId)
    await consume?.(c)
    await revokeTickets(c, personId)
    await endSignIns(c, personId)
    for (const { id: merchantId, role } of locked) {
      if (harmless.includes(role)) {
        recordEvent(deps, uow, { merchantId, personId, type: 'sessions_ended', from })
        continue
      }
      await changeMerchant(c, merchantId, { held_at: now })
      await forgetNewAddresses(c, merchantId, now, now - newAddressSeconds)
      await forgetNewReceivers(c, merchantId, now - newAddressSeconds)
      const session = from.session ?? { name: '', personId, merchantId }
      recordEvent(deps, uow, { merchantId, type: 'not_me', from: { ...from, session } })
      const own = { merchant_id: merchantId, person_id: personId, name: 'own_sign_in_reported' } as const
      uow.add(events, [{ ...own, params: {}, created_at: now }])
    }
  })
}

/** Locks the shops of a person, one after the other. Throws Refusal('login_expired') where there is none. */
async function lockAccounts(c: Queryable, personId: string): Promise<Account[]> {
  const accounts: Account[] = []
  for (const { id } of (await accountsOfPerson(c, personId)).sort((one, other) => (one.id < other.id ? -1 : 1))) {
    const locked = await lockAccount(c, id, personId)
    if (locked && !locked.frozen) accounts.push(locked)
  }
  if (accounts.length === 0) throw new Refusal('login_expired')
  return accounts
}

/** Does the same by the link of a mail or message, which works once. Throws Refusal('link_not_valid'). */
export async function reportUnauthorizedUseByLink(
  deps: Deps,
  { token, from }: { token: string; from: Visitor },
): Promise<void> {
  await requireWorkByIp(deps, 'not me', from, ipLimit)
  const found = parseNotMeToken(deps, token)
  if (!found) throw new Refusal('link_not_valid')
  await reportUnauthorizedUse(deps, {
    personId: found.personId,
    from,
    consume: async c => {
      if (!(await spendChallenge(c, hashSecret(token), found.end))) throw new Refusal('link_not_valid')
    },
  })
}

/**
 * Lifts the hold, for the operator, who must have verified the identity of the merchant. Throws
 * Refusal('hold_not_exist').
 */
export async function liftWithdrawalHold(
  deps: Deps,
  { merchantId, agree }: { merchantId: string; agree?: AgreementCheck },
): Promise<{ waits: boolean }> {
  return tx(deps.pool, async (c, uow) => {
    const locked = await lockMerchant(c, merchantId)
    if (!locked) throw new Refusal('merchant_not_exist')
    if (locked.held_at === 0) throw new Refusal('hold_not_exist')
    if ((await agree?.(c)) === 'waits') return { waits: true }
    await changeMerchant(c, merchantId, { held_at: 0 })
    recordEvent(deps, uow, { merchantId, type: 'hold_lifted', from: null })
    return { waits: false }
  })
}
