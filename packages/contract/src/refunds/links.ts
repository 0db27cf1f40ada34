import { z } from 'zod'
import { closedChainErrors } from '../chains/routes.ts'
import { refundLinkStates } from '../codes.ts'
import { describeField } from '../kit/describe.ts'
import { refundingRoles, refundReadingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  amount,
  decimalAmount,
  emptyObject,
  id,
  listOf,
  optionalText,
  outTradeNo,
  paging,
  proof,
  requiredText,
  tradeNo,
  unixSeconds,
} from '../kit/schemas.ts'
import { refundBasis } from './routes.ts'

const token = z.string().regex(/^[A-Za-z0-9_-]{22}$/, { error: 'link_not_valid' })

/** What the link gives back; see refunds. */
const input = {
  trade_no: tradeNo.meta(describeField({ en: 'Number of the order', 'zh-CN': '订单的平台订单号' })),
  kind: z.enum(['surplus', 'part', 'all']).meta(
    describeField({
      en: 'What is given back; for a part, name the amount',
      'zh-CN': '退款类型：surplus 多付部分，part 部分，all 全部；部分退款须填写金额',
    }),
  ),
  gas_payer: z
    .enum(['merchant', 'payer'])
    .meta(describeField({ en: 'Who pays the gas', 'zh-CN': '矿工费承担方：merchant 商户，payer 付款人' })),
  amount: amount
    .optional()
    .meta(
      describeField({ en: 'Amount in the token of the order, for a part', 'zh-CN': '部分退款的金额，以订单的代币计' }),
    ),
  reason: optionalText(200)
    .optional()
    .meta(describeField({ en: 'Shown in the back-office', 'zh-CN': '在后台显示的原因' })),
}

/** A claim link as the merchant sees it. */
const link = z
  .object({
    id: z.string().meta(describeField({ en: 'Number assigned by Coffer, 32 digits', 'zh-CN': '平台单号，32 位数字' })),
    out_no: z.string().meta(
      describeField({
        en: 'Your own number; empty if it was made in the back-office',
        'zh-CN': '商户单号；在后台创建的为空',
      }),
    ),
    trade_no: z
      .string()
      .meta(describeField({ en: 'Number of the order that is refunded', 'zh-CN': '被退款订单的平台订单号' })),
    state: z.enum(refundLinkStates).meta(
      describeField({
        en: 'open: the payer has not claimed it; claimed: a refund was made of it',
        'zh-CN': 'open 待领取，claimed 已领取，canceled 已取消，expired 已过期',
      }),
    ),
    url: z.string().meta(
      describeField({
        en: 'Page for the payer, who needs nothing else; empty unless the link is open',
        'zh-CN': '供付款人打开的页面；仅在待领取时有值',
      }),
    ),
    token: z.string().meta(describeField({ en: 'Symbol of the token', 'zh-CN': '代币符号' })),
    amount: decimalAmount.meta(
      describeField({ en: 'Amount that counts against the order', 'zh-CN': '计入该订单退款的金额' }),
    ),
    refund_id: z.string().meta(
      describeField({
        en: 'Number of the refund; empty until it is claimed',
        'zh-CN': '领取后生成的退款单号，领取前为空',
      }),
    ),
    reason: z.string().meta(describeField({ en: 'Your reason', 'zh-CN': '您填写的原因' })),
    created_time: unixSeconds.meta(describeField({ en: 'When it was made', 'zh-CN': '创建时间' })),
    expire_time: unixSeconds.meta(describeField({ en: 'When it expires', 'zh-CN': '过期时间' })),
  })
  .meta({ id: 'RefundLink', description: 'A link by which the payer claims a refund' })

const claim = z.object({
  state: z
    .enum(['open', 'waiting', 'sending', 'confirming', 'paid', 'canceled', 'expired', 'failed'])
    .describe('waiting: claimed, and sent at send_time unless the merchant stops it'),
  merchant_name: z.string().describe('Name of the application'),
  out_trade_no: z.string(),
  token: z.string(),
  amount: decimalAmount,
  gas_payer: input.gas_payer,
  networks: z.array(z.object({ asset_id: z.string(), chain: z.string(), net_work: z.string() })),
  expire_time: unixSeconds,
  chain: z.string().describe('Network of the refund; empty until it is claimed'),
  address: z.string(),
  gas: decimalAmount,
  receives: decimalAmount,
  send_time: unixSeconds,
  txid: z.string(),
  browser_url: z.string(),
})

const linkErrors = ['bad_trade_no', 'withdrawal_not_exist'] as const
const createErrors = [
  'parameter_error',
  'bad_amount',
  'bad_trade_no',
  'payouts_not_allowed',
  'transaction_not_exist',
  'cannot_refund',
  'payment_in_doubt',
  'amount_too_large',
  'amount_too_small',
  'gas_too_high',
  'policy_refused',
  'withdrawal_forbidden',
  'currency_not_supported',
  'price_unavailable',
  ...closedChainErrors,
  'passkey_needed',
  'reference_conflict',
] as const

