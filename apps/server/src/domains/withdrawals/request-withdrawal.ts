import { kinds } from '@coffer/chains'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { reserveWithdrawal } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newTradeNo } from '../../kit/ids.ts'
import { hints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkProof, type Proof, passkeyTime } from '../identity/check-proof.ts'
import { postings } from '../ledger/store.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mailEvent } from '../merchants/mails.ts'
import { lockMerchant } from '../merchants/store.ts'
import { payableDestination } from './explain-destination.ts'
import { judge } from './judge.ts'
import { parseAmount, payoutAsset } from './payout-asset.ts'
import { policyReport } from './policy-report.ts'
import { openQuote, quotePayout } from './quote.ts'
import { insertWithdrawal, insertWithdrawalEvents } from './store.ts'

interface RequestWithdrawal {
  merchantId: string
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
 * Requests a withdrawal and reserves its amount. It waits for approval when the policy asks for one, otherwise it is queued to be
 * sent. Returns its number.
 */
export async function requestWithdrawal(deps: Deps, input: RequestWithdrawal): Promise<string> {
  const { merchantId, assetId, address, remark = '', from } = input
  const asset = await payoutAsset(deps, assetId)
  const amount = parseAmount(asset, input.amount)
  const to = await payableDestination(deps, merchantId, asset, address)
  const quote = input.quote ? openQuote(deps, merchantId, assetId, input.quote) : await quotePayout(deps, asset)
  const data = { token_id: assetId, address, amount: input.amount }
  const consume = await checkProof(deps, { merchantId, proof: input.proof, action: 'withdrawal', data })
  const { id, merchant } = await tx(deps.pool, async (c, uow) => {
    // One request of a merchant after the other: each sees what those before have used of its windows.
    const merchant = await lockMerchant(c, merchantId)
    if (!merchant) throw new Refusal('login_expired')
    const passkeyAt = passkeyTime(deps, input.proof)
    const { terms, value, decision, refusal } = await judge(deps, c, { merchant, asset, amount, to, quote, passkeyAt })
    if (refusal) throw refusal
    await consume(c)
    const now = deps.clock()
    const id = newTradeNo(now)
    const status = withdrawalStatus[decision.outcome === 'approval' ? 'auditing' : 'transferring']
    await insertWithdrawal(c, {
      merchantId,
      id,
      assetId,
      chainId: asset.chain_id,
      to,
      terms,
      value,
      rate: quote.rate,
      status,
      origin: 'page',
      appid: '',
      outNo: null,
      bodyHash: null,
      remark: remark.trim(),
      policy: decision.reports.map(policyReport),
      now,
    })
    await insertWithdrawalEvents(c, [
      { merchant_id: merchantId, withdrawal_id: id, seq: 1, status, event: 'requested', detail: '', created_at: now },
    ])
    const group = reserveWithdrawal({ id, merchantId, assetId, ...terms })
    uow.add(postings, [{ group, memo: { trade_no: id, to_address: to }, at: now }])
    uow.add(hints, [{ merchant_id: merchantId, type: 'withdrawal', id }])
    recordEvent(deps, uow, { merchantId, type: 'withdrawal_requested', from, params: { id } })
    return { id, merchant }
  })
  mailEvent(
    deps,
    merchant,
    'withdrawal_requested',
    `${input.amount} ${asset.symbol}, ${kinds[asset.kind].address.show(to)}`,
  )
  return id
}
