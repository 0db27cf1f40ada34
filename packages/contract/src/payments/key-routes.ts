import { z } from 'zod'
import { closedChainErrors, currency } from '../chains/routes.ts'
import { paymentStatus } from '../codes.ts'
import { describeField } from '../kit/describe.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  codeFilter,
  decimalAmount,
  emptyObject,
  listOf,
  nextCursor,
  orderRef,
  outTradeNo,
  paging,
  requiredText,
  timeRange,
  tradeNo,
  validatedText,
} from '../kit/schemas.ts'
import { newOrder, order } from './payment.ts'
import { paymentSearch } from './routes.ts'

export const payRoutes = defineRoutes({
  'POST /api/v1/pay/orders': {
    auth: 'key',
    scope: 'orders',
    summary: {
      en: 'Create an order. The same out_trade_no and body return the existing order',
      'zh-CN': '创建订单。out_trade_no 和内容均相同时返回原有订单',
    },
    docs: {
      id: 'createOrder',
      tag: 'Orders',
      errors: [
        'parameter_error',
        'bad_amount',
        'bad_url',
        'url_forbidden',
        'https_needed',
        'amount_too_small',
        'amount_too_large',
        'metadata_too_large',
        'tolerance_too_large',
        'currency_not_supported',
        'price_unavailable',
        ...closedChainErrors,
        'no_address_available',
        'order_conflict',
      ],
    },
    body: newOrder,
    data: order,
  },
  'GET /api/v1/pay/orders': {
    auth: 'key',
    scope: 'read',
    summary: { en: 'List orders of the application, newest first', 'zh-CN': '查询应用的订单列表，最新的在前' },
    docs: { id: 'listOrders', tag: 'Orders', errors: ['parameter_error'] },
    query: z.strictObject({
      ...paging,
      ...timeRange,
      status: codeFilter(paymentStatus)
        .meta(describeField({ en: 'Status of the orders', 'zh-CN': '状态' }))
        .meta({ enum: Object.values(paymentStatus) }),
      out_trade_no: outTradeNo.optional().meta(describeField({ en: 'Your order number', 'zh-CN': '商户订单号' })),
      ...paymentSearch,
      cursor: validatedText(validatedText => /^\d{1,10}-\d{32}$/.test(validatedText), 'parameter_error', {
        en: 'the `next_cursor` of a page',
        'zh-CN': '某一页返回的 `next_cursor`',
      })
        .optional()
        .meta(
          describeField({
            en: '`next_cursor` of the page before, instead of `current`: new orders do not shift the pages. Send the same filters. With `text`, pages go on beyond its newest 2,000',
            'zh-CN': '上一次响应的 `next_cursor`，代替 `current`：新数据不会使分页错位。请使用相同的筛选条件',
          }),
        ),
    }),
    data: listOf(order).extend({
      next_cursor: nextCursor,
    }),
  },
  'GET /api/v1/pay/orders/:trade_no': {
    auth: 'key',
    scope: 'read',
    summary: {
      en: 'Get an order by trade_no, or by your own number as out:<out_trade_no>',
      'zh-CN': '按 trade_no 查询订单，或以 out:<out_trade_no> 按商户订单号查询',
    },
    docs: { id: 'getOrder', tag: 'Orders', errors: ['bad_trade_no', 'transaction_not_exist'] },
    params: z.strictObject({
      trade_no: orderRef.meta(
        describeField({
          en: 'Order number assigned by Coffer, or `out:` and your own',
          'zh-CN': '平台订单号；查询订单时也可为 `out:` 加商户订单号',
        }),
      ),
    }),
    data: order,
  },
  'POST /api/v1/pay/orders/:trade_no/close': {
    auth: 'key',
    scope: 'orders',
    summary: { en: 'Close an order for which nothing has been paid', 'zh-CN': '关闭尚未收到款项的订单' },
    docs: {
      id: 'closeOrder',
      tag: 'Orders',
      errors: ['bad_trade_no', 'transaction_not_exist', 'transaction_cannot_close'],
    },
    params: z.strictObject({
      trade_no: tradeNo.meta(
        describeField({
          en: 'Order number assigned by Coffer',
          'zh-CN': '平台订单号；查询订单时也可为 `out:` 加商户订单号',
        }),
      ),
    }),
    body: emptyObject.optional(),
    data: order,
  },
  'POST /api/v1/pay/orders/:trade_no/mark-paid': {
    auth: 'key',
    scope: 'orders',
    summary: {
      en: 'Mark an order as paid for which nothing was received. Moves no money',
      'zh-CN': '将未收到任何转账的订单标记为已支付，不涉及资金变动',
    },
    docs: {
      id: 'markOrderPaid',
      tag: 'Orders',
      errors: [
        'bad_trade_no',
        'parameter_error',
        'marks_not_allowed',
        'transaction_not_exist',
        'transaction_cannot_mark',
      ],
    },
    params: z.strictObject({
      trade_no: tradeNo.meta(
        describeField({
          en: 'Order number assigned by Coffer',
          'zh-CN': '平台订单号；查询订单时也可为 `out:` 加商户订单号',
        }),
      ),
    }),
    body: z
      .strictObject({
        reason: requiredText(200).meta(
          describeField({
            en: 'Why, as the history of the payment shows it',
            'zh-CN': '标记原因，显示在收款的历史记录中',
          }),
        ),
      })
      .meta({ id: 'PaidMark', description: 'A mark of an order as paid' }),
    data: order,
  },
  'GET /api/v1/pay/currencies': {
    auth: 'key',
    scope: 'read',
    summary: { en: 'List chains with the tokens accepted on them', 'zh-CN': '查询支持的链及其代币' },
    docs: { id: 'listCurrencies', tag: 'Account', errors: [] },
    data: z.object({
      list: z.array(currency).meta(describeField({ en: 'Chains, in your order', 'zh-CN': '链，按您的排序' })),
    }),
  },
  'GET /api/v1/pay/balances': {
    auth: 'key',
    scope: 'read',
    summary: { en: 'Get the merchant’s balances per token and chain', 'zh-CN': '查询商户在各链各代币上的余额' },
    docs: { id: 'getBalances', tag: 'Account', errors: [] },
    data: z.object({
      list: z
        .array(
          z
            .object({
              token: z.string().meta(describeField({ en: 'Symbol of the token', 'zh-CN': '代币符号' })),
              chain: z.string().meta(describeField({ en: 'Name of the chain', 'zh-CN': '链的名称' })),
              chain_id: z.string().meta(describeField({ en: 'ID of the chain', 'zh-CN': '链的 ID' })),
              available: decimalAmount.meta(
                describeField({
                  en: 'Amount available for withdrawals and refunds',
                  'zh-CN': '可用于提现和退款的金额',
                }),
              ),
              held: decimalAmount.meta(
                describeField({
                  en: 'Amount reserved for withdrawals and refunds in progress',
                  'zh-CN': '进行中的提现和退款冻结的金额',
                }),
              ),
              usdt_value: decimalAmount.meta(
                describeField({
                  en: 'Value of `available` and `held` in USDT, at the last known price',
                  'zh-CN': '以上两项按最近已知价格折合的 USDT',
                }),
              ),
            })
            .meta({ id: 'Balance', description: 'A balance in one token on one chain' }),
        )
        .meta(describeField({ en: 'One entry per token and chain', 'zh-CN': '每条链上每种代币一项' })),
      total_usdt: decimalAmount.meta(
        describeField({ en: 'Value of all balances in USDT', 'zh-CN': '全部余额折合的 USDT' }),
      ),
    }),
  },
})
