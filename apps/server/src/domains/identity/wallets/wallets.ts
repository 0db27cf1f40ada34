import { chainAdapters } from '@coffer/chains'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { type Queryable, tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { UnitOfWork } from '../../../kit/unit-of-work.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { requireActiveMerchant } from '../../merchants/active-merchant.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import { holdAfterFactorChange, lockAccount, lockAccountToOpen } from '../../merchants/store.ts'
import { endSessionsOfPerson } from '../../people/sessions.ts'
import { checkCode } from '../codes/check-code.ts'
import { checkProof, type Proof } from '../proofs/check-proof.ts'
import { openSession, rotateToken, type SignInResult } from '../sessions/sessions.ts'
import { findPersonByIdentity, linkIdentity, readIdentity, revokeTickets, unlinkIdentity } from '../store.ts'
import { requireWorkByIp } from '../work/work.ts'
import { checkWallet, walletMessage, walletMessageSeconds } from './wallet-message.ts'

const provider = 'wallet'
/** Strangers can make nodes answer for contract wallets. */
const ipLimit = { max: 60, seconds: 900 }

/** A message and its signature, as sent. */
interface Signed {
  message: string
  signature: string
}

const addressIn = (subject: string) => chainAdapters.evm.address.show(subject.slice(-42))

/** Returns the address of the linked wallet; empty without one. */
export async function readLinkedWallet(c: Queryable, personId: string): Promise<string> {
  const found = await readIdentity(c, personId, provider)
  return found ? addressIn(found.subject) : ''
}

/** Returns the message with which a wallet signs in, or is linked to the person of a session. */
export async function requestWalletMessage(
  deps: Deps,
  session: Session | null,
  query: { address: string; chain_id: number },
) {
  const purpose = { owner: session?.personId ?? null, address: query.address, chainId: query.chain_id }
  return { message: await walletMessage(deps, purpose), expires_in: walletMessageSeconds }
}

/**
 * Signs in with a linked wallet. A bound authenticator is requested afterwards. Throws Refusal('wallet_unknown')
 * without spending the message, so that the same signature can register.
 */
export async function loginByWallet(
  deps: Deps,
  { from, ...signed }: Signed & { from: Visitor },
): Promise<SignInResult> {
  await requireWorkByIp(deps, 'wallet login', from, ipLimit)
  const { subject, consume } = await checkWallet(deps, { ...signed, owner: null })
  return tx(deps.pool, async (c, uow) => {
    await consume(c)
    const found = await findPersonByIdentity(c, provider, subject)
    const merchant = found && (await lockAccountToOpen(c, found.person_id))
    if (!merchant) throw new Refusal('wallet_unknown')
    return openSession(deps, uow, merchant, from)
  })
}

/** Creates an account with an email, the code sent to it and a wallet, and signs in. */
export async function registerByWallet(
  deps: Deps,
  input: Signed & {
    email: string
    code: string
    challenge?: string | undefined
    time_zone?: string | undefined
    from: Visitor
  },
): Promise<SignInResult> {
  const { email, message, signature, time_zone, from } = input
  await requireWorkByIp(deps, 'wallet login', from, ipLimit)
  const { subject, consume } = await checkWallet(deps, { message, signature, owner: null })
  const consumeCode = await checkCode(deps, ['email', email, emailCodePurpose.register], input, input.code)
  return tx(deps.pool, async (c, uow) => {
    await consumeCode(c)
    await consume(c)
    const merchant = await createMerchant(deps, uow, { email, name: '', password_hash: null, time_zone, from })
    if (!merchant) throw new Refusal('mailbox_exists', { field: 'email' })
    await link(deps, uow, merchant.person_id, subject)
    return openSession(deps, uow, merchant, from)
  })
}

async function link(deps: Deps, { c }: UnitOfWork, personId: string, subject: string): Promise<void> {
  if (!(await linkIdentity(c, provider, subject, personId, deps.clock())))
    throw new Refusal('wallet_taken', { field: 'signature' })
}

/** Links a wallet, with a proof. Holds withdrawals for a while. Returns a new token for this session. */
export async function linkWallet(
  deps: Deps,
  { session, proof, from, ...signed }: Signed & { session: Session; proof?: Proof | undefined; from: Visitor },
): Promise<{ token: string }> {
  const { personId, merchantId, tokenHash } = session
  const consumeProof = await checkProof(deps, { by: session, proof, action: 'wallet' })
  const { subject, consume } = await checkWallet(deps, { ...signed, owner: personId })
  const address = addressIn(subject)
  return tx(deps.pool, async (c, uow) => {
    requireActiveMerchant(await lockAccount(c, merchantId, personId))
    if (await readIdentity(c, personId, provider)) throw new Refusal('already_bound')
    await consume(c)
    await consumeProof(c)
    await link(deps, uow, personId, subject)
    await holdAfterFactorChange(c, personId, deps.clock())
    await revokeTickets(c, personId)
    recordEvent(deps, uow, { merchantId, personId, type: 'wallet_linked', from, params: { address } })
    return { token: await rotateToken(c, tokenHash) }
  })
}

/**
 * Unlinks the wallet, with a proof. Codes sent to the email always remain to sign in. Ends the other sessions, which
 * may have been opened with the wallet, and returns a new token for this one.
 */
export async function unlinkWallet(
  deps: Deps,
  { session, proof, from }: { session: Session; proof?: Proof | undefined; from: Visitor },
): Promise<{ token: string }> {
  const { personId, merchantId, tokenHash } = session
  const consume = await checkProof(deps, { by: session, proof, action: 'wallet' })
  return tx(deps.pool, async (c, uow) => {
    requireActiveMerchant(await lockAccount(c, merchantId, personId))
    const address = await readLinkedWallet(c, personId)
    if (address === '') throw new Refusal('not_bound')
    await consume(c)
    await unlinkIdentity(c, personId, provider)
    await holdAfterFactorChange(c, personId, deps.clock())
    await revokeTickets(c, personId)
    await endSessionsOfPerson(c, personId, tokenHash)
    recordEvent(deps, uow, { merchantId, personId, type: 'wallet_unlinked', from, params: { address } })
    return { token: await rotateToken(c, tokenHash) }
  })
}
