import { isCleanText, isEmail } from '@coffer/contract/validators.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttleIp } from '../../kit/throttle.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import type { SignInIdentity } from '../../outside/sign-in.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { mailEvent } from '../merchants/mails.ts'
import { lockMerchant, type Merchant, merchantByEmail } from '../merchants/store.ts'
import { linkIdentity, merchantIdOf } from './identities.ts'
import { openSession } from './open-session.ts'

const fromOneNetwork = { max: 60, seconds: 900 }

/**
 * Signs in with the authorization code of a provider. The first sign-in creates an account or links the one with the same
 * email address, if the provider has verified the address. Later ones identify the account by the provider's subject.
 */
export async function loginThirdParty(
  deps: Deps,
  input: { code: string; from: Visitor },
): Promise<{ token: string; verification: boolean }> {
  const { signIn } = deps
  if (!signIn) throw new Refusal('sign_in_failed')
  await throttleIp(deps, 'third-party', input.from.ip, fromOneNetwork)
  const identity = await signIn.exchange(input.code).catch(error => {
    deps.log.warn({ err: error }, 'third-party sign-in failed')
    throw new Refusal('sign_in_failed')
  })
  const { linked, ...signedIn } = await tx(deps.pool, async (c, uow) => {
    const { merchant, linked } = (await known(c, identity)) ?? (await link(deps, uow, identity, input.from))
    return { ...(await openSession(deps, uow, merchant, input.from)), linked: linked ? merchant : undefined }
  })
  if (linked) mailEvent(deps, linked, 'sign_in_linked')
  return signedIn
}

interface Found {
  merchant: Merchant
  /** An existing account was linked by this sign-in. */
  linked: boolean
}

/** Reduces a provider's name to the characters and length that registration accepts. */
const cleanName = (name: string) =>
  [...name]
    .filter(isCleanText)
    .join('')
    .trim()
    .slice(0, 64)
    .replace(/\p{Cs}$/u, '')

async function known(c: Queryable, identity: SignInIdentity): Promise<Found | undefined> {
  const merchantId = await merchantIdOf(c, identity)
  const merchant = merchantId && (await lockMerchant(c, merchantId))
  return merchant ? { merchant, linked: false } : undefined
}

async function link(deps: Deps, uow: UnitOfWork, identity: SignInIdentity, from: Visitor): Promise<Found> {
  const { c } = uow
  const email = identity.email.toLowerCase()
  if (!identity.emailVerified || !isEmail(email)) throw new Refusal('sign_in_failed')
  const added = await createMerchant(deps, uow, {
    email,
    name: cleanName(identity.name),
    password_hash: null,
    from,
  })
  const now = deps.clock()
  if (added) {
    if (!(await linkIdentity(c, added.id, identity, now))) throw new Refusal('sign_in_failed')
    return { merchant: added, linked: false }
  }
  const found = await merchantByEmail(c, email)
  const merchant = found && (await lockMerchant(c, found.id))
  if (merchant?.email !== email) throw new Refusal('sign_in_failed')
  // A concurrent first sign-in may have created or linked the account already.
  if ((await merchantIdOf(c, identity)) === merchant.id) return { merchant, linked: false }
  if (!(await linkIdentity(c, merchant.id, identity, now))) throw new Refusal('sign_in_failed')
  recordEvent(deps, uow, { merchantId: merchant.id, type: 'sign_in_linked', from })
  return { merchant, linked: true }
}
