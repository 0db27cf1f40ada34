import { emailCodePurpose } from '@coffer/contract'
import { addAddressBookEntries } from '../domains/address-book/add-address-book-entries.ts'
import { assignFixedAddress, createApplicationAddress } from '../domains/addresses/assign-address.ts'
import { insertInvoice } from '../domains/billing/store.ts'
import { insertAttempt, leaseCallbacks } from '../domains/callbacks/callback-lease.ts'
import { sendTestCallback } from '../domains/callbacks/send-test-callback.ts'
import { createCollection } from '../domains/payment-links/collect.ts'
import { insertPasskey } from '../domains/people/passkeys.ts'
import { insertUpload, uploadUrl } from '../domains/pictures/store.ts'
import { makeRefundLink } from '../domains/refunds/make-link.ts'
import { requestRefund } from '../domains/refunds/request-refund.ts'
import { connectShop } from '../domains/shop-protocols/connect.ts'
import { requestWithdrawal } from '../domains/withdrawals/request-withdrawal.ts'
import { closeWorkOrder } from '../domains/work-orders/change-order.ts'
import { createWorkOrder } from '../domains/work-orders/create-order.ts'
import { uploadOrderPicture } from '../domains/work-orders/pictures.ts'
import { newId } from '../kit/ids.ts'
import { hashSecret, newSecret } from '../kit/secrets.ts'
import { testMember } from './members.ts'
import { mailedProof, testApplication, testMerchant, visitor } from './merchants.ts'
import { eth, type MoneyWorld, rowsOf } from './money.ts'
import { ownEndpoint } from './own-endpoint.ts'
import { ownLink } from './own-link.ts'
import { testPicture } from './picture.ts'

/** An address outside. */
export const destination = '0x00000000000000000000000000000000000000bb'
export const ownPasskey = 'ownedPasskey'
const ownEntry = {
  address: '0x1100220033004400550066007700880099001122',
  label: 'Own supplier',
  memo: '',
  beneficiary: 'Own beneficiary',
  wallet: 'hosted' as const,
  institution: '',
}

/** Creates one of every object of a merchant that a request can name or a response could leak. */
export async function createOwned(world: MoneyWorld) {
  const { deps, merchant } = world
  const orders = await createOrders(world)
  deps.pass(2)
  const account = await fillAccount(world)
  const withdrawals = await requestWithdrawals(world)
  const receiver = (await testMerchant(deps)).mchid
  const bookEntry = await addBookEntry(world)
  const refund = await refundPart(world)
  const refundLink = await linkRefund(world)
  deps.pass(60)
  const shop = await connectOwnShop(world)
  const invoice = [1, 'INV-1', 'USD', { name: 'own name' }, '[]' as never, deps.clock()] as const
  await insertInvoice(deps.pool, merchant.id, '2025-05', ...invoice)
  const address = await createAddresses(world)
  const workOrders = await askForHelp(world)
  const counted = await createCollection(deps, {
    merchantId: merchant.id,
    personId: merchant.id,
    request: { amount: '5', currency: 'USDT', note: 'own note' },
    from: visitor,
  })
  return {
    ...orders,
    ...account,
    ...withdrawals,
    ...workOrders,
    link: await ownLink(world),
    collected: counted.trade_no,
    receiver,
    address,
    bookEntry,
    refund,
    refundLink,
    shop,
    endpoint: await ownEndpoint(world),
    ...(await addPeople(world)),
  }
}

export type Owned = Awaited<ReturnType<typeof createOwned>>

/** Adds a member and an invitation. The owner of the tables is exempt from the audit entries that these take. */
async function addPeople({ deps, owner, merchant }: MoneyWorld) {
  const invitation = { id: newId(), email: 'own-invited@example.com', secret: newSecret() }
  const { personId: member } = await testMember(deps, owner, { merchantId: merchant.id, role: 'viewer' })
  await owner.query(
    `insert into member_invitations (merchant_id, email, id, role, hash, until, invited_by, created_at)
     values ($1, $2, $3, 'viewer', $4, $5, $1, $6)`,
    [merchant.id, invitation.email, invitation.id, hashSecret(invitation.secret), deps.clock() + 86_400, deps.clock()],
  )
  return { member, invitation }
}

/** Creates a paid order and an open one, and a callback that failed. */
async function createOrders(world: MoneyWorld) {
  const { deps, merchant, appid } = world
  const { key } = await testApplication(deps, merchant.id, { name: 'Second shop' })
  const order = await world.pay({ out_trade_no: 'first-merchants-own', subject: 'Own subject', attach: 'own attach' })
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  await world.eth.confirm()
  const open = await world.pay({ out_trade_no: 'first-merchants-open' })
  await sendTestCallback(deps, { merchantId: merchant.id, appid })
  const lease = { now: deps.clock(), until: deps.clock() + 1, limit: 10, free: {}, perKey: 8 }
  for (const leased of await leaseCallbacks(deps.pool, lease)) {
    const attempt = { httpStatus: 500, result: 'HTTP 500', answer: 'own answer', durationMs: 1, now: deps.clock() }
    await insertAttempt(deps.pool, leased, { id: newId(), ...attempt })
  }
  return { key, order, open }
}

