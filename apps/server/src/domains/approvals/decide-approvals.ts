import { describeSignedDecision } from '@coffer/contract/approvals/signed-decision.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, run, tx } from '../../kit/db.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { assertAccountNotHeld } from '../merchants/hold.ts'
import { lockMerchant, type Merchant } from '../merchants/store.ts'
import { type ApprovingMember, readDeciders } from '../policies/approvers.ts'
import { readWithdrawals } from '../withdrawals/list.ts'
import { notifyOfApproval } from '../withdrawals/notify.ts'
import { presentWithdrawal } from '../withdrawals/present.ts'
import { applyWithdrawalSteps, withdrawalStateOf } from '../withdrawals/steps.ts'
import { lockWithdrawals, type StoredWithdrawal } from '../withdrawals/store.ts'

interface Decided {
  merchantId: string
  ids: readonly string[]
  decision: 'approve' | 'reject'
  reason?: string | undefined
  proof?: Proof | undefined
  from: Visitor
}

const insertDecision = run(
  'decision-insert',
  `insert into withdrawal_decisions (merchant_id, withdrawal_id, person_id, decision, decided_at)
   values ($1, $2, $3, $4, $5)`,
)

/**
 * Approves or rejects withdrawals that wait for this member, all or none. A passkey must have signed for the decision,
 * and for each of them as it is stored. Throws Refusal('withdrawal_cannot_change') where one does not wait any more,
 * and Refusal('approval_not_yours') where somebody else decides; both name which.
 */
export async function decideApprovals(deps: Deps, input: Decided): Promise<void> {
  const { merchantId, decision, proof, from } = input
  const by = readMember(merchantId, from)
  const ids = [...new Set(input.ids)].sort()
  const shown = await readWithdrawals(deps.pool, merchantId, ids)
  refuseSome(
    'withdrawal_not_exist',
    ids.filter(id => shown.every(row => row.id !== id)),
  )
  const data = describeSignedDecision(decision, shown.map(presentWithdrawal))
  // Rejecting only returns money to the balance.
  const whileHeld = decision === 'reject'
  const consume = await checkProof(deps, { by, proof, action: 'approval', data, whileHeld })
  await tx(deps.pool, async (c, uow) => {
    // One decision of a merchant after the other, as requests: each counts what those before have let leave.
    // guard: decisions-lock
    const merchant = requireActiveMerchant(await lockMerchant(c, merchantId))
    if (!whileHeld) assertAccountNotHeld(deps, merchant)
    await consume(c)
    const rows = await lockWithdrawals(
      c,
      ids.map(() => merchantId),
      ids,
    )
    refuseSome(
      'withdrawal_cannot_change',
      rows.flatMap(row => (withdrawalStateOf(row) === 'auditing' ? [] : [row.id])),
    )
    // One after the other: each counts what those before have let leave.
    for (const row of rows) await decideOne(deps, uow, { ...input, personId: by.personId, merchant, row })
  })
}

type RefusedDecision = 'withdrawal_not_exist' | 'withdrawal_cannot_change' | 'approval_not_yours'

/** Makes the refusal of a decision because of some withdrawals, which it names. */
function createRefusal(reason: RefusedDecision, ids: readonly string[]): Refusal {
  const numbers = ids.join(', ')
  return new Refusal(reason, { field: 'ids', detail: { en: numbers, 'zh-CN': numbers }, data: { ids } })
}

function refuseSome(reason: RefusedDecision, ids: readonly string[]): void {
  if (ids.length > 0) throw createRefusal(reason, ids)
}

interface DecidedOne extends Omit<Decided, 'ids' | 'proof'> {
  personId: string
  merchant: Merchant
  row: StoredWithdrawal
}

async function decideOne(deps: Deps, uow: UnitOfWork, given: DecidedOne): Promise<void> {
  const { merchantId, decision, reason = '', from, row } = given
  const { c } = uow
  const now = deps.clock()
  const { approver, member } = await findDecider(deps, c, given)
  const { id: personId, email } = member
  const approved = { approved_by: email, approved_for: approver, approved_at: now }
  const step =
    decision === 'approve'
      ? { event: 'approved' as const, to: 'transferring' as const, changes: approved }
      : { event: 'rejected' as const, to: 'audit_rejected' as const, changes: { reason: reason.trim() } }
  await applyWithdrawalSteps(uow, [{ row, detail: email, ...step }], now)
  await insertDecision(c, merchantId, row.id, personId, decision === 'approve' ? 'approved' : 'rejected', now)
  if (decision === 'approve') notifyOfApproval(uow, row, email, now)
  const type = decision === 'approve' ? 'withdrawal_approved' : 'withdrawal_rejected'
  recordEvent(deps, uow, { merchantId, type, from, params: { id: row.id } })
}

/** Returns the member who decides about a withdrawal now. Throws Refusal('approval_not_yours') for another one. */
async function findDecider(
  deps: Deps,
  c: Queryable,
  { personId, merchant, row }: Pick<DecidedOne, 'personId' | 'merchant' | 'row'>,
): Promise<{ approver: string; member: ApprovingMember }> {
  const deciders = await (await readDeciders(deps, c, merchant))(row)
  const member = deciders.by === 'members' ? deciders.members.find(({ id }) => id === personId) : undefined
  if (deciders.by !== 'members' || !member) throw createRefusal('approval_not_yours', [row.id])
  return { approver: deciders.approver, member }
}
