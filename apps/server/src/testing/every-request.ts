import { applicationStatus, type RouteKey } from '@coffer/contract'
import { newId } from '../kit/ids.ts'
import { password } from './merchants.ts'
import { eth, type MoneyWorld } from './money.ts'
import { endpointRequests } from './own-endpoint.ts'
import { linkRequests } from './own-link.ts'
import { destination, type Owned, ownPasskey } from './owned.ts'

/** A request; `params` replace the names in the path. */
export interface TestRequest {
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: Record<string, unknown>
}

const base64 = Buffer.from(password).toString('base64')
const importRow = { network: 'eth', address: '0x9900880077006600550044003300220011003344', label: 'Imported' }
const wrongProof = { method: 'email', code: '000000' }
const wallet = { address: destination, chain_id: 31_337 }
const madePasskey = { id: 'AAAA', response: { attestationObject: 'AAAA', clientDataJSON: 'AAAA' } }
const profile = {
  name: 'Name',
  time_zone: 'UTC',
  address: { street: 'Street', city: 'City', country: 'Country' },
  socials: { telegram: 'a', twitter: 'b', facebook: 'c' },
  website: 'https://shop.example',
}
const newPassword = Buffer.from('Another1Horse').toString('base64')
const passwords = { password: newPassword, confirm_password: newPassword }

type Requests = Partial<Record<RouteKey, TestRequest>>

/** Returns a valid request of the owner for each route that takes input, with the owner's ids. */
export const requestsOf = (world: MoneyWorld, owned: Owned): Requests => ({
  ...accountRequests(world),
  ...applicationRequests(world, owned),
  ...bookRequests(world, owned),
  ...payoutRequests(world, owned),
  ...paymentRequests(world, owned),
  ...orderRequests(world, owned),
  ...memberRequests(world, owned),
})

/** The account: signing in, its profile, proofs and sessions. */
const accountRequests = ({ merchant }: MoneyWorld): Requests => ({
  'POST /api/v1/public/email/send-verification-code': { body: { email: merchant.email, type: 9 } },
  'POST /api/v1/public/sms/send-verification-code': { body: { phone: '55512345', area_code: '44', type: 1 } },
  'POST /api/v1/public/login': { body: { email: merchant.email, password: base64 } },
  'POST /api/v1/public/register': { body: { email: merchant.email, code: '000000', ...passwords } },
  'POST /api/v1/public/login/verification': { body: { google_code: '000000' } },
  'GET /api/v1/public/login/wallet': { query: wallet },
  'PUT /api/v1/public/password': { body: { email: merchant.email, code: '000000', ...passwords } },

  'POST /api/v1/public/not-me': { body: { token: 'x.y.z' } },

  'POST /api/v1/user/login-out': { body: {} },
  'PUT /api/v1/user/edit': { body: profile },
  'POST /api/v1/user/opening': { body: { ...profile, phone: '55512345', area_code: '44' } },
  'PUT /api/v1/user/password': { body: { old_password: base64, ...passwords, proof: wrongProof } },
  'POST /api/v1/user/google-auth': { body: { offer: 'none', google_code: '000000', proof: wrongProof } },
  'PUT /api/v1/user/mailbox': { body: { email: 'elsewhere@example.com', code: '000000', proof: wrongProof } },
  'PUT /api/v1/user/phone': { body: { phone: '55512345', area_code: '44', code: '000000', proof: wrongProof } },
  'POST /api/v1/user/recovery-codes': { body: { proof: wrongProof } },
  'PUT /api/v1/user/security-switch': { body: { group: 'withdrawal', method: 'email', proof: wrongProof } },
  'GET /api/v1/user/wallet/new': { query: wallet },
  'POST /api/v1/user/wallet': { body: { message: 'none', signature: '0x00', proof: wrongProof } },
  'DELETE /api/v1/user/wallet': { body: { proof: wrongProof } },
  'POST /api/v1/user/passkey': { body: { name: 'Key', passkey: madePasskey, proof: wrongProof } },
  'PUT /api/v1/user/passkey': { body: { id: ownPasskey, name: 'Taken over' } },
  'DELETE /api/v1/user/passkey': { body: { id: ownPasskey, proof: wrongProof } },
  'POST /api/v1/user/passkey/ask': { body: { action: 'withdrawal', data: { amount: '1' } } },
  'DELETE /api/v1/user': { body: { proof: wrongProof } },
  'POST /api/v1/user/verification': { body: { proof: wrongProof, action: 'notify-url' } },
  'GET /api/v1/user/log': { query: { current: 1, pageSize: 100 } },
  'POST /api/v1/user/log/not-me': { body: {} },
  'DELETE /api/v1/user/sessions': { body: {} },
  'DELETE /api/v1/user/sessions/:id': { params: { id: newId() }, body: {} },
  'POST /api/v1/user/upload': {},
})