/** Adds a passkey and a logo, and finds a callback and a message. */
async function fillAccount({ deps, owner, merchant }: MoneyWorld) {
  await insertPasskey(owner, merchant.id, ownPasskey, 'own key', Buffer.from('own'), 0, [], false, deps.clock(), '')
  const name = 'ab'.repeat(16)
  await insertUpload(deps.pool, name, merchant.id, Buffer.from('own'), deps.clock())
  const [callback] = await rowsOf(owner, 'select id from callbacks where merchant_id = $1', [merchant.id])
  const [notice] = await rowsOf(owner, 'select id from notifications where merchant_id = $1', [merchant.id])
  return { callback: callback.id as string, notice: notice.id as string, logo: uploadUrl(name) }
}

/** Requests a withdrawal on a page, and one with a key. */
async function requestWithdrawals({ deps, merchant, appid }: MoneyWorld) {
  const proof = await mailedProof(deps, merchant.id, emailCodePurpose.withdrawal)
  const requested = { merchantId: merchant.id, assetId: `${eth.id}:USDT`, address: destination, amount: '3', proof }
  const withdrawal = await requestWithdrawal(deps, { ...requested, remark: 'own remark', from: visitor })
  const byKey = { appid, outNo: 'first-merchants-payout', bodyHash: Buffer.alloc(32), madeBy: merchant.id }
  const keyWithdrawal = await requestWithdrawal(deps, { ...requested, amount: '2', byKey, from: visitor })
  return { withdrawal, keyWithdrawal }
}

async function addBookEntry({ deps, merchant }: MoneyWorld): Promise<string> {
  const [bookEntry = ''] = await addAddressBookEntries(deps, {
    merchantId: merchant.id,
    entries: [{ ...ownEntry, currency_id: eth.id }],
    proof: await mailedProof(deps, merchant.id, emailCodePurpose.addressBook),
    from: visitor,
  })
  return bookEntry
}

/** Creates an order that is paid in full. */
export async function createPaid(world: MoneyWorld, name: string) {
  const order = await world.pay({ out_trade_no: name })
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  await world.eth.confirm()
  world.deps.pass(60)
  return order
}

async function refundPart(world: MoneyWorld): Promise<string> {
  const { deps, merchant } = world
  const { trade_no: tradeNo } = await createPaid(world, 'first-merchants-back')
  return requestRefund(deps, {
    merchantId: merchant.id,
    tradeNo,
    kind: 'part',
    basis: 'token',
    amount: '3',
    gasPayer: 'payer',
    address: destination,
    reason: 'own reason',
    proof: await mailedProof(deps, merchant.id, emailCodePurpose.withdrawal),
    from: visitor,
  })
}

async function linkRefund(world: MoneyWorld): Promise<string> {
  const { deps, merchant } = world
  const { trade_no: tradeNo } = await createPaid(world, 'first-merchants-linked')
  return makeRefundLink(deps, {
    merchantId: merchant.id,
    tradeNo,
    kind: 'all',
    basis: 'token',
    gasPayer: 'payer',
    reason: 'own reason',
    proof: await mailedProof(deps, merchant.id, emailCodePurpose.withdrawal),
    from: visitor,
  })
}

async function connectOwnShop({ deps, merchant, appid }: MoneyWorld): Promise<string> {
  const shop = await connectShop(deps, {
    merchantId: merchant.id,
    appid,
    protocol: 'epay',
    notify_url: '',
    callback_method: 'GET',
    proof: await mailedProof(deps, merchant.id),
    from: visitor,
  })
  return shop.id
}

async function createAddresses({ deps, merchant, appid }: MoneyWorld): Promise<string> {
  await assignFixedAddress(deps, merchant.id, eth.id)
  const address = await createApplicationAddress(deps, {
    merchantId: merchant.id,
    appid,
    reference: 'own-customer',
    chainId: eth.id,
  })
  return address.id
}

/** Asks for support twice; the second order is closed. */
async function askForHelp({ deps, merchant }: MoneyWorld) {
  const text = { type: 'other', theme: 'own theme', description: 'own text' } as const
  const ask = () => createWorkOrder(deps, { merchantId: merchant.id, ...text, pictures: [] })
  const workOrder = await ask()
  const closedOrder = await ask()
  await closeWorkOrder(deps, { merchantId: merchant.id, number: closedOrder })
  const { id: picture } = await uploadOrderPicture(deps, { merchantId: merchant.id, number: null, file: testPicture })
  return { workOrder, closedOrder, picture }
}
