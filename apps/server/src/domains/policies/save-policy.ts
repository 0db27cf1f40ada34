import type { StoredPolicyRule } from '@coffer/contract/policies/routes.ts'
import { type Approver, isPolicyLoosened, type PolicyRule } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { first, run, tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import { newPersonSeconds, sameMailbox } from '../../kit/same-person.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { merchantPasskeys } from '../identity/passkeys/store.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { lockMerchant } from '../merchants/store.ts'
import { type ApprovingMember, listApprovingMembers } from './approvers.ts'
import { activePolicy, findApproverByRules, toRule } from './policy.ts'

/** Seconds until a looser policy is in force: the owner has a day to notice it. */
const looseningSeconds = 86_400

const withdrawPending = run(
  'withdrawal-policy-withdraw',
  'update withdrawal_policies set withdrawn = true where merchant_id = $1 and active_from > $2 and not withdrawn',
)
const insert = run(
  'withdrawal-policy-insert',
  'insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, $2, $3, $4, $5)',
)

/** The members of a shop, at a time. */
interface Members {
  members: readonly ApprovingMember[]
  now: number
}

/** Whether whoever approves for one approver could approve for another: the same, or one member of a role. */
const isApproverWithin = (approver: Approver | null, other: Approver, { members, now }: Members): boolean =>
  approver === other ||
  members.some(
    ({ id, role, since }) => approver === `person:${id}` && other === `role:${role}` && since + newPersonSeconds <= now,
  )

/** Whether nobody else approves each value, to one receiver and in all, that needs an approval. */
function keepsApprovers(before: readonly PolicyRule[], after: readonly PolicyRule[], members: Members): boolean {
  const approvals = [...before, ...after].filter(rule => rule.kind === 'approval')
  const values = (of: 'above' | 'aboveInAll') => [0n, ...approvals.map(rule => rule[of] + 1n)]
  const approver = (rules: readonly PolicyRule[], toReceiver: bigint, inAll: bigint) =>
    findApproverByRules(
      rules.filter(rule => rule.kind === 'approval' && (toReceiver > rule.above || inAll > rule.aboveInAll)),
    )
  return values('above').every(toReceiver =>
    values('aboveInAll').every(inAll => {
      const present = approver(before, toReceiver, inAll)
      return present === null || isApproverWithin(approver(after, toReceiver, inAll), present, members)
    }),
  )
}

/**
 * Refuses approvers who could not approve: the mailbox of a member, who approves as that instead, and a person who is
 * no member, or of a role that does not approve.
 */
function checkApprovers(rules: readonly StoredPolicyRule[], owner: string, members: readonly ApprovingMember[]): void {
  const approvals = rules.filter(rule => rule.kind === 'approval')
  const own = [owner, ...members.map(({ email }) => email)]
  if (approvals.some(({ approver = '' }) => own.some(email => sameMailbox(approver, email))))
    throw new Refusal('approver_is_owner', { field: 'rules' })
  if (approvals.some(({ person }) => person !== undefined && members.every(({ id }) => id !== person)))
    throw new Refusal('member_not_approving', { field: 'rules' })
}

/** Reads the policy that is to come into force after a time. */
export const pendingPolicy = first(
  'withdrawal-policy-pending',
  `select rules, active_from from withdrawal_policies
   where merchant_id = $1 and not withdrawn and active_from > $2 order by active_from desc, id desc limit 1`,
)

/**
 * Replaces the withdrawal policy. A policy that allows nothing more than the present one is in force at once; one that
 * could is in force after 24 hours. Either replaces a pending policy. The merchant is notified by mail.
 */
export async function savePolicy(
  deps: Deps,
  input: { merchantId: string; rules: StoredPolicyRule[]; proof?: Proof | undefined; from: Visitor },
): Promise<void> {
  const { merchantId, rules, from } = input
  // Without a passkey such a rule would stop every withdrawal above its limit.
  const by = readMember(merchantId, input.from)
  if (rules.some(rule => rule.kind === 'fresh_factor'))
    await merchantPasskeys.require(deps, deps.pool, by.personId, 'rules')
  const consume = await checkProof(deps, {
    by,
    proof: input.proof,
    action: 'withdrawal-settings',
  })
  await tx(deps.pool, async (c, uow) => {
    // Locked like a request, which is evaluated by one policy or by the other.
    const merchant = requireActiveMerchant(await lockMerchant(c, merchantId), { approved: true })
    const now = deps.clock()
    const present = await activePolicy(c, merchantId, now)
    const members = await listApprovingMembers(c, merchantId)
    checkApprovers(rules, merchant.email, members)
    const before = (present?.rules ?? []).map(toRule)
    const after = rules.map(toRule)
    // Another approver may approve what the one before would not.
    const isLooser = isPolicyLoosened(before, after) || !keepsApprovers(before, after, { members, now })
    await withdrawPending(c, merchantId, now)
    await insert(c, merchantId, newId(), JSON.stringify(rules), isLooser ? now + looseningSeconds : now, now)
    await consume(c)
    recordEvent(deps, uow, { merchantId, type: isLooser ? 'policy_loosened' : 'policy_tightened', from })
  })
}
