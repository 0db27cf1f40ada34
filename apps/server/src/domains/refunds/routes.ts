import { chainAdapters } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { acceptsPaymentEvent } from '@coffer/core'
import { defineHandlers, toEmptyAnswer } from '../../http/context.ts'
import { formatRefusalText } from '../../http/errors.ts'
import { exportHandler } from '../../http/export.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { offeredMethods } from '../identity/proofs/check-proof.ts'
import { accountById, merchantById } from '../merchants/store.ts'
import { PaymentChange } from '../payments/payment-changes.ts'
import { readMerchantPayment } from '../payments/store.ts'
import { readAvailableBalance } from '../withdrawals/store.ts'
import { cancelRefund } from './cancel-refund.ts'
import { checkRefund, quoteRefund } from './eligibility.ts'
import refundExport from './export.ts'
import { findOpenRefundLink } from './link-store.ts'
import { listRefunds } from './list.ts'
import { createOpenLinkRefusal } from './make-link.ts'
import { presentRefund } from './present.ts'
import { readRefundAllowance } from './refund-limit.ts'
import { requestRefund } from './request-refund.ts'

/** Handlers for refunds: quote, request, cancel, list. */
export const refundHandlers = defineHandlers({
  'GET /api/v1/transactions/refund/cost': async ({ deps, session, query, language }) => {
    const { merchantId, personId } = session
    const { trade_no, gas_payer: gasPayer, way, ...rest } = query
    const [merchant, member, payment] = await Promise.all([
      merchantById(deps.pool, merchantId),
      accountById(deps.pool, merchantId, personId),
      readMerchantPayment(deps.pool, merchantId, trade_no),
    ])
    if (!merchant || !member) throw new Refusal('login_expired')
    if (!payment) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
    const quote = await quoteRefund(deps, payment)
    const { asset } = quote
    const request = { ...rest, gasPayer }
    const fromBalance = way !== 'link'
    const allowance = await readRefundAllowance(deps, deps.pool, session)
    const of = { merchant, payment, request, to: null, quote, fromBalance, personId, allowance }
    const eligibility = await checkRefund(deps, deps.pool, of)
    const balance = (await readAvailableBalance(deps.pool, merchantId, asset.id))?.balance ?? 0n
    const { terms, refusal } = eligibility
    const shown = (units: bigint) => formatDecimal(units > 0n ? units : 0n, asset.decimals)
    const { state } = new PaymentChange(payment).payment
    const linked =
      way === 'link' && (await findOpenRefundLink(deps.pool, merchantId, trade_no)) ? createOpenLinkRefusal() : null
    const refused = acceptsPaymentEvent('refund_started', state) ? (linked ?? refusal) : new Refusal('cannot_refund')
    return {
      token_id: asset.id,
      token: asset.symbol,
      chain: asset.definition.name,
      network_id: asset.chain_id,
      paid: shown(payment.paid_amount),
      refunded: shown(eligibility.refunded),
      surplus: shown(eligibility.surplus),
      fiat_worth: eligibility.fiatWorth === null ? '' : shown(eligibility.fiatWorth),
      balance: shown(balance),
      amount: shown(terms.amount),
      gas: shown(terms.gas),
      receives: shown(terms.receives),
      total: shown(terms.total),
      refused: refused ? formatRefusalText(refused.reason, language, refused.detail, refused.text) : '',
      methods: await offeredMethods(deps, deps.pool, member, 'withdrawal'),
      ...(allowance && { limit: usdtValueText(allowance.limit), left: usdtValueText(allowance.left) }),
      senders: eligibility.senders.map(chainAdapters[asset.kind].address.show),
    }
  },

  'POST /api/v1/transactions/refund': async context => {
    const { deps, session, body } = context
    const { trade_no: tradeNo, gas_payer: gasPayer, ...rest } = body
    const { merchantId } = session
    return { id: await requestRefund(deps, { ...rest, tradeNo, gasPayer, merchantId, from: context }) }
  },

  'POST /api/v1/transactions/refund/cancel': context => {
    const { deps, session, body } = context
    return toEmptyAnswer(cancelRefund(deps, { merchantId: session.merchantId, id: body.id, from: context }))
  },

  'GET /api/v1/transactions/refund-list': ({ deps: { pool }, session: { merchantId }, query }) =>
    pageAnswer(listRefunds(pool, merchantId, query, pageOf(query)), presentRefund),

  'GET /api/v1/transactions/refund-list/export': exportHandler(refundExport),
})
