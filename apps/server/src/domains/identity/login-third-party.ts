import { isCleanText, isEmail } from '@coffer/contract/validators.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttleIp } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import type { SignInIdentity } from '../../outside/sign-in.ts'
import { addMerchant } from '../merchants/add-merchant.ts'
import { recordEvent } from '../merchants/record-event.ts'
import {
  changeMerchant,
  lockMerchant,
  type Merchant,
  merchantByEmail,
  merchantByGoogleSub,
} from '../merchants/store.ts'
import { tellByMail } from '../merchants/tell-by-mail.ts'
import { openSession } from './open-session.ts'

const fromOneNetwork = { max: 60, seconds: 900 }

/**
 * Signs in with the code of a third-party sign-in. The first time it opens an account, or links the one that has the same
 * mailbox; both only when the provider says the mailbox is verified. Later the provider's subject alone counts.
 */
export async function loginThirdParty(
  deps: Deps,
  input: { code: string; from: Visitor },
): Promise<{ token: string; verification: boolean }> {
  const { signIn } = deps
  if (!signIn) throw new Refusal('sign_in_failed')
  await throttleIp(deps, 'third-party', input.from.ip, fromOneNetwork)
  const identity = await signIn.exchange(input.code).catch(error => {
    deps.log.warn({ err: error }, 'a third-party sign-in was refused')
    throw new Refusal('sign_in_failed')
  })
  const { linked, ...signedIn } = await tx(deps.pool, async c => {
    const { merchant, linked } = (await known(c, identity)) ?? (await link(deps, c, identity, input.from))
    return { ...(await openSession(deps, c, merchant, input.from)), linked: linked ? merchant : undefined }
  })
  if (linked) tellByMail(deps, linked, 'sign_in_linked')
  return signedIn
}

interface Found {
  merchant: Merchant
  /** The account was there and has this sign-in only now. */
  linked: boolean
}

/** As much of a name as a merchant could have typed: providers let through what we do not. */
const cleanName = (name: string) =>
  [...name]
    .filter(isCleanText)
    .join('')
    .trim()
    .slice(0, 64)
    .replace(/\p{Cs}$/u, '')

async function known(c: Queryable, identity: SignInIdentity): Promise<Found | undefined> {
  const found = await merchantByGoogleSub(c, identity.subject)
  const merchant = found && (await lockMerchant(c, found.id))
  return merchant && { merchant, linked: false }
}

async function link(deps: Deps, c: Queryable, identity: SignInIdentity, from: Visitor): Promise<Found> {
  const email = identity.email.toLowerCase()
  if (!identity.emailVerified || !isEmail(email)) throw new Refusal('sign_in_failed')
  const added = await addMerchant(deps, c, {
    email,
    google_sub: identity.subject,
    name: cleanName(identity.name),
    password_hash: null,
    from,
  })
  if (added) return { merchant: added, linked: false }
  const found = await merchantByEmail(c, email)
  const merchant = found && (await lockMerchant(c, found.id))
  // Two first sign-ins at once end up here too: the other one has made or linked the account.
  if (merchant?.email === email && merchant.google_sub === identity.subject) return { merchant, linked: false }
  if (merchant?.email !== email || merchant.google_sub !== null) throw new Refusal('sign_in_failed')
  await changeMerchant(c, merchant.id, { google_sub: identity.subject })
  await recordEvent(deps, c, { merchantId: merchant.id, type: 'sign_in_linked', from })
  return { merchant: { ...merchant, google_sub: identity.subject }, linked: true }
}
