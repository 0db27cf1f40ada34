import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '@coffer/contract'
import { events, type ListedEvent } from '@coffer/contract/events.ts'
import { notificationMessages } from './messages.ts'
import { findNotificationSubject, renderMessage } from './render-message.ts'

const keys = Object.keys(notificationMessages) as ListedEvent[]
const languages: Language[] = ['en', 'zh-CN']
const texts = keys.flatMap(key => languages.map(language => ({ key, ...notificationMessages[key][language] })))

test('what has an amount begins with it', () => {
  const withAmount = texts.filter(each => each.content.includes('{amount}'))
  assert.ok(withAmount.length > 30)
  for (const { key, content } of withAmount) assert.match(content, /^\{amount\} (of \{asked\} )?\{token\}/, key)
})

test('nothing is named by a number of ours', () => {
  for (const { key, title, content } of texts) assert.doesNotMatch(title + content, /\{(trade_no|id)\}/, key)
})

test('what concerns an order, a withdrawal or an application has a page to open', () => {
  for (const { key, content } of texts)
    if (/\{(order|to|appid|work_order|receiver)\}/.test(content)) assert.ok(events[key].about, key)
  for (const key of keys.filter(each => each.startsWith('account_') && !events[each].about))
    assert.match(key, /approved|advanced|refused|frozen|unfrozen/)
})

test('a notification from before its number was stored has no page, and an unknown one neither', () => {
  assert.equal(findNotificationSubject('transfer_sent', {}), undefined)
  assert.equal(findNotificationSubject('from_tomorrow', {}), undefined)
  assert.equal(findNotificationSubject('constructor', {}), undefined)
  assert.deepEqual(findNotificationSubject('account_login', {}), { kind: 'security', id: '' })
})

test('only what asks for nothing is money that moved', () => {
  assert.equal(events.payment_paid.list, 'moved')
  for (const key of ['payment_over', 'payment_late', 'refund_abnormal', 'callback_given_up'] as const)
    assert.equal(events[key].list, 'payment')
})

test('parts that are not known leave no trace', () => {
  for (const language of languages) {
    const { content } = renderMessage('withdrawal_returned', { amount: '1', token: 'USDT' }, language)
    assert.doesNotMatch(content, /undefined|\(\)|（）| {2}/)
  }
})
