import type { RouteBody, RouteData } from '@coffer/contract'
import type { PaymentWebhook } from '@coffer/contract/callbacks/webhooks.ts'
import { callbackStatus, paymentStatus, withdrawalStatus } from '@coffer/contract/codes.ts'
import { exampleOrder } from '@coffer/contract/payments/payment.ts'

/** The example order of the documentation in its states. Tests check the examples against the contract. */
export const newOrderExample: RouteBody<'POST /api/v1/pay/orders'> = {
  out_trade_no: 'A-1001',
  amount: '19.90',
  currency: 'USD',
  subject: 'Two tickets',
  metadata: { customer: '42' },
  return_url: 'https://shop.example/thanks',
}

/** The minimal order, for the quick start. */
export const firstOrderExample: RouteBody<'POST /api/v1/pay/orders'> = {
  out_trade_no: 'first-1',
  amount: '10',
  currency: 'USDT',
}

const tradeNo = exampleOrder.trade_no
const address = '0x7a3c5f0e1b9d24c68e0a3f57b1c9d8e2460fa135'

export const makeCreatedOrderExample = (publicUrl: string): RouteData<'POST /api/v1/pay/orders'> => ({
  ...exampleOrder,
  pay_url: `${publicUrl}/pay/${tradeNo}`,
})

export const makePaidOrderExample = (publicUrl: string): RouteData<'POST /api/v1/pay/orders'> => ({
  ...makeCreatedOrderExample(publicUrl),
  status: paymentStatus.paid,
  token: 'USDT',
  chain: 'Ethereum',
  chain_id: 'eth',
  amount: '19.91',
  paid_amount: '19.91',
  fees: '0.07964',
  fee_bps: 40,
  address,
  address_index: 41,
  paid_time: 1795253695,
  deposits: [
    {
      confirmation_time: 1795253695,
      seen_time: 1795253551,
      txid: '0x4c1f6f7b0a52d9e83b7c1e94a0d85f6213e7c90b4d82a6f15e3097bc48d1a2f6',
      browser_url: 'https://etherscan.io/tx/0x4c1f6f7b0a52d9e83b7c1e94a0d85f6213e7c90b4d82a6f15e3097bc48d1a2f6',
      chain: 'Ethereum',
      amount: '19.91',
      gas: '0.00042',
      gas_token: 'ETH',
      token: 'USDT',
      to_address: address,
      from_address: '0x19c4d2e8f70b356a1e8c4f92d03b7a65e1f8c047',
      net: 'ERC20',
      confirmations: 12,
      required_confirmations: 12,
      state: 'credited',
      late: false,
      held: false,
    },
  ],
})

export const makeClosedOrderExample = (publicUrl: string): RouteData<'POST /api/v1/pay/orders'> => ({
  ...makeCreatedOrderExample(publicUrl),
  status: paymentStatus.closed,
})

export const makeMarkedPaidOrderExample = (publicUrl: string): RouteData<'POST /api/v1/pay/orders'> => ({
  ...makeCreatedOrderExample(publicUrl),
  status: paymentStatus.paid,
  exception: 'marked_paid',
  paid_time: makePaidOrderExample(publicUrl).paid_time,
})

export const makePaidEventExample = (publicUrl: string): PaymentWebhook => ({
  type: 'payment.paid',
  timestamp: '2026-11-21T09:34:55.000Z',
  data: makePaidOrderExample(publicUrl),
})

export const newWithdrawalExample: RouteBody<'POST /api/v1/pay/withdrawals'> = {
  out_no: 'W-2001',
  chain: 'eth',
  token: 'USDT',
  amount: '250',
  address: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
}

export const createdWithdrawalExample: RouteData<'POST /api/v1/pay/withdrawals'> = {
  id: '20261122101500731904826517390284',
  out_no: 'W-2001',
  appid: 'app_5d1f0c2e7b8a94d36e10',
  status: withdrawalStatus.transferring,
  chain_id: 'eth',
  chain: 'Ethereum',
  token: 'USDT',
  address: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  usdt_value: '250',
  amount: '250',
  fee: '0.25',
  gas: '0.42',
  receives: '249.33',
  warnings: ['first_payment'],
  txid: '',
  reason: '',
  remark: '',
  created_time: 1795342500,
  updated_time: 1795342500,
}

export const newRefundExample: RouteBody<'POST /api/v1/pay/refunds'> = {
  out_no: 'R-3001',
  trade_no: tradeNo,
  kind: 'part',
  amount: '5',
  gas_payer: 'merchant',
  address: '0x19C4D2e8f70b356a1e8C4F92D03B7a65E1F8C047',
  reason: 'One ticket returned',
}

export const createdRefundExample: RouteData<'POST /api/v1/pay/refunds'> = {
  id: '20261122102000519374620184736205',
  out_no: 'R-3001',
  appid: 'app_5d1f0c2e7b8a94d36e10',
  status: withdrawalStatus.transferring,
  chain_id: 'eth',
  chain: 'Ethereum',
  token: 'USDT',
  address: '0x19C4D2e8f70b356a1e8C4F92D03B7a65E1F8C047',
  usdt_value: '5.42',
  gas: '0.42',
  receives: '5',
  warnings: ['first_payment'],
  txid: '',
  created_time: 1795342800,
  updated_time: 1795342800,
  trade_no: tradeNo,
  out_trade_no: 'A-1001',
  kind: 'part',
  gas_payer: 'merchant',
  amount: '5',
  total: '5.42',
  reason: 'One ticket returned',
  failure: '',
}