/** Who belongs to the shop. */
const memberRequests = ({ merchant }: MoneyWorld, { member, invitation }: Owned): Requests => ({
  'PUT /api/v1/member': { body: { id: member, role: 'support', refund_limit: '20', proof: wrongProof } },
  'DELETE /api/v1/member': { body: { id: member, proof: wrongProof } },
  'POST /api/v1/member/invitation': { body: { email: 'new-member@example.com', role: 'viewer', proof: wrongProof } },
  'PUT /api/v1/member/invitation': { body: { id: invitation.id, proof: wrongProof } },
  'DELETE /api/v1/member/invitation': { body: { id: invitation.id } },
  'PUT /api/v1/member/second-factor': { body: { required: true, proof: wrongProof } },
  'POST /api/v1/member/shop': { body: { mchid: merchant.mchid } },
  'POST /api/v1/member/leave': { body: { proof: wrongProof } },
  'POST /api/v1/member/accept': { body: { invitation: 'x'.repeat(43) } },
  'POST /api/v1/pay/members': { body: { email: 'new-clerk@example.com', role: 'clerk' } },
  'POST /api/v1/pay/members/:id/remove': { params: { id: member } },
  'POST /api/v1/public/invitation': { body: { invitation: 'x'.repeat(43) } },
  'POST /api/v1/public/invitation/accept': { body: { invitation: 'x'.repeat(43), ...passwords } },
})

/** Applications and their shops. */
const applicationRequests = ({ appid }: MoneyWorld, owned: Owned): Requests => ({
  'GET /api/v1/user/secret-key': { query: { appid } },
  'POST /api/v1/pay/application': { body: { callback_events: ['payment.paid'], remark: 'Changed by its key' } },
  'POST /api/v1/user/secret-key': {
    body: { name: 'Third shop', logo: owned.logo, ip_whitelist: ['203.0.113.7'], callback_events: ['payment.paid'] },
  },
  'PUT /api/v1/user/secret-key': {
    body: { appid, name: 'Taken over', status: applicationStatus.disabled, website: 'https://evil.example' },
  },
  'DELETE /api/v1/user/secret-key': { body: { appid } },
  'GET /api/v1/user/secret-key/list': { query: { all: '1', name: 'shop' } },
  'PUT /api/v1/user/secret-key/notify-url': { body: { appid, notify_url: 'https://192.0.2.1/', proof: wrongProof } },
  'GET /api/v1/user/secret-key/rates': { query: { appid } },
  'PUT /api/v1/user/secret-key/rates': {
    body: { appid, spread: '-20', sources: ['fixed', 'own', 'market'], fixed: [], own: [], proof: wrongProof },
  },
  'PUT /api/v1/user/secret-key/refresh-google-secret': { body: { appid, target: 'secret_key', keep_seconds: 86_400 } },
  'DELETE /api/v1/user/secret-key/previous': { body: { appid, target: 'secret_key' } },

  'GET /api/v1/user/shop/list': { query: { appid } },
  'POST /api/v1/user/shop': { body: { appid, protocol: 'epay' } },
  'PUT /api/v1/user/shop/key': { body: { id: owned.shop, keep_seconds: 86_400 } },
  'POST /api/v1/user/shop/test': { body: { id: owned.shop, notify_url: 'https://shop.example/notify' } },
  'DELETE /api/v1/user/shop': { body: { id: owned.shop } },
})

