import { randomInt, timingSafeEqual } from 'node:crypto'
import { chainAdapters } from '@coffer/chains'
import type { RouteData } from '@coffer/contract'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { maskEmail } from '@coffer/contract/kit/texts.ts'
import type { Deps } from '../../deps.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { first, type Queryable, run, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { sameMailbox } from '../../kit/same-person.ts'
import { hashCode, hashSecret } from '../../kit/secrets.ts'
import { throttle, throttleIp } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant, requireActiveMerchant } from '../merchants/active-merchant.ts'
import { codeMail } from '../merchants/mails.ts'
import { lockMerchant, type Merchant, merchantById } from '../merchants/store.ts'
import { readDeciders } from '../policies/approvers.ts'
import { createApprovalLink, describeApprovalQuestion, mailApprovalLink } from '../withdrawals/ask-approver.ts'
import { readWithdrawal } from '../withdrawals/list.ts'
import { applyWithdrawalSteps, withdrawalStateOf } from '../withdrawals/steps.ts'
import { lockWithdrawal, type StoredWithdrawal } from '../withdrawals/store.ts'

type Approval = RouteData<'POST /api/v1/public/withdrawal-approval'>

/** Seconds for which a code is valid. */
const codeSeconds = 600
/** Seconds between two codes, and codes of one link in an hour. */
const codePause = 60
const codesMax = { max: 10, seconds: 3_600 }
const linksMax = { max: 10, seconds: 3_600 }
const visits = { max: 60, seconds: 60 }

const columns = 'merchant_id, withdrawal_id, email, expires_at, code_hash, code_until, code_sent_at, decision'
const byToken = first('approval-by-token', `select ${columns} from withdrawal_approvals where token_hash = $1`)
const tryCode = first(
  'approval-try-code',
  `update withdrawal_approvals set code_tries = code_tries + 1
   where token_hash = $1 and code_hash is not null and code_until > $2 and code_tries < $3 returning code_hash`,
)
/** Takes back a counted attempt that was correct. */
const uncountTry = run(
  'approval-untry-code',
  'update withdrawal_approvals set code_tries = code_tries - 1 where token_hash = $1 and code_hash = $2 and code_tries > 0',
)
const setCode = run(
  'approval-code',
  `update withdrawal_approvals set code_hash = $2, code_until = $3, code_sent_at = $4, code_tries = 0
   where token_hash = $1 and code_sent_at <= $5 and decision is null returning 1`,
)
const decideOnce = run(
  'approval-decide',
  `update withdrawal_approvals set decision = $2, decided_at = $3, code_hash = null
   where token_hash = $1 and decision is null and expires_at > $3 and code_hash = $4 returning 1`,
)

/** Returns the address of whoever approves a withdrawal by a link now; null where others decide. */
async function findLinkApprover(deps: Deps, c: Queryable, merchant: Merchant, row: StoredWithdrawal) {
  const deciders = await (await readDeciders(deps, c, merchant))(row)
  return deciders.by === 'link' ? deciders.email : null
}

