import { chainAdapters } from '@coffer/chains'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { reserveWithdrawal } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newTradeNo } from '../../kit/ids.ts'
import { readMember } from '../../kit/member.ts'
import { liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import type { Asset } from '../chains/assets.ts'
import { requirePayableDestination } from '../destinations/explain-destination.ts'
import { recordKnownAddresses } from '../destinations/known-addresses.ts'
import { checkProof, type Proof, passkeyConfirmedAt } from '../identity/proofs/check-proof.ts'
import { postings } from '../ledger/store.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockMerchant, type Merchant } from '../merchants/store.ts'
import { readDeciders } from '../policies/approvers.ts'
import { formatPolicyReport } from '../policies/format-policy-report.ts'
import { createApprovalLink, describeApprovalQuestion, mailApprovalLink } from './ask-approver.ts'
import { checkWithdrawal } from './eligibility.ts'
import { enqueueWithdrawalEvent, notifyOfWait } from './notify.ts'
import { createUsedNumberRefusal, type PayoutReference } from './once-per-number.ts'
import { parseAmount, readPayoutAsset } from './payout-asset.ts'
import { quotePayout, verifyPayoutQuote } from './quote.ts'
import {
  findWithdrawalByOutNo,
  insertWithdrawal,
  insertWithdrawalEvents,
  readStoredWithdrawal,
  type StoredWithdrawal,
} from './store.ts'

interface RequestWithdrawal {
  merchantId: string
  /**
   * The API key that makes the request, for which the person asks who made its secret; without it, whoever is signed in
   * does, with a proof.
   */
  byKey?: (PayoutReference & { madeBy: string }) | undefined
  assetId: string
  address: string
  /** Decimal amount in the token. */
  amount: string
  quote?: string | undefined
  remark?: string | undefined
  proof?: Proof | undefined
  from: Visitor
}

/**
 * Requests a withdrawal and reserves its amount. It waits for approval when the policy requires one, otherwise it is
 * queued to be sent. Returns its number. Throws Refusal('reference_conflict') if the application has used its number
 * (`createOncePerNumber`).
 */
export async function requestWithdrawal(deps: Deps, input: RequestWithdrawal): Promise<string> {
  const { merchantId, byKey, assetId, address, remark = '', from } = input
  const asset = await readPayoutAsset(deps, assetId)
  const amount = parseAmount(asset, input.amount)
  const { to, warnings } = await requirePayableDestination(deps, merchantId, asset, address)
  const quote = input.quote ? verifyPayoutQuote(deps, merchantId, assetId, input.quote) : await quotePayout(deps, asset)
  const data = { token_id: assetId, address, amount: input.amount }
  const consume = byKey
    ? undefined
    : await checkProof(deps, { by: readMember(merchantId, input.from), proof: input.proof, action: 'withdrawal', data })
  const made = await tx(deps.pool, async (c, uow) => {
    // One request of a merchant after the other: each sees what those before have used of its windows.
    // guard: withdrawals-lock
    const merchant = await lockMerchant(c, merchantId)
    if (!merchant) throw new Refusal('login_expired')
    await byKey?.recheck?.(c)
    // Checked after the other request with the number, it might be refused because of what that one has reserved.
    if (byKey && (await findWithdrawalByOutNo(c, merchantId, byKey.appid, byKey.outNo))) throw createUsedNumberRefusal()
    const passkeyAt = passkeyConfirmedAt(deps, input.proof)
    const { terms, value, decision, refusal } = await checkWithdrawal(deps, c, {
      merchant,
      asset,
      amount,
      to,
      quote,
      personId: byKey ? null : readMember(merchantId, from).personId,
      passkeyAt,
    })
    if (refusal) throw refusal
    await consume?.(c)
    const now = deps.clock()
    const id = newTradeNo(now)
    const isApproval = decision.outcome === 'approval'
    const status = withdrawalStatus[isApproval ? 'auditing' : 'transferring']
    const inserted = await insertWithdrawal(c, {
      merchantId,
      id,
      assetId,
      chainId: asset.chain_id,
      to,
      terms,
      value,
      rate: quote.rate,
      status,
      origin: byKey ? 'api' : 'page',
      appid: byKey?.appid ?? '',
      outNo: byKey?.outNo ?? null,
      bodyHash: byKey?.bodyHash ?? null,
      remark: remark.trim(),
      warnings,
      policy: decision.reports.map(formatPolicyReport),
      byPasskey: passkeyAt !== null,
      requestedBy: byKey ? byKey.madeBy : readMember(merchantId, from).personId,
      now,
    })
    if (!inserted) throw createUsedNumberRefusal()
    const row = await reserve(uow, { merchantId, id, asset, to, terms, status, now })
    const link = isApproval ? await askDeciders(deps, uow, merchant, row) : null
    const shownTo = chainAdapters[asset.kind].address.show(to)
    const details = { amount: input.amount, token: asset.symbol, to: shownTo }
    const isExpected = byKey !== undefined
    recordEvent(deps, uow, { merchantId, type: 'withdrawal_requested', from, params: { id }, details, isExpected })
    return { id, merchant, link }
  })
  if (made.link) mailApprovalLink(deps, made.merchant, made.link)
  return made.id
}

interface Reserved {
  merchantId: string
  id: string
  asset: Asset
  to: string
  terms: Awaited<ReturnType<typeof checkWithdrawal>>['terms']
  status: number
  now: number
}

/** Reserves the amount of a withdrawal just stored, begins its history and calls the shop back. Returns its row. */
async function reserve(uow: UnitOfWork, { merchantId, id, asset, to, terms, status, now }: Reserved) {
  const { c } = uow
  await recordKnownAddresses(c, [{ merchant_id: merchantId, chain_id: asset.chain_id, address: to, payer: false }])
  await insertWithdrawalEvents(c, [
    { merchant_id: merchantId, withdrawal_id: id, seq: 1, status, event: 'requested', detail: '', created_at: now },
  ])
  const group = reserveWithdrawal({ id, merchantId, assetId: asset.id, ...terms })
  uow.add(postings, [{ group, memo: { trade_no: id, to_address: to }, at: now }])
  uow.add(liveHints, [{ merchant_id: merchantId, type: 'withdrawal', id }])
  const row = (await readStoredWithdrawal(c, merchantId, id))!
  enqueueWithdrawalEvent(uow, row, 'withdrawal.created', now)
  return row
}

/**
 * Asks whoever decides about a withdrawal: notifies the members, or makes the link of an approver outside. Returns the
 * link, to be mailed; null without one.
 */
async function askDeciders(deps: Deps, uow: UnitOfWork, merchant: Merchant, row: StoredWithdrawal) {
  const { c } = uow
  const { merchant_id: merchantId, id } = row
  const deciders = await (await readDeciders(deps, c, merchant))(row)
  if (deciders.by === 'members') notifyOfWait(uow, row, deps.clock())
  if (deciders.by !== 'link') return null
  const { email } = deciders
  const token = await createApprovalLink(deps, c, { merchantId, id, email })
  return { email, token, ...(await describeApprovalQuestion(c, merchantId, id)) }
}