/** Figures, addresses, the books, support and invoices. */
const bookRequests = ({ appid, deps }: MoneyWorld, owned: Owned): Requests => ({
  'GET /api/v1/statistics/assets': { query: { all: '1' } },
  'GET /api/v1/statistics/daily-collection': { query: { appid, start_time: deps.clock() - 86_400 } },
  'GET /api/v1/statistics/summary': { query: { appid, start_time: deps.clock() - 86_400 } },
  'POST /api/v1/currency/rearrange': { body: { ids: [eth.id] } },
  'GET /api/v1/account/address-valid': { query: { currency_id: eth.id, address: owned.order.address } },
  'GET /api/v1/address': { query: { currency_id: eth.id, text: 'supplier' } },
  'POST /api/v1/address': {
    body: { currency_id: eth.id, address: destination, label: 'New supplier', wallet: 'hosted', proof: wrongProof },
  },
  'PUT /api/v1/address': { body: { id: owned.bookEntry, label: 'Another label', proof: wrongProof } },
  'DELETE /api/v1/address': { body: { id: owned.bookEntry, proof: wrongProof } },
  'POST /api/v1/address/import/check': { body: { rows: [importRow] } },
  'POST /api/v1/address/import': { body: { rows: [importRow], proof: wrongProof } },
  'GET /api/v1/address/export': { query: { currency_id: eth.id, text: 'supplier' } },
  'GET /api/v1/account/recharge': { query: { current: 1 } },
  'POST /api/v1/account/recharge/funds': { body: { token_id: `${eth.id}:USDT` } },
  'GET /api/v1/account/recharge/export': { query: { token_id: `${eth.id}:USDT` } },
  'GET /api/v1/account/fixed-address': { query: { current: 1, text: 'own-customer' } },
  'POST /api/v1/account/fixed-address': { body: { currency_id: eth.id, label: 'Own label' } },
  'PUT /api/v1/account/fixed-address': { body: { id: owned.address, label: 'Own customer' } },
  'GET /api/v1/account/stream': { query: { network_id: eth.id, token_id: `${eth.id}:USDT` } },
  'GET /api/v1/account/stream/export': { query: { format: 'hledger', account: 'available' } },
  'GET /api/v1/work-order/list': { query: { text: 'own' } },
  'GET /api/v1/work-order': { query: { number: owned.workOrder } },
  'POST /api/v1/work-order': {
    body: {
      type: 'payment',
      theme: 'Theme',
      description: 'Text',
      pictures: [owned.picture],
      about: { kind: 'payment', id: owned.order.trade_no },
    },
  },
  'GET /api/v1/work-order/picture': { query: { id: owned.picture } },
  'POST /api/v1/work-order/reply': { body: { number: owned.workOrder, text: 'More', pictures: [] } },
  'POST /api/v1/work-order/reopen': { body: { number: owned.closedOrder, text: 'Again', pictures: [] } },
  'POST /api/v1/work-order/close': { body: { number: owned.workOrder } },
  'PUT /api/v1/work-order/read': { body: { number: owned.workOrder } },
  'PUT /api/v1/account/billing': { body: { name: 'Shop', address: 'Street', tax_number: '1', fiat: 'EUR' } },
  'GET /api/v1/account/invoice': { query: { month: '2025-05' } },
  'POST /api/v1/account/invoice/correct': { body: { month: '2025-05' } },
  'GET /api/v1/account/expend': { query: { page: 1, network_id: eth.id } },
})

