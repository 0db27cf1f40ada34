import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentStatus } from '@coffer/contract/codes.ts'
import { checkoutStageOf } from '@coffer/contract/payments/stage.ts'
import en from '../i18n/en/checkout.ts'
import zh from '../i18n/zh-CN/checkout.ts'
import type { Checkout } from './follow.ts'
import {
  chooseOutcomeText,
  formatTimeLeft,
  formatUrlHost,
  resolveReturnLink,
  selectLateDeposits,
  selectReturnedDeposits,
  selectUncountedDeposits,
  selectUndecidedDeposits,
} from './stage.ts'

const chosen = { token: 'USDT', paid: '0', pending: '0', rest: '10', counted: [] as string[] } as NonNullable<
  Checkout['chosen']
>
const payment = (changes: Partial<Checkout>) =>
  ({ status: paymentStatus.open, chosen, deposits: [], ...changes }) as unknown as Checkout
const deposit = (state: string) => ({ state, accepted: true, returned: 'no' }) as Checkout['deposits'][number]

test('the stage follows state and deposits', () => {
  assert.equal(checkoutStageOf(payment({ chosen: null })), 'choose')
  assert.equal(checkoutStageOf(payment({})), 'wait')
  assert.equal(checkoutStageOf(payment({ chosen: { ...chosen, pending: '10', rest: '0' } })), 'confirm')
  assert.equal(checkoutStageOf(payment({ chosen: { ...chosen, pending: '4', rest: '6' } })), 'partial')
  assert.equal(checkoutStageOf(payment({ deposits: [deposit('seen')] })), 'wait', 'what was seen does not count')
  assert.equal(
    checkoutStageOf(payment({ chosen: { ...chosen, paid: '4', rest: '6' }, deposits: [deposit('credited')] })),
    'partial',
  )
  assert.equal(checkoutStageOf(payment({ status: paymentStatus.dropped, deposits: [deposit('dropped')] })), 'wait')
  for (const state of ['paid', 'timed_out', 'closed', 'refunding', 'refunded', 'in_doubt'] as const)
    assert.equal(checkoutStageOf(payment({ status: paymentStatus[state] })), state)
})

test('the way back leads to the shop, and by itself only when nothing is left to tell', () => {
  const return_url = 'https://shop.example/thanks?id=1'
  const cancel_url = 'https://shop.example:8443/cart'
  const view = (changes: Partial<Checkout>) => payment({ return_url, cancel_url, auto_redirect: true, ...changes })
  assert.deepEqual(resolveReturnLink(view({}), 'paid'), { url: return_url, auto: true })
  assert.deepEqual(resolveReturnLink(view({}), 'closed'), { url: cancel_url, auto: true })
  assert.deepEqual(resolveReturnLink(view({}), 'timed_out'), { url: cancel_url, auto: false })
  assert.deepEqual(resolveReturnLink(view({ cancel_url: '' }), 'timed_out'), { url: return_url, auto: false })
  assert.deepEqual(resolveReturnLink(view({ auto_redirect: false }), 'paid'), { url: return_url, auto: false })
  assert.deepEqual(resolveReturnLink(view({ chosen: { ...chosen, surplus: '1' } }), 'paid'), {
    url: return_url,
    auto: false,
  })
  const late = { ...deposit('credited'), late: true }
  assert.deepEqual(resolveReturnLink(view({ deposits: [late] }), 'closed'), { url: cancel_url, auto: false })
  assert.equal(resolveReturnLink(view({}), 'confirm'), null)
  assert.equal(resolveReturnLink(view({ return_url: '' }), 'paid'), null)
  assert.equal(formatUrlHost(cancel_url), 'shop.example:8443')
  const own = 'https://pay.example'
  const ofShop = '/shop-return?number=1&host=shop.example'
  assert.equal(formatUrlHost(own + ofShop, own), 'shop.example')
  assert.equal(formatUrlHost(`https://evil.example${ofShop}`, own), 'evil.example')
  assert.equal(formatUrlHost(`${own}/other?host=shop.example`, own), 'pay.example')
})

