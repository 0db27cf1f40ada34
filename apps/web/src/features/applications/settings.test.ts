import assert from 'node:assert/strict'
import { test } from 'node:test'
import t from '../../i18n/en/applications.ts'
import common from '../../i18n/en/common.ts'
import { check } from '../../kit/rules.ts'
import {
  type Application,
  changesGuarded,
  newSettings,
  readIps,
  settingsBody,
  settingsOf,
  settingsRules,
} from './settings.ts'

const rules = settingsRules(t, common)
const errors = (change: object) => check({ ...newSettings, name: 'Shop', ...change }, rules)

test('a new application needs only a name', () => {
  assert.deepEqual(check(newSettings, rules), { name: common.required })
  assert.deepEqual(errors({}), {})
})

test('URLs, tolerance and IP addresses are validated', () => {
  assert.deepEqual(errors({ website: 'shop.example' }), { website: common.urlAddress })
  assert.deepEqual(errors({ notify_url: 'ftp://shop.example' }), { notify_url: common.urlAddress })
  assert.deepEqual(errors({ tolerance_permille: '51' }), { tolerance_permille: t.toleranceBad })
  assert.deepEqual(errors({ tolerance_permille: '1.5' }), { tolerance_permille: t.toleranceBad })
  assert.deepEqual(errors({ ip_whitelist: '203.0.113.7\n300.1.1.1' }), { ip_whitelist: common.ipIncorrect })
  assert.deepEqual(errors({ ip_whitelist_enabled: true }), { ip_whitelist: t.ipsNeeded })
  const many = Array.from({ length: 21 }, (_, index) => `203.0.113.${index}`).join('\n')
  assert.deepEqual(errors({ ip_whitelist: many }), { ip_whitelist: t.ipsTooMany })
})

test('at least one event is chosen, and the order of choosing does not matter', () => {
  assert.deepEqual(errors({ callback_events: [] }), { callback_events: t.eventsNeeded })
  const { callback_events } = settingsBody({ ...newSettings, callback_events: ['payment.paid', 'payment.seen'] })
  assert.deepEqual(callback_events, ['payment.seen', 'payment.paid'])
})

test('IP addresses are split at whitespace, commas and semicolons, without duplicates', () => {
  assert.deepEqual(readIps(' 203.0.113.7,\n198.51.100.2 ;203.0.113.7\n'), ['203.0.113.7', '198.51.100.2'])
})

test('the body has numbers and lists, and no notify URL', () => {
  const body = settingsBody({ ...newSettings, name: ' Shop ', ip_whitelist: '203.0.113.7' })
  assert.deepEqual(
    [body.name, body.payment_mode, body.tolerance_permille, body.ip_whitelist, 'notify_url' in body],
    ['Shop', 1, 0, ['203.0.113.7'], false],
  )
})

test('only settings that affect payments, key use or what payers see require a proof', () => {
  const application = { ...settingsBody({ ...newSettings, name: 'Shop' }), notify_url: '' } as Application
  const changes = (change: object) => changesGuarded(application, { ...settingsOf(application), ...change })
  assert.equal(changes({}), false)
  assert.equal(changes({ name: ' Shop ', remark: 'x', ip_whitelist: ' \n' }), false)
  for (const change of [
    { name: 'Other' },
    { website: 'https://shop.example' },
    { logo: '/uploads/a.png' },
    { payment_logo: '/uploads/a.png' },
    { tolerance_permille: '5' },
    { mixed_payment: false },
    { payment_mode: '2' },
    { ip_whitelist_enabled: true },
    { ip_whitelist: '203.0.113.7' },
    { callback_events: ['payment.paid'] },
  ])
    assert.equal(changes(change), true, JSON.stringify(change))
})