/** What leaves the balance: transfers, withdrawals, refunds by key and by link. */
const payoutRequests = (_: MoneyWorld, owned: Owned): Requests => ({
  'GET /api/v1/account/internal-transfer/receiver': { query: { account: owned.receiver } },
  'POST /api/v1/account/internal-transfer': {
    body: { account: owned.receiver, token_id: `${eth.id}:USDT`, amount: '1', proof: wrongProof },
  },
  'GET /api/v1/account/internal-transfer': { query: { direction: 'out', token_id: `${eth.id}:USDT` } },
  'GET /api/v1/account/internal-transfer/export': { query: { direction: 'out', token_id: `${eth.id}:USDT` } },
  'GET /api/v1/account/cost': { query: { token_id: `${eth.id}:USDT`, amount: '2', address: destination } },
  'POST /api/v1/account/withdrawal': {
    body: { token_id: `${eth.id}:USDT`, amount: '2', address: destination, proof: wrongProof },
  },
  'POST /api/v1/account/withdrawal/cancel': { body: { id: owned.withdrawal } },
  'PUT /api/v1/account/withdraw-setting': {
    body: { token_id: `${eth.id}:USDT`, gas_limit: '5', minimum: '', automatic: true, proof: wrongProof },
  },
  'POST /api/v1/pay/withdrawals': {
    body: { out_no: 'own', chain: eth.id, token: 'USDT', amount: '2', address: destination },
  },
  'GET /api/v1/pay/withdrawals/:id': { params: { id: owned.keyWithdrawal } },
  'POST /api/v1/pay/withdrawals/:id/cancel': { params: { id: owned.keyWithdrawal } },
  'POST /api/v1/pay/refunds': {
    body: { out_no: 'own', trade_no: owned.order.trade_no, kind: 'all', gas_payer: 'payer', address: destination },
  },
  'GET /api/v1/pay/refunds/:id': { params: { id: owned.refund } },
  'POST /api/v1/pay/refunds/:id/cancel': { params: { id: owned.refund } },
  'POST /api/v1/pay/refund-links': {
    body: { out_no: 'own', trade_no: owned.order.trade_no, kind: 'all', gas_payer: 'payer' },
  },
  'GET /api/v1/pay/refund-links/:id': { params: { id: owned.refundLink } },
  'POST /api/v1/pay/refund-links/:id/cancel': { params: { id: owned.refundLink } },
  'GET /api/v1/transactions/refund-link': { query: { trade_no: owned.order.trade_no } },
  'POST /api/v1/transactions/refund-link': {
    body: { trade_no: owned.order.trade_no, kind: 'all', gas_payer: 'payer', proof: wrongProof },
  },
  'POST /api/v1/transactions/refund-link/cancel': { body: { id: owned.refundLink } },
  'POST /api/v1/public/refund-claim': { body: { token: 'x'.repeat(22) } },
  'POST /api/v1/public/refund-claim/quote': {
    body: { token: 'x'.repeat(22), asset_id: `${eth.id}:USDT`, address: destination },
  },
  'POST /api/v1/public/refund-claim/confirm': {
    body: { token: 'x'.repeat(22), asset_id: `${eth.id}:USDT`, address: destination, receives: '1' },
  },
  'POST /api/v1/public/withdrawal-approval': { body: { token: 'x'.repeat(43) } },
  'POST /api/v1/public/withdrawal-approval/code': { body: { token: 'x'.repeat(43) } },
  'POST /api/v1/public/withdrawal-approval/decide': {
    body: { token: 'x'.repeat(43), decision: 'reject', code: '000000' },
  },
  'POST /api/v1/approval/decide': {
    body: { ids: [owned.withdrawal], decision: 'approve', proof: wrongProof },
  },
  'POST /api/v1/account/withdrawal/approval-link': { body: { id: owned.withdrawal } },
  'POST /api/v1/account/sweep': { body: { network_id: eth.id } },
  'PUT /api/v1/account/withdrawal-policy': { body: { rules: [{ kind: 'single', limit: '5000' }], proof: wrongProof } },
  'GET /api/v1/account/withdrawal-list': { query: { network_id: eth.id, address: destination } },
  'GET /api/v1/account/withdrawal-list/export': { query: { network_id: eth.id, address: destination } },
  'GET /api/v1/account/withdrawal': { query: { id: owned.withdrawal } },
})

