import { type SecurityChoice, type SecurityGroup, securityGroups } from '@coffer/contract/codes.ts'
import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { requireActiveMerchant } from '../../merchants/active-merchant.ts'
import { changePerson, lockAccount } from '../../merchants/store.ts'
import { merchantPasskeys } from '../passkeys/store.ts'
import { checkProof, type Proof, type ProofMethod, proofMethods } from '../proofs/check-proof.ts'
import { revokeTickets } from '../store.ts'

/**
 * Chooses what confirms a group of actions; `method` null accepts all methods that the merchant has. Whatever accepts
 * more than before must be confirmed by a method accepted before, and not by a ticket. Throws Refusal('not_bound') for
 * a method that cannot confirm the group now, Refusal('passkey_elsewhere') for passkeys of another host, and
 * Refusal('security_stronger') for a weaker proof.
 */
export async function setConfirmationMethod(
  deps: Deps,
  input: {
    session: Session
    group: SecurityGroup
    method: SecurityChoice | null
    proof?: Proof | undefined
    from: Visitor
  },
): Promise<void> {
  const { session, group, method, proof, from } = input
  const { personId, merchantId } = session
  const consume = await checkProof(deps, { by: session, proof, action: 'security-switch', data: { group } })
  await tx(deps.pool, async (c, uow) => {
    const before = requireActiveMerchant(await lockAccount(c, merchantId, personId))
    const { [group]: _, ...others } = before.security_switch
    const after = { ...before, security_switch: method ? { ...others, [group]: method } : others }
    const [action] = securityGroups[group]
    // What the merchant does not have, or what never confirms the group, would leave the other methods.
    if (method === 'passkey') await merchantPasskeys.require(deps, c, personId, 'method')
    if (method && !(await proofMethods(c, after, action)).includes(method))
      throw new Refusal('not_bound', { field: 'method' })
    const was = await proofMethods(c, before, action)
    const is = await proofMethods(c, after, action)
    const loosens = is.some(each => !was.includes(each))
    if (loosens && !was.includes(proof?.method as ProofMethod))
      throw new Refusal('security_stronger', { field: 'proof' })
    await consume(c)
    await changePerson(c, personId, { security_switch: after.security_switch })
    await revokeTickets(c, personId)
    const type = loosens ? 'security_loosened' : 'security_tightened'
    recordEvent(deps, uow, { merchantId, personId, type, from, params: { group, ...(method && { method }) } })
  })
}
