import { isCleanText } from '@coffer/contract/kit/texts.ts'
import { isEmail } from '@coffer/contract/kit/validators.ts'
import type { Deps } from '../../../deps.ts'
import { type Queryable, tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { UnitOfWork } from '../../../kit/unit-of-work.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import type { SignInIdentity } from '../../../outside/third-party-sign-in.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import { accountToOpenByEmail, lockAccount, lockAccountToOpen, type Merchant } from '../../merchants/store.ts'
import { openMailboxSession, openSession, type SignInResult } from '../sessions/sessions.ts'
import { findPersonByIdentity, linkIdentity } from '../store.ts'
import { requireWorkByIp } from '../work/work.ts'

const ipLimit = { max: 60, seconds: 900 }

/**
 * Signs in with the code of a third-party sign-in. The first sign-in creates an account, or is linked to the account
 * with the same email; both require that the provider verified the email. Later only the provider's subject counts.
 */
export async function loginThirdParty(
  deps: Deps,
  input: { code: string; state: string; time_zone?: string | undefined; from: Visitor },
): Promise<SignInResult> {
  const { signIn } = deps
  if (!signIn) throw new Refusal('sign_in_failed')
  await requireWorkByIp(deps, 'third-party', input.from, ipLimit)
  const identity = await signIn.exchange(input.code, input.state).catch(error => {
    deps.log.warn({ err: error }, 'third-party sign-in refused')
    throw new Refusal('sign_in_failed')
  })
  return tx(deps.pool, async (c, uow) => {
    const { merchant, how } = (await findLinked(c, identity)) ?? (await link(deps, uow, identity, input))
    // The account at the provider often belongs to whoever reads the mailbox, and may have been made with it.
    return how === 'created'
      ? openSession(deps, uow, merchant, input.from)
      : openMailboxSession(deps, uow, merchant, input.from, { isTold: how === 'linked' })
  })
}

interface Found {
  merchant: Merchant
  how: 'created' | 'linked' | 'known'
}

/** Reduces a provider's name to what a merchant could have entered. */
const cleanName = (name: string) =>
  [...name]
    .filter(isCleanText)
    .join('')
    .trim()
    .slice(0, 64)
    .replace(/\p{Cs}$/u, '')

const linkedId = async (c: Queryable, { provider, subject }: SignInIdentity) =>
  (await findPersonByIdentity(c, provider, subject))?.person_id

async function findLinked(c: Queryable, identity: SignInIdentity): Promise<Found | undefined> {
  const personId = await linkedId(c, identity)
  const merchant = personId && (await lockAccountToOpen(c, personId))
  return merchant ? { merchant, how: 'known' } : undefined
}

async function link(
  deps: Deps,
  uow: UnitOfWork,
  identity: SignInIdentity,
  { time_zone, from }: { time_zone?: string | undefined; from: Visitor },
): Promise<Found> {
  const { c } = uow
  const email = identity.email.toLowerCase()
  if (!identity.emailVerified || !isEmail(email)) throw new Refusal('sign_in_failed')
  const name = cleanName(identity.name)
  const created = await createMerchant(deps, uow, { email, name, password_hash: null, time_zone, from })
  const found = created ?? (await accountToOpenByEmail(c, email))
  const merchant = created ?? (found && (await lockAccount(c, found.id, found.person_id)))
  if (merchant?.email !== email) throw new Refusal('sign_in_failed')
  // A concurrent first sign-in may have created or linked the account already.
  if (!created && (await linkedId(c, identity)) === merchant.person_id) return { merchant, how: 'known' }
  if (!(await linkIdentity(c, identity.provider, identity.subject, merchant.person_id, deps.clock())))
    throw new Refusal('sign_in_failed')
  const { id: merchantId, person_id: personId } = merchant
  if (!created) recordEvent(deps, uow, { merchantId, personId, type: 'sign_in_linked', from })
  return { merchant, how: created ? 'created' : 'linked' }
}
