import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { defineHandlers, toEmptyAnswer } from '../../http/context.ts'
import { exportHandler } from '../../http/export.ts'
import { tokenLogo } from '../../http/logos.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { parseDestination } from '../destinations/destination.ts'
import { offeredMethods } from '../identity/proofs/check-proof.ts'
import { accountById, merchantById } from '../merchants/store.ts'
import { hasSeveralMembers, readPersonEmails } from '../people/members.ts'
import { readDeciders } from '../policies/approvers.ts'
import { formatPolicyReport } from '../policies/format-policy-report.ts'
import { cancelWithdrawal } from './cancel-withdrawal.ts'
import { checkWithdrawal } from './eligibility.ts'
import withdrawalExport from './export.ts'
import { listWithdrawals, readWithdrawal } from './list.ts'
import { parseAmount, readPayoutAsset } from './payout-asset.ts'
import { presentWithdrawal } from './present.ts'
import { quotePayout, signQuote } from './quote.ts'
import { requestWithdrawal } from './request-withdrawal.ts'
import { formatOptionalUnits, listSettings, saveSetting } from './settings.ts'
import { readWithdrawalEvents } from './store.ts'

/** Withdrawals in the merchant's back-office. */
export const withdrawalHandlers = defineHandlers({
  'GET /api/v1/account/withdraw-setting': async ({ deps, session: { merchantId } }) => ({
    list: (await listSettings(deps.pool, merchantId)).map(({ id, symbol, decimals, definition, ...row }) => ({
      token_id: id,
      token: symbol,
      logo: tokenLogo(symbol),
      chain: definition.name,
      net_work: definition.network,
      gas_limit: formatOptionalUnits(row.gas_limit, decimals),
      minimum: formatOptionalUnits(row.minimum, decimals),
      automatic: row.automatic ?? true,
    })),
  }),

  'PUT /api/v1/account/withdraw-setting': context => {
    const { deps, session, body } = context
    const { token_id: assetId, gas_limit: gasLimit, ...rest } = body
    return toEmptyAnswer(
      saveSetting(deps, { ...rest, assetId, gasLimit, merchantId: session.merchantId, from: context }),
    )
  },

  'GET /api/v1/account/cost': async ({ deps, session, query }) => {
    const { merchantId, personId } = session
    const asset = await readPayoutAsset(deps, query.token_id)
    const amount = query.amount === undefined ? 0n : parseAmount(asset, query.amount)
    const to = query.address === undefined ? null : parseDestination(asset, query.address)
    const [merchant, member, quote] = await Promise.all([
      merchantById(deps.pool, merchantId),
      accountById(deps.pool, merchantId, personId),
      quotePayout(deps, asset),
    ])
    if (!merchant || !member) throw new Refusal('login_expired')
    const { terms, feeBps, value, available, minimum, maximum, decision, refusal } = await checkWithdrawal(
      deps,
      deps.pool,
      {
        merchant,
        asset,
        amount,
        to,
        quote,
        personId,
        passkeyAt: null,
      },
    )
    const inToken = (units: bigint) => formatDecimal(units > 0n ? units : 0n, asset.decimals)
    const signed = amount > 0n ? signQuote(deps, merchantId, asset.id, quote) : { quote: '', until: 0 }
    return {
      token_id: asset.id,
      token: asset.symbol,
      chain: asset.definition.name,
      balance: inToken(available),
      rate: quote.rate,
      fee_bps: feeBps,
      amount: inToken(amount),
      fee: inToken(terms.fee),
      gas: inToken(terms.gas),
      receives: inToken(terms.receives),
      usdt_value: usdtValueText(value),
      minimum: inToken(minimum),
      maximum: inToken(maximum),
      // Without an amount, reports only refusals that apply to every amount.
      refused: amount > 0n || refusal?.reason === 'withdrawal_forbidden' ? (refusal?.reason ?? '') : '',
      outcome: decision.outcome,
      policy: decision.reports.map(formatPolicyReport),
      methods: await offeredMethods(deps, deps.pool, member, 'withdrawal'),
      quote: signed.quote,
      quote_until: signed.until,
    }
  },

  'POST /api/v1/account/withdrawal': async context => {
    const { deps, session, body } = context
    const { token_id: assetId, ...rest } = body
    const { merchantId } = session
    const id = await requestWithdrawal(deps, { ...rest, assetId, merchantId, from: context })
    return presentWithdrawal((await readWithdrawal(deps.pool, merchantId, id))!)
  },

  'POST /api/v1/account/withdrawal/cancel': context => {
    const { deps, session, body } = context
    return toEmptyAnswer(cancelWithdrawal(deps, { merchantId: session.merchantId, id: body.id, from: context }))
  },

  'GET /api/v1/account/withdrawal-list': ({ deps, session: { merchantId }, query }) =>
    pageAnswer(listWithdrawals(deps.pool, merchantId, query, pageOf(query)), presentWithdrawal),

  'GET /api/v1/account/withdrawal-list/export': exportHandler(withdrawalExport),

  'GET /api/v1/account/withdrawal': async ({ deps, session: { merchantId }, query: { id } }) => {
    const row = await readWithdrawal(deps.pool, merchantId, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    const [history, merchant] = await Promise.all([
      readWithdrawalEvents(deps.pool, merchantId, id),
      merchantById(deps.pool, merchantId),
    ])
    const isWaiting = row.status === withdrawalStatus.auditing
    const deciders = isWaiting && merchant ? await (await readDeciders(deps, deps.pool, merchant))(row) : undefined
    return {
      ...presentWithdrawal(row),
      rate: row.rate,
      policy: row.policy,
      approver: deciders?.by === 'link' ? deciders.email : '',
      approved_by: row.approved_by,
      approved_time: row.approved_at,
      ...((await hasSeveralMembers(deps.pool, merchantId)) && {
        requester: (await readPersonEmails(deps.pool, [row.requested_by]))[0]?.email ?? '',
        deciders: deciders?.by === 'members' ? deciders.members.map(({ email }) => email) : [],
      }),
      history: history.map(({ created_at, ...step }) => ({ ...step, time: created_at })),
    }
  },
})