/** Payments, their callbacks, and messages. */
const paymentRequests = ({ appid }: MoneyWorld, owned: Owned): Requests => ({
  'GET /api/v1/transactions/list': { query: { appid, trade_no: owned.order.trade_no } },
  'GET /api/v1/transactions/list/export': { query: { appid, trade_no: owned.order.trade_no } },
  'GET /api/v1/transactions/search': { query: { text: owned.order.out_trade_no } },
  'GET /api/v1/transactions/detail': { query: { trade_no: owned.order.trade_no } },
  'POST /api/v1/transactions/mark': {
    body: { trade_no: owned.order.trade_no, as: 'invalid', reason: 'own reason', proof: wrongProof },
  },
  'GET /api/v1/transactions/refund/cost': {
    query: { trade_no: owned.order.trade_no, kind: 'all', gas_payer: 'merchant' },
  },
  'POST /api/v1/transactions/refund': {
    body: {
      trade_no: owned.order.trade_no,
      kind: 'all',
      gas_payer: 'merchant',
      address: '0x00000000000000000000000000000000000000bb',
      proof: wrongProof,
    },
  },
  'POST /api/v1/transactions/refund/cancel': { body: { id: owned.refund } },
  'GET /api/v1/transactions/refund-list': { query: { trade_no: owned.order.trade_no } },
  ...linkRequests(owned.link, appid),
  'POST /api/v1/collect': { body: { amount: '5', note: 'own note' } },
  'POST /api/v1/collect/cancel': { body: { trade_no: owned.collected } },
  'GET /api/v1/pay/callbacks': { query: { trade_no: owned.order.trade_no } },
  'GET /api/v1/pay/callbacks/:id': { params: { id: owned.callback } },
  'POST /api/v1/pay/callbacks/:id/resend': { params: { id: owned.callback } },
  ...endpointRequests(appid, owned.endpoint),
  'GET /api/v1/callback/list': { query: { appid, trade_no: owned.order.trade_no } },
  'GET /api/v1/callback/detail': { query: { id: owned.callback } },
  'POST /api/v1/callback/resend': { body: { id: owned.callback } },
  'POST /api/v1/callback/test': { body: { appid } },
  'GET /api/v1/message': { query: { all: '1', pageSize: 100 } },
  'PUT /api/v1/message/settings': {
    body: {
      time_zone: 'Europe/Berlin',
      quiet_from: 22,
      quiet_until: 7,
      list: [{ event: 'payment_paid', channel: 'mail', mode: 'daily' }],
    },
  },
  'PUT /api/v1/message/read': { body: { message_ids: [owned.notice] } },
  'POST /api/v1/message/push': {
    body: { endpoint: 'https://push.example/own', p256dh: 'B'.repeat(87), auth: 'a'.repeat(22), proof: wrongProof },
  },
  'DELETE /api/v1/message/push': { query: { device: 'a'.repeat(64) } },
  'POST /api/v1/message/channel': {
    body: { name: 'Ops', url: 'https://hooks.slack.com/services/T0/B0/own', proof: wrongProof },
  },
  'POST /api/v1/message/channel/telegram': { body: { proof: wrongProof } },
  'POST /api/v1/message/channel/test': { body: { id: newId() } },
  'DELETE /api/v1/message/channel': { query: { id: newId() } },
  'PUT /api/v1/market/follow/token': { body: { token: ['BTC'] } },
  'GET /api/v1/market/search': { query: { name: 'B' } },
})

/** Orders and addresses of the merchant API, and the checkout. */
const orderRequests = (_: MoneyWorld, owned: Owned): Requests => ({
  'POST /api/v1/pay/orders': {
    body: { out_trade_no: owned.order.out_trade_no, amount: '10', chain: eth.id, token: 'USDT' },
  },
  'POST /api/v1/pay/addresses': { body: { reference: 'own-customer', chain: eth.id } },
  'GET /api/v1/pay/addresses': { query: { reference: 'own-customer', chain: eth.id } },
  'GET /api/v1/pay/addresses/:id': { params: { id: owned.address } },
  'GET /api/v1/pay/deposits': { query: { reference: 'own-customer' } },
  'GET /api/v1/pay/orders': { query: { out_trade_no: owned.order.out_trade_no, text: 'own' } },
  'GET /api/v1/pay/orders/:trade_no': { params: { trade_no: owned.order.trade_no } },
  'POST /api/v1/pay/orders/:trade_no/close': { params: { trade_no: owned.open.trade_no } },

  'POST /api/v1/pay/orders/:trade_no/mark-paid': {
    params: { trade_no: owned.open.trade_no },
    body: { reason: 'paid in cash' },
  },

  'GET /api/v1/checkout/:trade_no': { params: { trade_no: owned.order.trade_no } },
  'POST /api/v1/checkout/:trade_no/choose': {
    params: { trade_no: owned.open.trade_no },
    body: { asset_id: `${eth.id}:USDT` },
  },
  'GET /api/v1/checkout/:trade_no/events': { params: { trade_no: newId() } },
})