test('time left is never negative', () => {
  assert.deepEqual([0, -5, 59.9, 61, 3600, 86_399].map(formatTimeLeft), [
    '0:00',
    '0:00',
    '0:59',
    '1:01',
    '1:00:00',
    '23:59:59',
  ])
})

test('a native coin has no token standard, and the warning names every token that counts', () => {
  assert.equal(en.addressKind('ETH', 'Ethereum', '', true), 'Only ETH on Ethereum')
  assert.equal(zh.addressKind('ETH', 'Ethereum', '', true), '仅限 Ethereum 网络的 ETH')
  assert.equal(en.addressKind('USDT', 'Ethereum', 'ERC20', true), 'Only USDT on Ethereum (ERC20)')
  // Where other tokens count as well, "only" would contradict the warning.
  assert.equal(en.addressKind('USDT', 'Ethereum', 'ERC20', false), 'USDT on Ethereum (ERC20)')
  assert.equal(zh.addressKind('USDT', 'Ethereum', 'ERC20', false), 'Ethereum（ERC20）网络的 USDT')
  assert.match(en.warning('ETH', 'Ethereum', ['USDC', 'USDT']), /USDC, USDT/)
  assert.match(zh.warning('ETH', 'Ethereum', ['USDC', 'USDT']), /USDC、USDT/)
  assert.match(en.warning('ETH', 'Ethereum', []), /^Send only ETH/)
})

test('what is said of an end is true for every exception, and nobody who paid is told to order again', () => {
  const exceptions = ['none', 'partial', 'over', 'late', 'marked_paid', 'marked_invalid'] as const
  const ends = ['paid', 'timed_out', 'closed', 'refunding', 'refunded', 'in_doubt'] as const
  const said = Object.fromEntries(
    ends.map(end => [end, exceptions.map(exception => chooseOutcomeText(end, payment({ exception })))]),
  )
  assert.deepEqual(said, {
    paid: ['paid', 'paid', 'paid', 'paid', 'marked_paid', 'paid'],
    timed_out: ['timed_out', 'timed_out_partial', 'timed_out', 'timed_out_late', 'timed_out', 'timed_out'],
    closed: ['closed', 'closed', 'closed', 'closed', 'closed', 'marked_invalid'],
    refunding: exceptions.map(() => 'refunding'),
    refunded: exceptions.map(() => 'refunded'),
    in_doubt: exceptions.map(() => 'in_doubt'),
  })
  const late = { ...deposit('seen'), late: true }
  assert.equal(chooseOutcomeText('timed_out', payment({ exception: 'none', deposits: [late] })), 'timed_out_late')
  for (const { texts } of [en, zh])
    assert.deepEqual(
      Object.entries(texts).flatMap(([name, text]) => (/new order|重新下单/.test(text) ? name : [])),
      ['timed_out'],
    )
})

test('a token that is not accepted never counts, and waits for an operator until it is decided', () => {
  const sent = {
    token: 'USDT',
    state: 'seen',
    late: false,
    accepted: false,
    returned: 'no',
  } as Checkout['deposits'][number]
  const mixed = { token: 'USDT', counted: ['USDC'] } as unknown as Checkout['chosen']
  const view = payment({ chosen: mixed, deposits: [sent, { ...sent, state: 'credited' }, { ...sent, accepted: true }] })
  assert.equal(selectUncountedDeposits(view).length, 2)
  assert.deepEqual(selectUndecidedDeposits(view), [sent])
})

test('what is given back is no money of the merchant, and nobody is asked to see the merchant about it', () => {
  const late = {
    token: 'USDT',
    state: 'credited',
    late: true,
    accepted: false,
    returned: 'no',
  } as Checkout['deposits'][number]
  const undecided = { ...late, state: 'seen' as const }
  const back = { ...late, returned: 'coming' as const }
  const view = payment({ deposits: [late, undecided, back] })
  assert.deepEqual(
    [selectLateDeposits(view), selectUndecidedDeposits(view), selectReturnedDeposits(view)],
    [[late], [undecided], [back]],
  )
  assert.deepEqual(selectUncountedDeposits(view), [undecided, back], 'each is explained')
  assert.equal(chooseOutcomeText('timed_out', payment({ deposits: [undecided, back] })), 'timed_out')
})
