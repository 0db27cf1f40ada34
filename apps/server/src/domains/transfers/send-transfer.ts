import type { ListedEvent } from '@coffer/contract/events.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { computeValueInUsdt, makeTransferPostings } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { readMember } from '../../kit/member.ts'
import { events } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { type Asset, readEnabledAsset } from '../chains/assets.ts'
import { checkProof, type Proof, passkeyConfirmedAt } from '../identity/proofs/check-proof.ts'
import { postings } from '../ledger/store.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { lockMerchant, type Merchant } from '../merchants/store.ts'
import { formatPolicyRefusal, formatPolicyReport, policyRefusals } from '../policies/format-policy-report.ts'
import { evaluatePolicy, readMailboxCoolDown } from '../policies/policy.ts'
import { createPriceRefusal } from '../prices/create-price-refusal.ts'
import { quoteInUsdt } from '../prices/locked-rates.ts'
import { findPayoutRefusal } from '../withdrawals/eligibility.ts'
import { parseAmount } from '../withdrawals/payout-asset.ts'
import { readAvailableBalance } from '../withdrawals/store.ts'
import { findReceiver, lockReceiver, maskName } from './find-receiver.ts'
import { addReceiver, findTransferByRequestKey, insertTransfer, readReceiverKnownSince } from './store.ts'

export interface SendTransferInput {
  merchantId: string
  /** Merchant ID or email of the receiver. */
  account: string
  assetId: string
  /** Decimal string. */
  amount: string
  note: string
  proof: Proof
  /** The caller's Idempotency-Key. The same request of a member with the same key transfers once. */
  requestKey: string | undefined
  from: Visitor
}

/**
 * Transfers a balance to another merchant, at once. Refused where a withdrawal would be: on hold, frozen, beyond the
 * limits. Without a second factor the first attempt only adds the receiver, and is refused as those after it are, until
 * new ways out have waited.
 */
export async function sendTransfer(deps: Deps, input: SendTransferInput): Promise<{ id: string }> {
  const { merchantId, account, assetId, proof, from } = input
  const requestKey = keyOfMember(input)
  const note = input.note.trim()
  const asset = await readEnabledAsset(deps.pool, assetId)
  if (!asset) throw new Refusal('currency_not_exist', { field: 'token_id' })
  const amount = parseAmount(asset, input.amount)
  if (amount <= 0n) throw new Refusal('bad_amount', { field: 'amount' })
  const receiver = await findReceiver(deps, deps.pool, merchantId, account)
  const sent = await findSent(deps, { ...input, requestKey }, { receiver: receiver.id, amount, note })
  if (sent) return { id: sent }
  const rate = (await quoteInUsdt(deps, [asset.price_of]))[asset.price_of]
  if (!rate) throw await createPriceRefusal(deps, asset.symbol, 'token_id')
  const value = computeValueInUsdt(amount, asset.decimals, rate.price)
  const data = { account, token_id: assetId, amount: input.amount }
  const consume = await checkProof(deps, { by: readMember(merchantId, from), proof, action: 'transfer', data })
  const made = await tx(deps.pool, async (c, uow) => {
    // One payout of a merchant after the other: each sees what those before have used of its windows.
    const sender = requireActiveMerchant(await lockMerchant(c, merchantId), { approved: true })
    const to = await lockReceiver(c, receiver.id)
    const passkeyAt = passkeyConfirmedAt(deps, proof)
    const terms = { assetId, chainId: asset.chain_id, to: null, receiver: to.id, value, passkeyAt }
    const facts = { merchant: sender, ...terms, personId: null }
    const forbidden = await findPayoutRefusal(deps, c, { merchant: sender, asset })
    if (forbidden) throw forbidden
    const available = (await readAvailableBalance(c, merchantId, assetId))?.balance ?? 0n
    // No rule helps who does not have the amount.
    if (amount > available) throw new Refusal('insufficient_balance', { field: 'amount' })
    const refusal = await denied(deps, c, facts)
    if (refusal) throw refusal
    const id = newId()
    const now = deps.clock()
    const wait = await readMailboxCoolDown(deps, c, sender, readMember(merchantId, from).personId)
    const since = (await readReceiverKnownSince(c, merchantId, to.id))?.created_at
    const left = wait === 0 ? 0 : (since ?? now) + wait - now
    if (since !== undefined && left > 0) throw waits(left)
    await consume(c)
    if (since === undefined) await addReceiver(c, merchantId, to.id, now)
    if (left > 0) {
      const details = { name: maskName(to.name) }
      const params = { receiver: to.mchid, hours: String(Math.ceil(left / 3_600)) }
      recordEvent(deps, uow, { merchantId, type: 'transfer_receiver_added', from, params, details })
      return { id, waits: left }
    }
    await insertTransfer(
      c,
      id,
      merchantId,
      to.id,
      assetId,
      amount,
      note,
      requestKey ?? '',
      now,
      value,
      passkeyAt !== null,
    )
    bookTransfer(uow, { id, sender, to, asset, amount, note, now })
    recordEvent(deps, uow, { merchantId, type: 'transfer_sent', from, params: { id } })
    return { id, waits: 0 }
  })
  if (made.waits === 0) return { id: made.id }
  throw waits(made.waits)
}