export const refundLinkRoutes = defineRoutes({
  'GET /api/v1/transactions/refund-link': {
    who: refundReadingRoles,
    summary: 'List the refund links of a payment, newest first',
    query: z.strictObject({ trade_no: tradeNo }),
    data: z.object({ list: z.array(link) }),
  },
  'GET /api/v1/transactions/refund-link-list': {
    who: refundReadingRoles,
    replica: true,
    summary: 'List refund links, newest first, with what the open ones promise',
    query: z.strictObject({
      ...paging,
      state: z.enum(refundLinkStates).optional(),
      order: outTradeNo.optional().describe('Order number, yours or the platform’s'),
    }),
    data: listOf(link.extend({ out_trade_no: z.string(), title: z.string(), apply_name: z.string() })).extend({
      promised: z
        .array(z.object({ token: z.string(), amount: decimalAmount, count: z.int() }))
        .describe('What all open links give back, by token, and how many they are'),
    }),
  },
  'POST /api/v1/transactions/refund-link': {
    who: refundingRoles,
    summary: 'Make a link by which the payer claims a refund. Its amount cannot be refunded otherwise until it ends',
    body: z.strictObject({ ...input, basis: refundBasis, proof: proof.optional() }),
    data: link,
  },
  'POST /api/v1/transactions/refund-link/cancel': {
    who: refundingRoles,
    summary: 'Cancel a refund link that was not claimed',
    body: z.strictObject({ id: tradeNo }),
    data: emptyObject,
  },
  'POST /api/v1/pay/refund-links': {
    auth: 'key',
    scope: 'refunds',
    summary: {
      en: 'Make a link by which the payer claims a refund, within 30 days. The same out_no and body return the existing one',
      'zh-CN': '创建退款领取链接，付款人可在 30 天内自行领取。out_no 和内容均相同时返回原有链接',
    },
    docs: {
      id: 'createRefundLink',
      tag: 'Payouts',
      errors: createErrors,
    },
    body: z
      .strictObject({
        out_no: outTradeNo.meta(
          describeField({
            en: 'Your own number, unique per application: 1 to 64 printable characters',
            'zh-CN': '商户单号，在同一应用内唯一：1 至 64 个可打印字符',
          }),
        ),
        ...input,
        basis: refundBasis.optional(),
      })
      .meta({ id: 'NewRefundLink', description: 'A refund link to make' }),
    data: link,
  },
  'GET /api/v1/pay/refund-links/:id': {
    auth: 'key',
    scope: 'read',
    summary: { en: 'Get a refund link by its number', 'zh-CN': '查询退款领取链接' },
    docs: { id: 'getRefundLink', tag: 'Payouts', errors: linkErrors },
    params: z.strictObject({
      id: tradeNo.meta(
        describeField({
          en: 'Number assigned by Coffer',
          'zh-CN': '平台单号（查询时也可为 `out:` 加商户单号），或回调、端点、收款链接的 ID',
        }),
      ),
    }),
    data: link,
  },
  'POST /api/v1/pay/refund-links/:id/cancel': {
    auth: 'key',
    scope: 'refunds',
    summary: { en: 'Cancel a refund link that was not claimed', 'zh-CN': '取消尚未领取的退款链接' },
    docs: {
      id: 'cancelRefundLink',
      tag: 'Payouts',
      errors: [...linkErrors, 'withdrawal_cannot_change', 'payouts_not_allowed'],
    },
    params: z.strictObject({
      id: tradeNo.meta(
        describeField({
          en: 'Number assigned by Coffer',
          'zh-CN': '平台单号（查询时也可为 `out:` 加商户单号），或回调、端点、收款链接的 ID',
        }),
      ),
    }),
    body: emptyObject.optional(),
    data: link,
  },
  'POST /api/v1/public/refund-claim': {
    auth: 'public',
    summary: 'Get the refund of a claim link',
    body: z.strictObject({ token }),
    data: claim,
  },
  'POST /api/v1/public/refund-claim/quote': {
    auth: 'public',
    summary: 'Check an address for the refund of a claim link, and quote what arrives there',
    body: z.strictObject({ token, asset_id: id, address: requiredText(128) }),
    data: z.object({
      address: z.string().describe('In display form'),
      gas: decimalAmount,
      receives: decimalAmount,
      is_contract: z.boolean().describe('Whether there is a contract at the address'),
      quote: z.string().describe('Gives the claim these figures for two minutes'),
      refused: z.string().describe('Why it cannot be paid now, in the language of the request; empty if it can'),
    }),
  },
  'POST /api/v1/public/refund-claim/confirm': {
    auth: 'public',
    summary: 'Claim the refund of a link, once, as quoted. What arrives must be at least `receives`',
    body: z.strictObject({
      token,
      asset_id: id,
      address: requiredText(128),
      receives: amount,
      quote: optionalText(1_000).optional(),
    }),
    data: claim,
  },
})