export const createdAddressExample: RouteData<'POST /api/v1/pay/addresses'> = {
  id: '01990c1e5a3b7f',
  reference: 'customer-42',
  appid: 'app_5d1f0c2e7b8a94d36e10',
  chain: 'Ethereum',
  chain_id: 'eth',
  address,
  address_index: 42,
  tokens: ['USDC', 'USDT'],
  created_time: 1795253400,
}

const { late: _late, ...arrived } = makePaidOrderExample('').deposits[0]!
export const addressDepositExample: RouteData<'GET /api/v1/pay/deposits'>['list'][number] = {
  ...arrived,
  id: '01990c1f8d2a41',
  address_id: createdAddressExample.id,
  reference: createdAddressExample.reference,
  appid: createdAddressExample.appid,
  chain_id: 'eth',
}

export const sentCallbackExample: RouteData<'GET /api/v1/pay/callbacks'>['list'][number] = {
  id: '0197f2c4-8d1e-7c3a-9b52-6f0d1a4e8c77',
  event: 'payment.paid',
  status: callbackStatus.delivered,
  result: 'HTTP 204',
  attempts: 1,
  notify_url: 'https://shop.example/coffer',
  trade_no: tradeNo,
  created_time: 1795253695,
  next_time: 0,
}

export const newWebhookEndpointExample = {
  url: 'https://books.example/coffer',
  description: 'Bookkeeping',
  events: ['payment.paid', 'refund.completed'],
} satisfies RouteBody<'POST /api/v1/pay/webhook-endpoints'>

export const createdWebhookEndpointExample: RouteData<'POST /api/v1/pay/webhook-endpoints'>['endpoint'] = {
  ...newWebhookEndpointExample,
  id: '0197f2c4-5b3d-7a10-8c4e-2d9f6a1b0e35',
  enabled: true,
  previous_secret_until: 0,
  created_time: 1795253000,
}

export const changedSettingsExample = {
  notify_url: 'https://shop.example/coffer',
  callback_events: ['payment.paid', 'payment.late'],
} satisfies RouteBody<'POST /api/v1/pay/application'>

export const applicationExample: RouteData<'GET /api/v1/pay/application'> = {
  ...changedSettingsExample,
  appid: createdAddressExample.appid,
  name: 'Shop',
  website: 'https://shop.example',
  payment_mode: 1,
  mixed_payment: true,
  tolerance_permille: 5,
  read_allowed: true,
  orders_allowed: true,
  refunds_allowed: false,
  payouts_allowed: false,
  marks_allowed: false,
  settings_allowed: true,
  endpoints_allowed: false,
  embed_origins: [],
  remark: '',
  created_time: 1795253000,
}

export const newMemberExample = { email: 'clerk@shop.example', role: 'clerk' }
export const memberInvitationExample: RouteData<'POST /api/v1/pay/members'> = {
  id: '20261121100000512094837461025374',
  email: 'clerk@shop.example',
  role: 'clerk',
  created_time: 1795253000,
  expires_time: 1795857800,
}
export const membersExample: RouteData<'GET /api/v1/pay/members'> = {
  list: [
    { id: '20250602100000299260890054873115', email: 'owner@shop.example', role: 'owner', since: 1748858400 },
    { id: '20261003081500736451029384756102', email: 'help@shop.example', role: 'support', since: 1790928900 },
  ],
  invitations: [memberInvitationExample],
}

const figures = { income: '19.83', refund: '0', create_num: 3, pay_num: 1 }
export const statisticsExample: RouteData<'GET /api/v1/pay/statistics'> = {
  total: figures,
  days: [{ date: '2026-11-21', ...figures }],
  assets: [
    {
      token: 'USDT',
      chain: 'Ethereum',
      logo: '/logos/token-usdt.svg',
      income: figures.income,
      amount: '19.91',
      pay_num: 1,
    },
  ],
}

export const newPaymentLinkExample = {
  title: 'Birthday cake',
  currency: 'EUR',
  amount: '45',
} satisfies RouteBody<'POST /api/v1/pay/links'>

export const makeCreatedPaymentLinkExample = (publicUrl: string): RouteData<'POST /api/v1/pay/links'> => ({
  ...newPaymentLinkExample,
  id: '0197f2c4-3a6e-7d21-9f08-5c7b2e914da6',
  url: `${publicUrl}/l/kX3vQm8TzW2bYc5RdN7fGw`,
  appid: 'app_5d1f0c2e7b8a94d36e10',
  min_amount: '',
  max_amount: '',
  once: false,
  state: 'open',
  paid: 0,
  expire_time: 0,
  created_time: 1795252000,
})

export const currenciesExample: RouteData<'GET /api/v1/pay/currencies'> = {
  list: [
    {
      id: 'eth',
      chain: 'Ethereum',
      net_work: 'ERC20',
      logo: '/logos/chain-eth.svg',
      confirmations: 12,
      tokens: [
        {
          id: 'eth:USDT',
          token: 'USDT',
          contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
          decimals: 6,
          logo: '/logos/token-usdt.svg',
          usdt_price: '1',
        },
      ],
    },
  ],
}

export const balancesExample: RouteData<'GET /api/v1/pay/balances'> = {
  list: [
    { token: 'USDT', chain: 'Ethereum', chain_id: 'eth', available: '1204.75', held: '50', usdt_value: '1254.75' },
  ],
  total_usdt: '1254.75',
}