/**
 * The key as it is stored: that of another member than who opened the shop with the person, as HTTP keeps answers. No
 * member gets the answer of another one's transfer, in place of an own one and without an own proof.
 */
function keyOfMember({ merchantId, requestKey, from }: SendTransferInput): string | undefined {
  const { personId } = readMember(merchantId, from)
  return requestKey === undefined || personId === merchantId ? requestKey : `${personId} ${requestKey}`
}

/**
 * Finds the transfer that was made with the request's key. Throws Refusal('idempotency_conflict') if that was for
 * another request.
 */
async function findSent(
  deps: Deps,
  { merchantId, requestKey, assetId }: SendTransferInput,
  { receiver, amount, note }: { receiver: string; amount: bigint; note: string },
): Promise<string | undefined> {
  if (requestKey === undefined) return undefined
  const sent = await findTransferByRequestKey(deps.pool, merchantId, requestKey)
  const isSame =
    sent?.other_id === receiver && sent.asset_id === assetId && sent.amount === amount && sent.note === note
  if (sent && !isSame) throw new Refusal('idempotency_conflict')
  return sent?.id
}

interface Booked {
  id: string
  sender: Merchant
  to: Merchant
  asset: Asset
  amount: bigint
  note: string
  now: number
}

/** Posts a transfer to the books, and notifies both merchants. */
function bookTransfer(uow: UnitOfWork, { id, sender, to, asset, amount, note, now }: Booked): void {
  const group = makeTransferPostings({ id, from: sender.id, to: to.id, assetId: asset.id, amount })
  uow.add(postings, [{ group, memo: { note }, at: now }])
  const notice = (merchant_id: string, name: ListedEvent, other: Merchant) => ({
    merchant_id,
    name,
    params: { id, ...shown(asset, amount), name: maskName(other.name) },
    created_at: now,
  })
  uow.add(events, [notice(sender.id, 'transfer_sent', to), notice(to.id, 'transfer_received', sender)])
}

/**
 * The refusal of a receiver who is too new for a merchant without a second factor: who reads the mailbox can name one.
 */
function waits(seconds: number): Refusal {
  const hours = Math.ceil(seconds / 3_600)
  const detail = {
    en: `the receiver is new: without an authenticator or passkey the transfer is possible in ${hours} h, try again then`,
    'zh-CN': `收款方为新增：账号未绑定验证器或通行密钥，请于 ${hours} 小时后再次划转`,
  }
  return new Refusal('policy_refused', { text: policyRefusals.transfer, field: 'account', detail })
}

/**
 * Evaluates a transfer by the policy of withdrawals, so that transfers cannot bypass it. A merchant is no address of
 * the book: a policy that pays only those refuses transfers. Nobody approves transfers: what would need it is refused.
 */
async function denied(deps: Deps, c: Queryable, facts: Parameters<typeof evaluatePolicy>[2]) {
  const { reports } = await evaluatePolicy(deps, c, facts)
  const refusing = reports.filter(({ allowed }) => !allowed)
  if (refusing.length === 0) return null
  // A passkey is requested last: it satisfies only its own rule.
  const isFactor = refusing.every(({ rule }) => rule.kind === 'fresh_factor')
  return new Refusal(isFactor ? 'passkey_needed' : 'policy_refused', {
    ...(!isFactor && { text: policyRefusals.transfer }),
    field: 'amount',
    detail: formatPolicyRefusal(refusing, facts.value),
    data: reports.map(formatPolicyReport),
  })
}

const shown = ({ symbol, decimals, definition }: Asset, amount: bigint) => ({
  amount: formatDecimal(amount, decimals),
  token: symbol,
  chain: definition.name,
})