/** Sends the approver a new link to a withdrawal that waits; the one before ends. */
export async function resendApprovalLink(
  deps: Deps,
  { merchantId, id, from }: { merchantId: string; id: string; from: Visitor },
): Promise<void> {
  await throttle(deps, `approval links ${merchantId}`, linksMax)
  const made = await tx(deps.pool, async (c, uow) => {
    const merchant = await lockActiveMerchant(c, merchantId)
    const row = await lockWithdrawal(c, merchantId, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    const email = await findLinkApprover(deps, c, merchant, row)
    if (withdrawalStateOf(row) !== 'auditing' || email === null)
      throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    const token = await createApprovalLink(deps, c, { merchantId, id, email })
    recordEvent(deps, uow, { merchantId, type: 'approval_link_sent', from, params: { id } })
    return { merchant, email, token, ...(await describeApprovalQuestion(c, merchantId, id)) }
  })
  mailApprovalLink(deps, made.merchant, made)
}

/** Finds a link. Throws Refusal('link_not_valid') for one that does not exist, was replaced or has expired. */
async function open(deps: Deps, token: string, from: Visitor) {
  await throttleIp(deps, 'approval', from.ip, visits)
  const row = await byToken(deps.pool, hashSecret(token))
  if (!row || (row.decision === null && row.expires_at <= deps.clock())) throw new Refusal('link_not_valid')
  return row
}

/** Shows the withdrawal of a link. */
export async function readLinkedApproval(deps: Deps, token: string, from: Visitor): Promise<Approval> {
  const link = await open(deps, token, from)
  const [merchant, row] = await Promise.all([
    merchantById(deps.pool, link.merchant_id),
    readWithdrawal(deps.pool, link.merchant_id, link.withdrawal_id),
  ])
  if (!merchant || !row) throw new Refusal('link_not_valid')
  const inToken = (units: bigint) => formatDecimal(units, row.decimals)
  return {
    state: link.decision ?? (withdrawalStateOf(row) === 'auditing' ? 'open' : 'closed'),
    merchant: merchant.name || merchant.email,
    requester: row.apply_name ?? merchant.email,
    // Whose mailbox it is can be seen, but not the address.
    email: maskEmail(link.email),
    amount: inToken(row.amount),
    fee: inToken(row.fee),
    gas: inToken(row.gas),
    receives: inToken(row.receives),
    token: row.token,
    chain: row.definition.name,
    address: chainAdapters[row.definition.kind].address.show(row.to_address),
    usdt_value: usdtValueText(row.usdt_value),
    remark: row.remark,
    policy: row.policy,
    created_time: row.created_at,
    expire_time: link.expires_at,
  }
}

const codeOf = (deps: Deps, token: string, code: string) =>
  hashCode(deps.config.secret, ['withdrawal approval', token, code])

/** Mails the approver a code. Returns the seconds until another one can be sent. */
export async function sendApprovalCode(deps: Deps, token: string, from: Visitor): Promise<number> {
  const link = await open(deps, token, from)
  if (link.decision !== null) throw new Refusal('withdrawal_cannot_change')
  const now = deps.clock()
  const wait = () => new Refusal('frequent_operation', { retryAfter: Math.max(1, link.code_sent_at + codePause - now) })
  if (link.code_sent_at > now - codePause) throw wait()
  await throttle(deps, `approval codes ${link.merchant_id} ${link.withdrawal_id}`, codesMax)
  const code = String(randomInt(1_000_000)).padStart(limits.codeDigits, '0')
  const hash = hashSecret(token)
  const set = await setCode(deps.pool, hash, codeOf(deps, token, code), now + codeSeconds, now, now - codePause)
  if (set === 0) throw wait()
  try {
    await deps.mail.send({ to: link.email, ...codeMail(from.language, emailCodePurpose.approval, code) })
  } catch (error) {
    deps.log.error({ err: error }, 'approval code not sent')
    throw new Refusal('mail_failed')
  }
  return codePause
}

/**
 * Approves or rejects the withdrawal of a link with the code. The link decides once; a repeated decision changes
 * nothing. Throws Refusal('approver_is_owner') when the approver has become the owner of the account.
 */
export async function decideApprovalByLink(
  deps: Deps,
  input: { token: string; decision: 'approve' | 'reject'; code: string; reason?: string | undefined; from: Visitor },
): Promise<void> {
  const { token, code, reason = '', from } = input
  const decision = input.decision === 'approve' ? 'approved' : 'rejected'
  const link = await open(deps, token, from)
  if (link.decision === decision) return
  if (link.decision !== null) throw new Refusal('withdrawal_cannot_change')
  const { merchant_id: merchantId, withdrawal_id: id, email } = link
  const wrong = () => new Refusal('email_code_error', { field: 'code' })
  const hash = hashSecret(token)
  const tried = await tryCode(deps.pool, hash, deps.clock(), limits.codeTriesMax)
  const given = codeOf(deps, token, code)
  // The same decision, sent twice at once, may have come first, and has used up the code.
  const decidedSo = async (c: Queryable) => (await byToken(c, hash))?.decision === decision
  if (!tried?.code_hash || !timingSafeEqual(tried.code_hash, given)) {
    if (await decidedSo(deps.pool)) return
    throw wrong()
  }
  // Only wrong codes are attempts: a decision refused for another reason is repeated with the same code.
  await uncountTry(deps.pool, hash, given)
  await tx(deps.pool, async (c, uow) => {
    // As decisions of members, one after the other.
    const merchant = requireActiveMerchant(await lockMerchant(c, merchantId))
    if (sameMailbox(merchant.email, email)) throw new Refusal('approver_is_owner')
    const row = await lockWithdrawal(c, merchantId, id)
    if (await decidedSo(c)) return
    if (!row || withdrawalStateOf(row) !== 'auditing') throw new Refusal('withdrawal_cannot_change')
    const now = deps.clock()
    // Whom the policy names now, alone: what the operator must approve since, and who was replaced, is not decided by
    // the link.
    const isApprover = (await findLinkApprover(deps, c, merchant, row)) === email
    if (decision === 'approved' && !isApprover) throw new Refusal('link_not_valid')
    if ((await decideOnce(c, hash, decision, now, given)) === 0) throw wrong()
    const step =
      decision === 'approved'
        ? { event: 'approved' as const, to: 'transferring' as const, changes: { approved_by: email, approved_at: now } }
        : { event: 'rejected' as const, to: 'audit_rejected' as const, changes: { reason: reason.trim() } }
    await applyWithdrawalSteps(uow, [{ row, detail: email, ...step }], now)
    const type = decision === 'approved' ? 'withdrawal_approved' : 'withdrawal_rejected'
    recordEvent(deps, uow, { merchantId, type, from, params: { id } })
  })
}
